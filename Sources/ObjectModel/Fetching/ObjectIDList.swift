/// Ordered object IDs: 8 bytes an object where keys are integers, whole IDs where they are not.
public struct ObjectIDList: Hashable, Sendable {
  private enum Storage: Hashable, Sendable {
    /// Integer keys of one entity. Temporary keys stand at the low end of the numbers: see `firstKey`.
    case keys([Int64], storeIdentifier: String, entityName: String)
    case ids([ObjectID])
  }

  /// The least integer key held as 8 bytes; a lesser number stands for a temporary key.
  ///
  /// So one unsaved object does not make a list of a million keys seven times as large.
  private static let firstKey = Int64.min + 1 << 32

  private var storage: Storage

  /// Makes a list of integer keys of one entity.
  ///
  /// - Parameters:
  ///   - keys: The keys in order.
  ///   - storeIdentifier: The store they are of.
  ///   - entityName: The entity they are of.
  public init(keys: [Int64], storeIdentifier: String, entityName: String) {
    storage =
      if keys.contains(where: { $0 < Self.firstKey }) {
        .ids(
          keys.map {
            ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: .integer($0))
          })
      } else {
        .keys(keys, storeIdentifier: storeIdentifier, entityName: entityName)
      }
  }

  /// Makes a list of any IDs.
  ///
  /// - Parameter ids: The IDs in order.
  public init(_ ids: [ObjectID]) { storage = .ids(ids) }

  /// Calls a closure with the integer keys, without copying them; temporary keys are as `compactKey(of:)` gives them.
  ///
  /// - Returns: What the closure returns; nil when the list does not hold integer keys of one entity.
  package func withKeys<Result>(_ body: ([Int64]) throws -> Result) rethrows -> Result? {
    guard case .keys(let keys, _, _) = storage else { return nil }
    return try body(keys)
  }

  /// The key under which this list would hold an ID as 8 bytes; nil when it would need the whole ID.
  package func compactKey(of id: ObjectID) -> Int64? {
    guard case .keys(_, let storeIdentifier, let entityName) = storage,
      id.entityName == entityName
    else { return nil }
    switch id.key {
    case .integer(let key):
      return key >= Self.firstKey && id.storeIdentifier == storeIdentifier ? key : nil
    case .temporary(let number):
      return number < 1 << 32 && id.storeIdentifier.isEmpty ? Int64.min + Int64(number) : nil
    case .composite: return nil
    }
  }

  /// Makes a list of keys as `compactKey(of:)` of another list gives them; nil when that list holds whole IDs.
  package init?(compactKeys keys: [Int64], like other: ObjectIDList) {
    guard case .keys(_, let storeIdentifier, let entityName) = other.storage else { return nil }
    storage = .keys(keys, storeIdentifier: storeIdentifier, entityName: entityName)
  }

  private static func id(ofCompactKey key: Int64, _ storeIdentifier: String, _ entityName: String)
    -> ObjectID
  {
    key < firstKey
      ? ObjectID(
        storeIdentifier: "", entityName: entityName,
        key: .temporary(UInt64(key &- Int64.min)))
      : ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: .integer(key))
  }

  /// The place of an ID; nil when it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func index(of id: ObjectID) -> Int? {
    switch storage {
    case .keys(let keys, _, _): compactKey(of: id).flatMap { keys.firstIndex(of: $0) }
    case .ids(let ids): ids.firstIndex(of: id)
    }
  }

  private mutating func widen() {
    if case .keys = storage { storage = .ids(Array(self)) }
  }
}

extension ObjectIDList: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
  /// Makes an empty list.
  public init() { storage = .ids([]) }

  /// The first place.
  public var startIndex: Int { 0 }

  /// The place past the last.
  public var endIndex: Int {
    switch storage {
    case .keys(let keys, _, _): keys.count
    case .ids(let ids): ids.count
    }
  }

  /// The ID at a place.
  public subscript(position: Int) -> ObjectID {
    get {
      switch storage {
      case .keys(let keys, let storeIdentifier, let entityName):
        Self.id(ofCompactKey: keys[position], storeIdentifier, entityName)
      case .ids(let ids): ids[position]
      }
    }
    set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
  }

  /// Replaces IDs; the list stays compact while they are integer or temporary keys of its entity.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<ObjectID>
  ) {
    let keys = newElements.compactMap { compactKey(of: $0) }
    if keys.count < newElements.count { widen() }
    switch storage {
    case .keys(var all, let storeIdentifier, let entityName):
      storage = .ids([])  // hands the buffer over, so that it is changed in place
      all.replaceSubrange(subrange, with: keys)
      storage = .keys(all, storeIdentifier: storeIdentifier, entityName: entityName)
    case .ids(var ids):
      storage = .ids([])
      ids.replaceSubrange(subrange, with: newElements)
      storage = .ids(ids)
    }
  }
}
