import ObjectModel

/// What a context has read from its store: rows, which of them do not exist, and where
/// relationships lead.
final class StoreCache {
  /// The rows, with the objects whose they are.
  private let objects: ObjectTable
  /// Objects whose row was read but does not exist, or was deleted.
  ///
  /// Nothing is called while it changes. Checking that makes firing faults slower: see ``ObjectRecord``.
  @exclusivity(unchecked) private var missing = IDTable<Void>()
  private var destinations: [RelationshipEnd: [ObjectID]] = [:]
  /// The number of relationships of objects whose destinations are kept.
  private static let destinationLimit = 4_000

  /// Makes an empty cache.
  init(_ objects: ObjectTable) { self.objects = objects }

  /// Whether any object is known to have no row.
  var hasMissing: Bool { !missing.isEmpty }

  /// Whether an object is known to have no row.
  func isMissing(_ id: ObjectID) -> Bool { missing.contains(id) }

  /// Keeps a row.
  func keep(_ row: consuming RowSnapshot) {
    setExisting(row.id)
    objects.keep(row)
  }

  /// Notes that an object has a row.
  func setExisting(_ id: ObjectID) { _ = missing.remove(id) }

  /// Notes that an object has no row.
  func setMissing(_ id: ObjectID) {
    objects.evict(id)
    missing.insert(id)
  }

  /// Forgets an object, so that it is read again when it is next asked for.
  func forget(_ id: ObjectID) {
    objects.evict(id)
    setExisting(id)
  }

  /// Forgets which objects are known to have no row.
  func forgetMissing(except isExcepted: (ObjectID) -> Bool) {
    var kept = IDTable<Void>()
    for id in missing.ids where isExcepted(id) { kept.insert(id) }
    missing = kept
  }

  /// Forgets all rows but those of some objects, and where relationships lead.
  func trim(keeping isKept: (ObjectID) -> Bool) {
    objects.evict(except: isKept)
    destinations = [:]
  }

  func destinations(of end: RelationshipEnd) -> [ObjectID]? { destinations[end] }

  /// Keeps where a relationship leads from some objects, of which those that are missing in `found`
  /// have no destinations; of very many objects nothing is kept.
  func keepDestinations(
    _ found: [ObjectID: [ObjectID]], of name: String, from ids: [ObjectID]
  ) {
    if destinations.count + ids.count > Self.destinationLimit { destinations = [:] }
    guard ids.count <= Self.destinationLimit else { return }
    for id in ids { destinations[RelationshipEnd(id, name)] = found[id] ?? [] }
  }

  /// Evicts the destinations of all relationships.
  func forgetDestinations() { destinations = [:] }

  /// Evicts the destinations of the relationships of an object.
  func forgetDestinations(of id: ObjectID) {
    destinations = destinations.filter { $0.key.id != id }
  }

  func removeAll() {
    objects.evict(except: { _ in false })
    (missing, destinations) = (IDTable(), [:])
  }
}
