import ObjectModel

/// Follows delete rules from objects, a whole generation and relationship at a time: one query each, never one an object.
struct DeletionPlanner {
  private let context: ManagedObjectContext
  private(set) var plan = DeletionPlan()
  private var gone: Set<ObjectID> = []
  private var cascades = OrderedEffects()
  private var nullifications: [(relationship: RelationshipInfo, contents: [ObjectID: [ObjectID]])] =
    []
  private var denials: [(relationship: RelationshipInfo, contents: [ObjectID: [ObjectID]])] = []

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Plans the deletion of objects, each once.
  mutating func follow(_ ids: [ObjectID]) throws {
    plan.direct = ids
    gone.formUnion(ids)
    var generation = ids
    while !generation.isEmpty {
      var next: [ObjectID] = []
      for (entityName, ids) in Self.byEntity(generation) {
        for relationship in context.info(for: entityName).ruled {
          try follow(relationship, from: ids, next: &next)
        }
      }
      generation = next
    }
    finish()
  }

  static func byEntity(_ ids: [ObjectID]) -> [(String, [ObjectID])] {
    Dictionary(grouping: ids, by: \.entityName).sorted { $0.key < $1.key }.map { ($0, $1) }
  }

  private mutating func follow(
    _ relationship: RelationshipInfo, from ids: [ObjectID], next: inout [ObjectID]
  ) throws {
    let contents = try context.destinationIDs(of: relationship, from: ids)
    guard !contents.isEmpty else { return }
    switch relationship.description.deleteRule {
    case .noAction: return
    case .nullify: nullifications.append((relationship, contents))
    case .deny: denials.append((relationship, contents))
    case .cascade:
      var found: [ObjectID] = []
      for id in ids {
        for destination in contents[id] ?? [] where context.isAlive(destination) {
          if gone.insert(destination).inserted { found.append(destination) }
        }
      }
      cascades.add(found, to: relationship.fullName)
      next += found
    }
  }

  private mutating func finish() {
    plan.cascaded = cascades.effects
    var nullified = OrderedEffects()
    for (relationship, contents) in nullifications {
      guard let inverse = relationship.inverse else { continue }
      let label = relationship.description.destinationEntityName + "." + inverse.name
      let staying = contents.sorted { $0.key < $1.key }.flatMap(\.value).filter {
        !gone.contains($0)
      }
      nullified.add(staying, to: label)
    }
    plan.nullified = nullified.effects
    for (relationship, contents) in denials {
      for (id, destinations) in contents.sorted(by: { $0.key < $1.key }) {
        let count = destinations.count { !gone.contains($0) && context.isAlive($0) }
        guard count > 0 else { continue }
        plan.denied.append(
          .init(
            objectID: id, relationship: relationship.fullName, count: count,
            destinationEntityName: relationship.description.destinationEntityName))
      }
    }
  }
}

/// Effects by relationship, in the order in which they were found.
struct OrderedEffects {
  private(set) var effects: [DeletionPlan.Effect] = []
  private var places: [String: Int] = [:]

  mutating func add(_ ids: [ObjectID], to relationship: String) {
    guard !ids.isEmpty else { return }
    if let place = places[relationship] {
      effects[place].ids += ids
    } else {
      places[relationship] = effects.count
      effects.append(.init(relationship: relationship, ids: ids))
    }
  }
}

extension EntityInfo {
  /// The relationships whose rule reaches another object's row when an object is deleted.
  var ruled: [RelationshipInfo] {
    entity.relationships.compactMap { relationships[$0.name] }.filter { relationship in
      switch relationship.description.deleteRule {
      case .noAction: false
      case .cascade, .deny: true
      case .nullify: relationship.inverse?.isToMany == false
      }
    }
  }
}
