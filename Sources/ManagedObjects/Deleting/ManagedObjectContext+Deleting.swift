public import ObjectModel

extension ManagedObjectContext {
  /// Inserts a new object with its entity's default values.
  ///
  /// - Parameter entityName: The entity.
  /// - Returns: The object; its ID is temporary until it is saved.
  /// - Throws: ``ManagedObjectError`` when there is no such entity, or it takes no new objects.
  public func insert(entityName: String) throws -> ManagedObject {
    guard let entity = model.entity(named: entityName) else {
      throw unknownEntity(entityName, doing: "inserting an object")
    }
    try checkWritable(entity, doing: "inserting an object")
    guard !entity.isAbstract else {
      throw ManagedObjectError(
        .readOnly, doing: "inserting an object", subject: entityName,
        detail: "an abstract entity has no objects of its own")
    }
    let id = ObjectID(
      storeIdentifier: "", entityName: entityName, key: .temporary(TemporaryKeys.next()))
    var row = RowSnapshot(
      id: id, version: 0, values: Array(repeating: .null, count: entity.attributes.count),
      toOne: Array(repeating: nil, count: entity.toOneRelationships.count))
    for (place, attribute) in entity.attributes.enumerated() where !attribute.defaultValue.isNull {
      row.values[place] = try attribute.encode(attribute.defaultValue)
    }
    insertRow(row)
    let object = object(with: id)
    undoHistory.suggest(
      ActionSuggestion(verb: .insert, entityName: entityName, name: entityName))
    object.awakeFromInsert()
    return object
  }

  /// Deletes an object; its delete rules are followed when changes are processed.
  ///
  /// - Parameter object: The object; nothing happens when it is deleted already.
  /// - Throws: ``ManagedObjectError`` when it cannot be changed.
  public func delete(_ object: ManagedObject) throws {
    object.prepareForDeletion()
    try delete([object.objectID])
  }

  /// Deletes objects without making them; their delete rules are followed when changes are processed.
  ///
  /// - Parameter ids: The objects; those that are gone or deleted already are left out.
  /// - Throws: ``ManagedObjectError`` when one cannot be changed; none is deleted then.
  public func delete(_ ids: [ObjectID]) throws {
    let ids = ids.map(resolve).filter(isAlive)
    for entityName in Set(ids.map(\.entityName)) {
      try checkWritable(info(for: entityName).entity, doing: "deleting")
    }
    let ends = try orderedEnds(of: ids)
    try keepingOrders(of: ends) { try delete(alive: ids) }
  }

  private func delete(alive ids: [ObjectID]) throws {
    for (place, id) in ids.enumerated() where isAlive(id) {
      // A save checks the version that was seen; rows nobody has seen are read in batches.
      if place % Self.batchSize == 0 {
        try prefetch(ids[place..<min(place + Self.batchSize, ids.count)])
      }
      undoHistory.suggest(
        ActionSuggestion(verb: .delete, entityName: id.entityName, name: displayName(of: id)))
      removeRow(id)
      pendingDeletes.append(id)
    }
  }

  /// Says what deleting objects would do, without changing anything.
  ///
  /// - Parameter ids: The objects.
  /// - Returns: What would be deleted, nullified and denied; one query a relationship and generation.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  public func deletionPlan(for ids: [ObjectID]) throws -> DeletionPlan {
    var seen: Set<ObjectID> = []
    let direct = ids.map(resolve).filter { isAlive($0) && seen.insert($0).inserted }
    var planner = DeletionPlanner(self)
    try planner.follow(direct)
    return planner.plan
  }

  /// How many rows are read together: fewer than are remembered, so that none is let go before its turn.
  private static let batchSize = 500

  /// Follows the delete rules of what was deleted since changes were last processed.
  func propagateDeletes() throws {
    while !pendingDeletes.isEmpty {
      let ids = pendingDeletes.filter { !isAlive($0) }
      var planner = DeletionPlanner(self)
      try planner.follow(ids)
      pendingDeletes = []
      let plan = planner.plan
      try keepingOrders(of: orderedEnds(of: plan.cascaded.flatMap(\.ids))) {
        for effect in plan.cascaded {
          for id in effect.ids where isAlive(id) {
            removeRow(id)
            cascadeOrigins[id] = effect.relationship
          }
        }
      }
      plan.deleted.forEach(dropAddedLinks)
      for effect in plan.nullified {
        try nullify(effect, deleted: Set(plan.deleted))
      }
    }
  }

  /// The rules that refuse the unsaved deletions as they now stand: a query a relationship.
  func standingDenials() throws -> [DeletionPlan.Denial] {
    guard counts.deleted > 0 else { return [] }
    var standing: [DeletionPlan.Denial] = []
    let deleted = pending.filter(\.value.isDeleted).map(\.key)
    for (entityName, ids) in DeletionPlanner.byEntity(deleted) {
      for relationship in info(for: entityName).ruled
      where relationship.description.deleteRule == .deny {
        let contents = try destinationIDs(of: relationship, from: ids)
        for (id, destinations) in contents.sorted(by: { $0.key < $1.key }) {
          let count = destinations.count(where: isAlive)
          guard count > 0 else { continue }
          standing.append(
            .init(
              objectID: id, relationship: relationship.fullName, count: count,
              destinationEntityName: relationship.description.destinationEntityName))
        }
      }
    }
    return standing
  }

  func checkWritable(_ entity: EntityDescription, doing: @autoclosure () -> String) throws {
    guard let reason = persistentStoreCoordinator.readOnlyReason ?? entity.readOnlyReason else {
      return
    }
    throw ManagedObjectError(.readOnly, doing: doing(), subject: entity.name, detail: reason)
  }

  func unknownEntity(_ name: String, doing: String) -> ManagedObjectError {
    let near = NearestNames.suggestions(for: name, in: model.entities.map(\.name))
    return ManagedObjectError(
      .unknownEntity, doing: doing, subject: name, remedy: near.joined(separator: ", "))
  }

  private func nullify(_ effect: DeletionPlan.Effect, deleted: Set<ObjectID>) throws {
    let name = String(effect.relationship.drop { $0 != "." }.dropFirst())
    for (number, id) in effect.ids.enumerated() {
      if number % Self.batchSize == 0 {
        try prefetch(effect.ids[number..<min(number + Self.batchSize, effect.ids.count)])
      }
      guard let place = toOneIndex(name, of: id), let row = currentRow(of: id),
        let destination = row.destination(at: place), deleted.contains(destination)
      else { continue }
      try patch(id, referencePatch(place, to: nil, of: id, row))
    }
  }

  private func dropAddedLinks(of id: ObjectID) {
    guard !links.isEmpty else { return }
    for relationship in info(for: id.entityName).relationships.values
    where relationship.kind == .links {
      for other in links[RelationshipEnd(id, relationship.name)]?.added ?? [] {
        setLink(relationship.name, from: id, to: other, isLinked: false)
      }
    }
  }
}
