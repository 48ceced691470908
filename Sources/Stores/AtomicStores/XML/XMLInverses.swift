import ObjectModel

/// Which relationships of an XML store are each other's inverse: the file has both ends, so that one
/// has the pairs of the other turned round.
struct XMLInverses {
  /// A relationship of the entity that others inherit it from, with names as in the file.
  struct End: Hashable {
    let type: String
    let name: String
  }

  private struct Pair: Hashable {
    let source: String
    let destination: String
  }

  private var inverses: [End: String] = [:]

  /// Compares the pairs of all relationships; those that have none show nothing, and neither do two
  /// that have the same ones.
  ///
  /// - Parameters:
  ///   - database: The file.
  ///   - end: The relationship of an entity, or of the one that it inherits it from.
  ///   - leads: Whether the destination of the first one has the second one.
  init(of database: XMLDatabase, end: (String, String) -> End, leads: (End, End) -> Bool) {
    let ids = Set(database.objects.map(\.id))
    var pairs: [End: Set<Pair>] = [:]
    for object in database.objects {
      for relationship in object.relationships {
        let end = end(object.type, relationship.name)
        for id in relationship.ids where ids.contains(id) {
          pairs[end, default: []].insert(Pair(source: object.id, destination: id))
        }
      }
    }
    let ends = Dictionary(grouping: pairs.keys) { pairs[$0] ?? [] }
    var found: [End: End] = [:]
    for (own, set) in pairs {
      let turned = Set(set.map { Pair(source: $0.destination, destination: $0.source) })
      let others = (ends[turned] ?? []).filter { leads(own, $0) && leads($0, own) }
      if others.count == 1 { found[own] = others[0] }
    }
    for (own, other) in found where found[other] == own { inverses[own] = other.name }
  }

  /// The name of the inverse of a relationship; nil if there is none.
  func name(of end: End) -> String? { inverses[end] }
}
