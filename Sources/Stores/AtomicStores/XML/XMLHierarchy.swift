import ObjectModel

/// What inherits from what among the entities of an XML store, as far as its references show it: a
/// relationship that is said to lead to THING and leads to a TODO makes TODO inherit from THING.
struct XMLHierarchy {
  /// The direct superentity by entity, in capitals as in the file.
  private(set) var parents: [String: String] = [:]
  /// The entities that inherit or are inherited from, each after its superentity.
  private(set) var types: [String] = []

  /// No entity inherits.
  init() {}

  /// Follows all references.
  init(of database: XMLDatabase) {
    var typeOf: [String: String] = [:]
    for object in database.objects { typeOf[object.id] = object.type }
    var ancestors: [String: Set<String>] = [:]
    for relationship in database.objects.lazy.flatMap(\.relationships) {
      for id in relationship.ids {
        guard let type = typeOf[id], type != relationship.destination else { continue }
        ancestors[type, default: []].insert(relationship.destination)
      }
    }
    self.init(ancestors)
  }

  /// Makes one line of superentities of the ancestors of each entity: the one with more descendants
  /// is the superentity of the other.
  private init(_ found: [String: Set<String>]) {
    var ancestors = Self.closed(found)
    // Two that inherit from each other are damage, and say nothing.
    guard !ancestors.contains(where: { $1.contains($0) }) else { return }
    var counts: [String: Int] = [:]
    for type in ancestors.values.joined() { counts[type, default: 0] += 1 }
    let all = Set(ancestors.keys).union(counts.keys)
    types = all.sorted { (-(counts[$0] ?? 0), $0) < (-(counts[$1] ?? 0), $1) }
    let ranks = Dictionary(firstOf: types.enumerated().map { ($1, $0) })
    func line(_ type: String) -> [String] {
      (ancestors[type] ?? []).sorted { ranks[$0] ?? 0 < ranks[$1] ?? 0 }
    }
    // From the leaves up: what is above in one line is above in all.
    for type in types.reversed() {
      let line = line(type)
      for (upper, lower) in zip(line, line.dropFirst()) {
        ancestors[lower, default: []].insert(upper)
      }
    }
    for type in types { parents[type] = line(type).last }
  }

  /// Adds the ancestors of ancestors.
  private static func closed(_ found: [String: Set<String>]) -> [String: Set<String>] {
    var ancestors = found
    var isComplete = false
    while !isComplete {
      isComplete = true
      for (type, own) in ancestors {
        let more = own.union(own.flatMap { ancestors[$0] ?? [] })
        if more.count > own.count { (ancestors[type], isComplete) = (more, false) }
      }
    }
    return ancestors
  }
}
