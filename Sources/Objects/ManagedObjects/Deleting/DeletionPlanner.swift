import ObjectModel
import OrderedCollections

/// Follows delete rules from objects, one query for each relationship and generation, never one for
/// each object.
struct DeletionPlanner {
  private let context: ManagedObjectContext
  private var plan = DeletionPlan()
  private var deleted: Set<ObjectID> = []
  private var cascades = EffectsByRelationship()
  private var cascadeSources: [(relationship: RelationshipInfo, ids: [ObjectID])] = []
  private var nullifications: [(relationship: RelationshipInfo, contents: [ObjectID: [ObjectID]])] =
    []
  private var denials: [(relationship: RelationshipInfo, contents: [ObjectID: [ObjectID]])] = []

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Plans the deletion of objects.
  ///
  /// - Parameters:
  ///   - ids: The objects; they may be deleted already.
  ///   - leavingOutDenied: Whether those are left out that delete rules keep, all others being
  ///     deleted.
  /// - Returns: The plan.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  mutating func plan(deleting ids: [ObjectID], leavingOutDenied: Bool = false) throws
    -> DeletionPlan
  {
    try followRules(from: ids)
    if leavingOutDenied, !denials.isEmpty {
      // Leaving out an object may make others stay that deny a deletion: they are left out too.
      let roots = plan.direct
      var left = PermittedDeletions(
        roots: roots, deleted: deleted, cascades: cascadeContents,
        denials: denials.map(\.contents), isAlive: context.isAlive)
      left.leaveOutDenied()
      let refusals = denied { !left.contains($0) && context.isAlive($0) }
      if !refusals.isEmpty {
        self = DeletionPlanner(context)
        try followRules(from: roots.filter(left.roots.contains))
        plan.refused = roots.filter { !left.roots.contains($0) }
        plan.refusals = refusals
      }
    }
    finishEffects()
    let changed =
      plan.nullified.isEmpty ? plan.deleted : plan.deleted + plan.nullified.flatMap(\.ids)
    plan.versions.reserveCapacity(changed.count)
    try context.readVersions(of: changed) { row in
      if let version = context.version(of: row) { plan.versions.set(version, for: row.id) }
      guard !row.toOne.isEmpty, deleted.contains(row.id) else { return }
      noteFormer(row)
      if let base = context.pending[row.id]?.base, base.toOne != row.toOne { noteFormer(base) }
    }
    try noteFormerLinks()
    // If each has a version, none is gone.
    if plan.versions.count < changed.count {
      // What was new is in no store, but its links have to go.
      plan.direct = plan.direct.selected {
        plan.versions.contains($0) || !context.isStored($0)
          || context.tracking.removedRow(of: $0) != nil
      }
    }
    return plan
  }

  private mutating func followRules(from ids: [ObjectID]) throws {
    deleted.reserveCapacity(ids.count)
    plan.direct = ids.selected { deleted.insert($0).inserted }
    var generation = plan.direct
    while !generation.isEmpty {
      var next: [ObjectID] = []
      for (entityName, ids) in Self.byEntity(generation) {
        for relationship in context.info(for: entityName).ruled {
          try follow(relationship, from: ids, next: &next)
        }
      }
      generation = next
    }
  }

  static func byEntity(_ ids: [ObjectID]) -> [(String, [ObjectID])] {
    guard let name = ids.first?.entityName else { return [] }
    if ids.allSatisfy({ $0.entityName == name }) { return [(name, ids)] }
    return Dictionary(grouping: ids, by: \.entityName).sorted { $0.key < $1.key }.map { ($0, $1) }
  }

  private mutating func follow(
    _ relationship: RelationshipInfo, from ids: [ObjectID], next: inout [ObjectID]
  ) throws {
    try context.checkCancelled("following \(relationship.fullName)")
    let storedIDs = ids.filter(context.isStored)
    let stored = try context.storedDestinations(of: relationship, from: storedIDs)
    plan.expectedDestinations[relationship.fullName, default: [:]]
      .merge(storedIDs.map { ($0, stored[$0] ?? []) }) { $1 }
    let contents = context.destinationIDs(of: relationship, from: ids, stored: stored)
    guard !contents.isEmpty else { return }
    switch relationship.description.deleteRule {
    case .noAction: return
    case .nullify, .setDefault: nullifications.append((relationship, contents))
    case .deny:
      // No save can refuse the deletion of an object that was never saved.
      let unsaved = contents.filter { !context.isStored($0.key) }
      if !unsaved.isEmpty { nullifications.append((relationship, unsaved)) }
      denials.append((relationship, contents.filter { unsaved[$0.key] == nil }))
    case .cascade:
      cascadeSources.append((relationship, ids))
      var found: [ObjectID] = []
      for id in ids {
        for destination in contents[id] ?? [] where context.isAlive(destination) {
          if deleted.insert(destination).inserted { found.append(destination) }
        }
      }
      cascades.add(found, to: relationship.fullName)
      next += found
    }
  }

  /// Computes the effects on objects that are not deleted, which are known only at the end.
  private mutating func finishEffects() {
    plan.cascaded = cascades.effects
    var nullified = EffectsByRelationship()
    for (relationship, contents) in nullifications {
      guard let inverse = relationship.inverse else { continue }
      let staying = contents.sorted { $0.key < $1.key }.flatMap(\.value).filter(stays)
      nullified.add(
        staying,
        to: RelationshipName(inverse.name, of: relationship.description.destinationEntityName))
    }
    plan.nullified = nullified.effects
    plan.denied = denied(where: stays)
  }

  private func denied(where stays: (ObjectID) -> Bool) -> [DeletionPlan.Denial] {
    denials.flatMap { DeletionPlan.Denial.all(of: $0, $1, where: stays) }
  }

  /// The destinations of the relationships that deletions cascade along, by source.
  private var cascadeContents: [[ObjectID: [ObjectID]]] {
    cascadeSources.map { relationship, ids in
      context.destinationIDs(
        of: relationship, from: ids,
        stored: plan.expectedDestinations[relationship.fullName] ?? [:])
    }
  }

  /// Notes the owners that a deleted row leads to.
  private mutating func noteFormer(_ row: RowSnapshot) {
    for (index, relationship) in context.info(for: row.id.entityName).toOne.enumerated() {
      guard let inverse = relationship.inverse, inverse.isToMany,
        let owner = row.destination(at: index), !deleted.contains(owner)
      else { continue }
      let end = RelationshipEnd(owner, inverse.name)
      if plan.former[row.id]?.contains(end) != true {
        plan.former[row.id, default: []].append(end)
      }
    }
  }

  /// Notes the objects that deleted ones are linked with; one query for each relationship.
  private mutating func noteFormerLinks() throws {
    for (entityName, ids) in Self.byEntity(plan.deleted) {
      for relationship in context.info(for: entityName).relationships.values
      where relationship.kind == .links {
        guard let inverse = relationship.inverse else { continue }
        let found = try context.storedDestinations(
          of: relationship, from: ids.filter(context.isStored))
        for (id, others) in found {
          for other in others where !deleted.contains(other) {
            plan.former[id, default: []].append(RelationshipEnd(other, inverse.name))
          }
        }
      }
    }
  }

  private func stays(_ id: ObjectID) -> Bool { !deleted.contains(id) && context.isAlive(id) }
}

extension DeletionPlan.Denial {
  /// The denials of a relationship with the rule deny, one for each source with destinations that
  /// stay.
  static func all(
    of relationship: RelationshipInfo, _ contents: [ObjectID: [ObjectID]],
    where stays: (ObjectID) -> Bool
  ) -> [Self] {
    contents.sorted { $0.key < $1.key }.compactMap { id, destinations in
      let staying = destinations.filter(stays)
      guard !staying.isEmpty else { return nil }
      return Self(
        objectID: id, relationship: relationship.fullName, destinations: staying,
        destinationEntityName: relationship.description.destinationEntityName)
    }
  }
}

extension EntityInfo {
  /// The relationships whose delete rule has an effect on destinations, and those that leave
  /// destinations behind.
  var ruled: [RelationshipInfo] {
    entity.relationships.compactMap { relationships[$0.name] }.filter { relationship in
      switch relationship.description.deleteRule {
      case .cascade, .deny: true
      case .setDefault: relationship.inverse?.isToMany == false
      case .nullify: relationship.inverse?.isToMany == false || relationship.leavesDestinations
      case .noAction: relationship.leavesDestinations
      }
    }
  }
}

/// Objects by the relationship that leads to them, in the order in which the relationships were
/// found.
typealias EffectsByRelationship = OrderedDictionary<RelationshipName, [ObjectID]>

extension EffectsByRelationship {
  mutating func add(_ ids: [ObjectID], to relationship: RelationshipName) {
    if !ids.isEmpty { self[relationship, default: []] += ids }
  }

  var effects: [DeletionPlan.Effect] { map { .init(relationship: $0, ids: $1) } }
}
