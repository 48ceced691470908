/// Ordered object IDs: 8 bytes an object where keys are integers, whole IDs where they are not.
public struct ObjectIDList: Hashable, Sendable {
  private enum Storage: Hashable, Sendable {
    /// Codes of integer and temporary keys.
    case codes([Int64], ObjectIDCoding)
    case ids([ObjectID])
  }

  private var storage: Storage

  /// Makes a list of integer keys of one entity.
  ///
  /// - Parameters:
  ///   - keys: The keys in order.
  ///   - storeIdentifier: The store they are of.
  ///   - entityName: The entity they are of.
  public init(keys: [Int64], storeIdentifier: String, entityName: String) {
    let coding = ObjectIDCoding(storeIdentifier: storeIdentifier, entityName: entityName)
    storage =
      if keys.contains(where: { coding.code(ofKey: $0, entityIndex: 0) == nil }) {
        .ids(
          keys.map {
            ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: .integer($0))
          })
      } else {
        .codes(keys, coding)
      }
  }

  /// Makes a list of any IDs.
  ///
  /// - Parameter ids: The IDs in order.
  public init(_ ids: [ObjectID]) { storage = .ids(ids) }

  /// Makes a list of codes.
  ///
  /// - Parameters:
  ///   - codes: Codes that the coding has made.
  ///   - coding: What they mean.
  package init(codes: [Int64], _ coding: ObjectIDCoding) { storage = .codes(codes, coding) }

  /// Calls a closure with the codes of the IDs as `compactKey(of:)` gives them, without copying them.
  ///
  /// - Returns: What the closure returns; nil when the list holds whole IDs.
  package func withKeys<Result>(_ body: ([Int64]) throws -> Result) rethrows -> Result? {
    guard case .codes(let codes, _) = storage else { return nil }
    return try body(codes)
  }

  /// The code by which this list would hold an ID as 8 bytes; nil when it would need the whole ID.
  package func compactKey(of id: ObjectID) -> Int64? {
    guard case .codes(_, let coding) = storage else { return nil }
    return coding.code(of: id)
  }

  /// Makes a list of codes as `compactKey(of:)` of another list gives them; nil when that list holds whole IDs.
  package init?(compactKeys codes: [Int64], like other: ObjectIDList) {
    guard case .codes(_, let coding) = other.storage else { return nil }
    storage = .codes(codes, coding)
  }

  /// Whether the same codes stand for the same IDs in both lists.
  package func sharesCodes(with other: ObjectIDList) -> Bool {
    guard case .codes(_, let coding) = storage, case .codes(_, coding) = other.storage else {
      return false
    }
    return true
  }

  /// The greatest integer key; nil when there is none, or the keys are of several entities.
  package var greatestKey: Int64? {
    guard case .codes(let codes, let coding) = storage, coding.isOfOneEntity else { return nil }
    return codes.max()
  }

  /// The place of an ID; nil when it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func index(of id: ObjectID) -> Int? {
    switch storage {
    case .codes(let codes, let coding): coding.code(of: id).flatMap { codes.firstIndex(of: $0) }
    case .ids(let ids): ids.firstIndex(of: id)
    }
  }

  private mutating func widen() {
    if case .codes = storage { storage = .ids(Array(self)) }
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
    case .codes(let codes, _): codes.count
    case .ids(let ids): ids.count
    }
  }

  /// The ID at a place.
  public subscript(position: Int) -> ObjectID {
    get {
      switch storage {
      case .codes(let codes, let coding): coding.id(of: codes[position])
      case .ids(let ids): ids[position]
      }
    }
    set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
  }

  /// Replaces IDs; the list stays compact while they are integer or temporary keys of its entities.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<ObjectID>
  ) {
    let new = newElements.compactMap { compactKey(of: $0) }
    if new.count < newElements.count { widen() }
    switch storage {
    case .codes(var all, let coding):
      storage = .ids([])  // hands the buffer over, so that it is changed in place
      all.replaceSubrange(subrange, with: new)
      storage = .codes(all, coding)
    case .ids(var ids):
      storage = .ids([])
      ids.replaceSubrange(subrange, with: newElements)
      storage = .ids(ids)
    }
  }
}
