import ManagedObjects
import ObjectModel

/// The relationships on a list's key paths: through them, a change of a related object changes the
/// list.
struct Dependencies {
  /// A path of relationships from the list's entity to related objects.
  struct Step: Hashable {
    /// The names of the relationships.
    var path: [String]
    /// The inverse of each; nil if it has none.
    var inverses: [String?]
    /// Whether the last relationship is to-one with a to-many inverse, so that each object itself has
    /// what it leads to.
    var isManyToOne: Bool
    /// The entities of the related objects.
    var entityNames: Set<String>
    /// What the key path reads of them.
    var reading: Reading
  }

  /// What a key path reads of related objects.
  enum Reading: Hashable {
    case key(String)
    /// Only which objects are related, as for a count.
    case membership
    case anything
  }

  private let steps: Set<Step>

  /// Paths of to-one relationships to prefetch before rows are compared, shortest first.
  let toOnePaths: [[String]]

  init(_ keyPaths: Set<String>, of entity: EntityDescription, in model: ManagedObjectModel) {
    var steps: Set<Step> = []
    var toOne: Set<[String]> = []
    for keyPath in keyPaths {
      var step = Step(
        path: [], inverses: [], isManyToOne: false, entityNames: [], reading: .anything)
      var source: EntityDescription? = entity
      var isToOne = true
      let names = KeyPathText.components(of: keyPath) ?? [keyPath]
      for (index, name) in names.enumerated() where !name.hasPrefix("@") {
        guard let relationship = source?.relationship(named: name) else { break }
        step.path.append(name)
        step.inverses.append(relationship.inverseName)
        let destination = model.entity(named: relationship.destinationEntityName)
        let inverse = relationship.inverseName.flatMap { destination?.relationship(named: $0) }
        step.isManyToOne = !relationship.isToMany && inverse?.isToMany == true
        step.entityNames = Set(
          model.entityNames(inheritingFrom: relationship.destinationEntityName))
        let rest = names[(index + 1)...]
        step.reading =
          if let next = rest.first(where: { !$0.hasPrefix("@") }) {
            .key(next)
          } else {
            rest.isEmpty ? .anything : .membership
          }
        steps.insert(step)
        isToOne = isToOne && !relationship.isToMany
        if isToOne { toOne.insert(step.path) }
        source = destination
      }
    }
    self.steps = steps
    toOnePaths = toOne.sorted { $0.count < $1.count }
  }

  /// Whether the list reads its own objects only.
  var isEmpty: Bool { steps.isEmpty }

  /// The objects of a list that a change of related objects may affect.
  ///
  /// - Returns: The objects; nil if they cannot be found, because a relationship has no inverse or
  ///   the store cannot be read.
  func affected(by change: ContextChange, in context: ManagedObjectContext) -> Set<ObjectID>? {
    try? context.throwingReports { found(by: change, in: context) }
  }

  private func found(by change: ContextChange, in context: ManagedObjectContext) -> Set<ObjectID>? {
    var affected: Set<ObjectID> = []
    let changed = change.inserted.union(change.updated).union(change.refreshed)
      .union(change.invalidated)
    for step in steps {
      let related = changed.filter { id in
        step.entityNames.contains(id.entityName) && step.reads(change.changedKeys[id])
      }
      let isAnyDeleted = change.deleted.contains { step.entityNames.contains($0.entityName) }
      if related.isEmpty, !isAnyDeleted { continue }
      guard let inverses = step.inverses as? [String] else { return nil }
      // Objects that were related before (a deletion, a new destination) have changed themselves.
      var reached = related
      for inverse in inverses.reversed() {
        reached = Set(
          reached.flatMap { context.object(with: $0).objectIDs(forKey: inverse) })
      }
      affected.formUnion(reached)
    }
    return affected
  }
}

extension Dependencies.Step {
  /// Whether a change of some keys (nil for any), the inverse included, affects the key path.
  fileprivate func reads(_ changed: Set<String>?) -> Bool {
    guard let changed else { return true }
    if let inverse = inverses.last ?? nil, changed.contains(inverse) {
      guard isManyToOne, reading != .key(inverse) else { return true }
      // Objects that it was given or that were taken from it have changed themselves.
      let others = changed.subtracting([inverse])
      return !others.isEmpty && reads(others)
    }
    return switch reading {
    case .key(let key): changed.contains(key)
    case .membership: false
    case .anything: true
    }
  }
}
