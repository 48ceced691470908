import ObjectModel
import SQLQueries

extension SaveTransaction {
  /// Compares what the request was planned on with the rows and relationships as they are now.
  ///
  /// - Returns: The rows that will be changed, in the order of the request, and those that will be
  ///   deleted with all their values, if they are needed.
  /// - Throws: ``StoreError``: a conflict with the difference when there is one.
  func checkExpectations() throws(StoreError) -> (
    changed: [RowSnapshot?], deleted: [RowSnapshot]
  ) {
    let changed: [RowSnapshot?]
    if let known = rows.updatedRows {
      changed = known
    } else {
      changed = try reader.rows(of: request.updated.map(\.id), on: connection)
    }
    var found = SaveDifference()
    for (change, row) in zip(request.updated, changed) {
      found.compare(change.id, planned: change.version, present: row?.version)
    }
    let keepsDeleted = request.returnsDeletedRows || rules.needsDeletedRows
    var deleted: [RowSnapshot] = []
    if keepsDeleted { deleted.reserveCapacity(request.deleted.count) }
    for batch in request.deleted.chunks(of: Self.rowsPerBatch) {
      var rows = try reader.rows(of: batch.map(\.id), isWhole: true, on: connection)
      for (offset, deletion) in batch.enumerated() {
        let row = rows[offset].take()
        found.compare(deletion.id, planned: deletion.version, present: row?.version)
        if keepsDeleted, let row { deleted.append(row) }
      }
    }
    var difference = try request.difference(rows: found) {
      relationship, ids throws(StoreError) in
      try reader.destinations(of: relationship.name, from: ids, on: connection)
    } matches: { plan throws(StoreError) in
      try reader.fetch(plan, control: nil, on: connection).ids
    }
    difference.destinations += try unexpectedCascades()
    guard difference.isEmpty else { throw StoreError(difference, doing: request.phrase) }
    for index in deleted.indices {
      let others = try rules.otherColumns(of: deleted[index].id)
      if !others.isEmpty { deleted[index].otherColumns = others }
    }
    return (changed, deleted)
  }

  /// The number of deleted or inserted rows that are read at once.
  static let rowsPerBatch = 2_000

  /// Returns the rows that a cascade of the database would delete although the request neither
  /// names nor expects them.
  private func unexpectedCascades() throws(StoreError) -> [SaveDifference.Destinations] {
    var found: [SaveDifference.Destinations] = []
    for entityName in deletedEntityNames.sorted() {
      let scope = try scope(entityName)
      for relationship in scope.entity.relationships where relationship.deleteRule == .cascade {
        let name = RelationshipName(relationship.name, of: entityName)
        let expected = request.expectedDestinations[name] ?? [:]
        let sources = request.deleted.lazy.map(\.id).filter {
          $0.entityName == entityName && expected[$0] == nil
        }
        guard !sources.isEmpty, case .foreignKey? = scope.table.toMany[name.name] else { continue }
        let children = try reader.destinations(
          of: name.name, from: Array(sources), on: connection)
        let links = request.linked + request.unlinked
        let named = Set(
          request.deleted.map(\.id) + request.updated.map(\.id) + links.map(\.destination))
        let others = children.values.joined().filter { !named.contains($0) }
        if !others.isEmpty { found.append(.init(relationship: name, added: others.sorted())) }
      }
    }
    return found
  }

  /// Refuses references to objects that do not exist, in any layout: Core Data's tables declare no
  /// foreign keys.
  func checkDestinations() throws(StoreError) {
    guard request.checksDestinations else { return }
    var leading: Set<String> = []
    for name in entityNames where try scope(name).leadsToOthers { leading.insert(name) }
    let changes =
      leading.isEmpty
      ? [] : (request.inserted + request.updated).filter { leading.contains($0.id.entityName) }
    guard !changes.isEmpty || !request.linked.isEmpty else { return }
    var known = Set(rows.insertedIDs)
    func check(_ id: ObjectID, _ relationship: String, _ source: ObjectID) throws(StoreError) {
      guard let stored = rows.storedID(id), !known.contains(stored) else { return }
      guard try rows.exists(stored) else {
        throw StoreError(
          missing: id, of: relationship, referredToBy: source, doing: request.phrase)
      }
      known.insert(stored)
    }
    for change in changes {
      for (name, destination) in change.toOne.sorted(by: { $0.key < $1.key })
      where !change.missingDestinations.contains(name) {
        if let destination { try check(destination, name, change.id) }
      }
      try checkForeignKeys(of: change, check)
    }
    for link in request.linked {
      try check(link.source, link.relationshipName, link.destination)
      try check(link.destination, link.relationshipName, link.source)
    }
  }

  /// The to-one relationships of rows that lead to no row, as they may where no foreign key is
  /// declared.
  func missingDestinations(of deleted: [RowSnapshot]) throws(StoreError)
    -> [ObjectID: Set<String>]
  {
    guard deleted.contains(where: { !$0.toOne.isEmpty }) else { return [:] }
    var known: [ObjectID: Bool] = [:]
    for row in deleted { known[row.id] = true }
    var missing: [ObjectID: Set<String>] = [:]
    for row in deleted {
      let relationships = layout.model.entity(named: row.id.entityName)?.toOneRelationships ?? []
      for (relationship, destination) in zip(relationships, row.toOne) {
        guard let destination else { continue }
        let exists: Bool
        if let found = known[destination] {
          exists = found
        } else {
          exists = try rows.exists(destination)
        }
        known[destination] = exists
        if !exists { missing[row.id, default: []].insert(relationship.name) }
      }
    }
    return missing
  }

  /// Checks foreign keys that are attributes, where they reference the key of a table.
  private func checkForeignKeys(
    of change: RowChange,
    _ check: (ObjectID, String, ObjectID) throws(StoreError) -> Void
  ) throws(StoreError) {
    let scope = try scope(change.id.entityName)
    for relationship in scope.entity.toOneRelationships {
      let names = relationship.foreignKeyAttributes
      let values = names.compactMap { change.values[$0] }
      guard !names.isEmpty, values.count == names.count, !values.contains(.null),
        scope.table.toOne[relationship.name]?.referencesKey == true,
        let destination = layout.tables[relationship.destinationEntityName],
        let id = ObjectID(
          storeIdentifier: rows.storeIdentifier,
          entityName: relationship.destinationEntityName, keyValues: values,
          isRowid: destination.hasRowid)
      else { continue }
      try check(id, relationship.name, change.id)
    }
  }

  /// Refuses to call deleted what a trigger of the database has kept, which makes no error of its
  /// own.
  func checkDeletions() throws(StoreError) {
    let kept = try rows.existing(untouched)
    guard let id = untouched.first(where: kept.contains) else { return }
    throw StoreError(
      .constraint, doing: request.phrase, subject: id.phrase,
      detail: "a trigger of the database keeps it", objectIDs: [id])
  }

  /// Returns the deletions, referring entities before those that they refer to, which saves refused
  /// attempts.
  func orderedDeletions() -> [RowDeletion] {
    let names = deletedEntityNames
    if names.count <= 1 { return request.deleted }
    var order: [String] = []
    var seen: Set<String> = []
    func visit(_ name: String) {
      guard names.contains(name), seen.insert(name).inserted else { return }
      for entity in layout.model.entities
      where entity.toOneRelationships.contains(where: { $0.destinationEntityName == name }) {
        visit(entity.name)
      }
      order.append(name)
    }
    for name in names.sorted() { visit(name) }
    let groups = Dictionary(grouping: request.deleted, by: \.id.entityName)
    return order.flatMap { groups[$0] ?? [] }
  }
}

extension QueryScope {
  /// Whether the entity has to-one relationships.
  fileprivate var leadsToOthers: Bool { !entity.toOneRelationships.isEmpty }
}
