/// A store that saves many times in one transaction, as an import does.
package protocol BulkStore: PersistentStore {
  /// Whether an object of an entity can have a key; integers always can, unless ``sharesKeys``.
  func keeps(_ key: ObjectKey, of entityName: String) -> Bool

  /// Whether no two objects have the same key, of whatever entities they are. The default is false.
  var sharesKeys: Bool { get }

  /// Saves several times in one transaction: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - changes: The entities and properties that the saves change.
  ///   - doing: The work, for errors.
  ///   - body: Saves; it must read through what it is given.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or ``StoreError``; nothing was written then.
  func saveTogether<Result: Sendable>(
    changing changes: StoreChanges, doing: String, _ body: (any BulkTransaction) throws -> Result
  ) throws -> Result
}

extension BulkStore {
  package var sharesKeys: Bool { false }
}

/// Several saves in one transaction.
package protocol BulkTransaction: AnyObject {
  /// Writes changes, all of a request or nothing.
  ///
  /// - Parameters:
  ///   - request: What to write.
  ///   - updatedRows: The rows of the updated objects, in their order, if ``rows(of:)`` has read them
  ///     since the last save; nil if not.
  /// - Returns: Permanent IDs, and rows if the request wants them.
  /// - Throws: ``StoreError``; the saves before stay, unless ``isOver``.
  func save(_ request: SaveRequest, updatedRows: [RowSnapshot?]?) throws(StoreError) -> SaveResult

  /// Whether an error, such as that of a full disk, has ended the whole transaction.
  var isOver: Bool { get }

  /// Reads rows as they are in the transaction.
  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?]

  /// Finds objects of an entity, and of those that inherit from it, by the stored values of
  /// attributes.
  func lookup(_ attributes: [String], of entityName: String) throws(StoreError)
    -> any ObjectLookup
}

extension BulkTransaction {
  /// Writes changes whose rows were not read.
  package func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    try save(request, updatedRows: nil)
  }
}

/// Finds objects by the stored values of attributes, a million times in one transaction.
package protocol ObjectLookup: AnyObject {
  /// Finds the object with some values; a null is never found.
  func match(_ values: [Value]) throws(StoreError) -> ObjectMatch
  /// Finds the object with a value that stays where it is during the call.
  func match(_ field: StoredField) throws(StoreError) -> ObjectMatch
  /// Notes an object that the transaction has inserted.
  func add(_ values: [Value], for id: ObjectID) throws(StoreError)
}

/// What a lookup found.
package enum ObjectMatch: Hashable, Sendable {
  case none, several
  case one(ObjectID)
}
