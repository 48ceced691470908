import ObjectModel

/// What a context has read from its store: rows, which of them do not exist, and where
/// relationships lead.
struct StoreCache {
  private var rows: RowCache
  /// Objects whose row was read but does not exist, or was deleted.
  private var missing: Set<ObjectID> = []
  private var destinations: [RelationshipEnd: [ObjectID]] = [:]
  /// The number of relationships of objects whose destinations are kept.
  private static let destinationLimit = 4_000

  /// Makes an empty cache.
  ///
  /// - Parameter rowCapacity: The approximate number of cached rows of unreferenced objects.
  init(rowCapacity: Int) { rows = RowCache(capacity: rowCapacity) }

  /// The number of rows.
  var count: Int { rows.count }
  /// The objects whose row is cached.
  var ids: [ObjectID] { rows.ids }

  func contains(_ id: ObjectID) -> Bool { rows.contains(id) }

  /// Returns the cached row of an object and marks it as used; nil if it is not cached.
  mutating func find(_ id: ObjectID) -> RowSnapshot? { rows.find(id) }

  /// Whether an object is known to have no row.
  func isMissing(_ id: ObjectID) -> Bool { !missing.isEmpty && missing.contains(id) }

  /// Keeps a row; `isHeld` says whether somebody holds the object of a row that is about to be
  /// evicted.
  mutating func keep(_ row: RowSnapshot, isHeld: (ObjectID) -> Bool) {
    if !missing.isEmpty { missing.remove(row.id) }
    rows.insert(row, isHeld: isHeld)
  }

  /// Notes that an object has no row.
  mutating func setMissing(_ id: ObjectID) {
    rows.remove(id)
    missing.insert(id)
  }

  /// Makes room for a number of objects without rows.
  mutating func reserveMissing(_ count: Int) {
    if count > 0 { missing.reserveCapacity(missing.count + count) }
  }

  /// Forgets an object, so that it is read again when it is next asked for.
  mutating func forget(_ id: ObjectID) {
    rows.remove(id)
    missing.remove(id)
  }

  /// Forgets which objects are known to have no row.
  mutating func forgetMissing(except isExcepted: (ObjectID) -> Bool) {
    missing = missing.filter(isExcepted)
  }

  /// Forgets all rows but those of some objects, and where relationships lead.
  mutating func trim(keeping isKept: (ObjectID) -> Bool) {
    rows.keep(where: isKept)
    destinations = [:]
  }

  func destinations(of end: RelationshipEnd) -> [ObjectID]? { destinations[end] }

  /// Keeps where a relationship leads from some objects, of which those that are missing in `found`
  /// have no destinations; of very many objects nothing is kept.
  mutating func keepDestinations(
    _ found: [ObjectID: [ObjectID]], of name: String, from ids: [ObjectID]
  ) {
    if destinations.count + ids.count > Self.destinationLimit { destinations = [:] }
    guard ids.count <= Self.destinationLimit else { return }
    for id in ids { destinations[RelationshipEnd(id, name)] = found[id] ?? [] }
  }

  /// Evicts the destinations of all relationships.
  mutating func forgetDestinations() { destinations = [:] }

  /// Evicts the destinations of the relationships of an object.
  mutating func forgetDestinations(of id: ObjectID) {
    destinations = destinations.filter { $0.key.id != id }
  }

  mutating func removeAll() {
    rows.removeAll()
    (missing, destinations) = ([], [:])
  }
}
