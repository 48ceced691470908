import ManagedObjects
import ObjectModel

/// The relationships that a list reads through: by them, a change of another object is a change of the list.
struct Dependencies {
  /// One relationship on a key path, seen from its far end.
  struct Hop: Hashable {
    /// The relationships from the list's entity to the far end.
    var path: [String]
    /// For each of them, the way back; nil when there is none.
    var inverses: [String?]
    /// The entities at the far end.
    var entityNames: Set<String>
    /// What is read there.
    var reading: Reading
  }

  /// What is read of the objects at the far end of a relationship.
  enum Reading: Hashable {
    case key(String)
    /// Only which objects they are, as for a count.
    case membership
    case anything
  }

  private let hops: Set<Hop>

  /// The to-one relationships to read in batches before rows are compared, shortest paths first.
  let toOnePaths: [[String]]

  init(_ keyPaths: Set<String>, of entity: EntityDescription, in model: ManagedObjectModel) {
    var hops: Set<Hop> = []
    var toOne: Set<[String]> = []
    for keyPath in keyPaths {
      var hop = Hop(path: [], inverses: [], entityNames: [], reading: .anything)
      var source: EntityDescription? = entity
      var isToOne = true
      let names = KeyPathText.components(of: keyPath) ?? [keyPath]
      for (place, name) in names.enumerated() where !name.hasPrefix("@") {
        guard let relationship = source?.relationship(named: name) else { break }
        hop.path.append(name)
        hop.inverses.append(relationship.inverseName)
        hop.entityNames = Set(model.entityNames(inheritingFrom: relationship.destinationEntityName))
        let rest = names[(place + 1)...]
        hop.reading =
          if let next = rest.first(where: { !$0.hasPrefix("@") }) {
            .key(next)
          } else {
            rest.isEmpty ? .anything : .membership
          }
        hops.insert(hop)
        isToOne = isToOne && !relationship.isToMany
        if isToOne { toOne.insert(hop.path) }
        source = model.entity(named: relationship.destinationEntityName)
      }
    }
    self.hops = hops
    toOnePaths = toOne.sorted { $0.count < $1.count }
  }

  /// Whether the list reads nothing but its own objects.
  var isEmpty: Bool { hops.isEmpty }

  /// The objects of a list that a change of other objects may concern.
  ///
  /// - Returns: Nil when they cannot be found because a relationship has no way back.
  func affected(by change: ContextChange, in context: ManagedObjectContext) -> Set<ObjectID>? {
    var affected: Set<ObjectID> = []
    let changed = change.inserted.union(change.updated).union(change.refreshed)
      .union(change.invalidated)
    for hop in hops {
      let far = changed.filter { id in
        hop.entityNames.contains(id.entityName) && hop.reads(change.changedKeys[id])
      }
      let gone = change.deleted.contains { hop.entityNames.contains($0.entityName) }
      if far.isEmpty, !gone { continue }
      guard let inverses = hop.inverses as? [String] else { return nil }
      // Where a way back was lost (a deletion, a new destination), those at its end have changed themselves.
      var reached = far
      for inverse in inverses.reversed() {
        reached = Set(
          reached.flatMap { context.object(with: $0).objectIDs(forKey: inverse) })
      }
      affected.formUnion(reached)
    }
    return affected
  }
}

extension Dependencies.Hop {
  /// Whether a change of some keys (nil for any) is seen through the hop; the way back counts too.
  fileprivate func reads(_ changed: Set<String>?) -> Bool {
    guard let changed else { return true }
    if let inverse = inverses.last ?? nil, changed.contains(inverse) { return true }
    return switch reading {
    case .key(let key): changed.contains(key)
    case .membership: false
    case .anything: true
    }
  }
}
