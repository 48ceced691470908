/// An ordered list of object IDs: 8 bytes each for integer keys, whole IDs for composite keys.
public struct ObjectIDList: Hashable, Sendable {
  private enum Storage: Hashable, Sendable {
    /// 8-byte codes of integer and temporary keys.
    case codes([Int64], ObjectIDCoding)
    case ids([ObjectID])
  }

  private var storage: Storage

  /// Creates a list from integer keys of one entity.
  ///
  /// - Parameters:
  ///   - keys: The keys in order.
  ///   - storeIdentifier: The identifier of their store.
  ///   - entityName: The name of their entity.
  public init(keys: [Int64], storeIdentifier: String, entityName: String) {
    let coding = ObjectIDCoding(storeIdentifier: storeIdentifier, entityName: entityName)
    storage =
      if keys.contains(where: { coding.code(ofKey: $0, entityIndex: 0) == nil }) {
        .ids(
          keys.map {
            ObjectID(
              .of(storeIdentifier: storeIdentifier, entityName: entityName), key: .integer($0))
          })
      } else {
        .codes(keys, coding)
      }
  }

  /// Creates a list from any IDs, stored whole.
  ///
  /// - Parameter ids: The IDs in order.
  public init(_ ids: [ObjectID]) { storage = .ids(ids) }

  /// Creates a list from 8-byte codes.
  ///
  /// - Parameters:
  ///   - codes: Codes made by the coding, in order.
  ///   - coding: The coding of the codes.
  package init(codes: [Int64], _ coding: ObjectIDCoding) { storage = .codes(codes, coding) }

  /// Creates a list from IDs, stored as 8-byte codes if all of them have one.
  ///
  /// - Parameters:
  ///   - ids: The IDs in order.
  ///   - coding: The coding of the codes.
  package init(_ ids: [ObjectID], _ coding: ObjectIDCoding) {
    let codes = ids.compactMap(coding.code(of:))
    storage = codes.count == ids.count ? .codes(codes, coding) : .ids(ids)
  }

  /// Calls a closure with the 8-byte codes of the IDs (see `compactKey(of:)`), without copying
  /// them.
  ///
  /// - Returns: The closure's result; nil if the list stores whole IDs.
  package func withKeys<Result>(_ body: ([Int64]) throws -> Result) rethrows -> Result? {
    guard case .codes(let codes, _) = storage else { return nil }
    return try body(codes)
  }

  /// Calls a closure with the 8-byte codes of the IDs and their coding, without copying them.
  ///
  /// - Returns: The closure's result; nil if the list stores whole IDs.
  package func withCoding<Result>(_ body: ([Int64], ObjectIDCoding) throws -> Result) rethrows
    -> Result?
  {
    guard case .codes(let codes, let coding) = storage else { return nil }
    return try body(codes, coding)
  }

  /// Returns the 8-byte code of an ID in this list's coding; nil if the ID has none or the list
  /// stores whole IDs.
  package func compactKey(of id: ObjectID) -> Int64? {
    guard case .codes(_, let coding) = storage else { return nil }
    return coding.code(of: id)
  }

  /// Creates a list from 8-byte codes in the coding of another list; nil if that list stores whole
  /// IDs.
  package init?(compactKeys codes: [Int64], like other: ObjectIDList) {
    guard case .codes(_, let coding) = other.storage else { return nil }
    storage = .codes(codes, coding)
  }

  /// Whether both lists use the same coding, so that their codes can be compared directly.
  package func sharesCodes(with other: ObjectIDList) -> Bool {
    guard case .codes(_, let coding) = storage, case .codes(_, coding) = other.storage else {
      return false
    }
    return true
  }

  /// The entity of all objects; nil if the list is empty, stores whole IDs, or has several entities.
  package var onlyEntityName: String? {
    guard case .codes(let codes, let coding) = storage, coding.hasOneEntity, let first = codes.first
    else { return nil }
    return coding.id(of: first).entityName
  }

  /// The largest integer key; nil if the list is empty, stores whole IDs, or has several entities.
  package var greatestKey: Int64? {
    guard case .codes(let codes, let coding) = storage, coding.hasOneEntity else { return nil }
    return codes.max()
  }

  /// Returns the index of an ID; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the codes.
  package func index(of id: ObjectID) -> Int? {
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
  /// Creates an empty list.
  public init() { storage = .ids([]) }

  /// The index of the first ID: 0.
  public var startIndex: Int { 0 }

  /// The index after the last ID: the number of IDs.
  public var endIndex: Int {
    switch storage {
    case .codes(let codes, _): codes.count
    case .ids(let ids): ids.count
    }
  }

  /// The ID at an index.
  public subscript(position: Int) -> ObjectID {
    get {
      switch storage {
      case .codes(let codes, let coding): coding.id(of: codes[position])
      case .ids(let ids): ids[position]
      }
    }
    set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
  }

  /// Replaces IDs; the list stays compact if all new ones have codes, else it changes to whole IDs.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<ObjectID>
  ) {
    let new = newElements.compactMap { compactKey(of: $0) }
    if new.count < newElements.count { widen() }
    switch storage {
    case .codes(var all, let coding):
      storage = .ids([])  // releases the buffer, so that it is changed without a copy
      all.replaceSubrange(subrange, with: new)
      storage = .codes(all, coding)
    case .ids(var ids):
      storage = .ids([])
      ids.replaceSubrange(subrange, with: newElements)
      storage = .ids(ids)
    }
  }
}
