import GRDBSQLite
import ObjectModel

// What a save changes of objects that it does not name: core-data-stores 5 and 6.
//
// In Core Data a to-many relationship is a property of its owner. When an object comes or goes, the owner counts as
// changed: its counter grows, and the history says so. Real histories show it (the bits of to-many relationships).
extension SaveTransaction {
  /// Notes the objects to whose to-many relationships others come, or from which they go.
  ///
  /// - Parameters:
  ///   - before: The rows that will be changed, as they stand.
  ///   - deleted: The rows that will be taken out.
  func noteOwners(before: [ObjectID: RowSnapshot], deleted: [RowSnapshot]) {
    guard coreData != nil else { return }
    for change in request.inserted {
      for (name, destination) in change.toOne {
        noteOwner(destination, of: name, in: change.id.entityName)
      }
      noteHiddenOwners(change.otherColumns, of: change.id.entityName)
    }
    for change in request.updated {
      let entity = layout.model.entity(named: change.id.entityName)
      for (name, destination) in change.toOne {
        let place = entity?.toOneIndex(name)
        let old = place.flatMap { place in
          before[change.id].flatMap { $0.toOne.indices.contains(place) ? $0.toOne[place] : nil }
        }
        noteOwner(old, of: name, in: change.id.entityName)
        noteOwner(destination, of: name, in: change.id.entityName)
      }
    }
    for row in deleted {
      let relationships = layout.model.entity(named: row.id.entityName)?.toOneRelationships ?? []
      for (relationship, destination) in zip(relationships, row.toOne) {
        noteOwner(destination, of: relationship.name, in: row.id.entityName)
      }
      noteHiddenOwners(row.otherColumns, of: row.id.entityName)
    }
  }

  private func noteOwner(_ owner: ObjectID?, of name: String, in entityName: String) {
    guard let owner, let id = storedID(owner),
      let inverse = layout.model.entity(named: entityName)?.relationship(named: name)?.inverseName,
      layout.model.entity(named: id.entityName)?.relationship(named: inverse)?.isToMany == true
    else { return }
    coreData?.note(id, [inverse])
  }

  /// Notes the owners whose keys stand in hidden columns of a row.
  private func noteHiddenOwners(_ columns: [String: Value], of entityName: String) {
    guard !columns.isEmpty, let coreData, let table = layout.tables[entityName]?.name else {
      return
    }
    for end in coreData.hiddenEnds where layout.tables[end.destination]?.name == table {
      guard case .integer(let key)? = columns[end.column] else { continue }
      let id = ObjectID(
        storeIdentifier: storeIdentifier, entityName: end.owner, key: .integer(key))
      coreData.note(id, [end.relationship])
    }
  }

  /// Notes both ends of a link that was put in or taken out.
  func noteEnds(of link: ObjectLink) {
    guard let coreData, let source = storedID(link.source),
      let destination = storedID(link.destination)
    else { return }
    coreData.note(source, [link.relationshipName])
    let relationship = layout.model.entity(named: source.entityName)?
      .relationship(named: link.relationshipName)
    if let inverse = relationship?.inverseName { coreData.note(destination, [inverse]) }
  }

  /// Counts the changes of objects that no statement has counted yet, writes down the last keys and tells the history.
  ///
  /// - Parameter rows: The rows that were taken out.
  /// - Throws: ``StoreError``.
  func keepBooks(deleted rows: [RowSnapshot]) throws(StoreError) {
    guard let coreData else { return }
    let inserted = request.inserted.compactMap { permanentIDs[$0.id] }
    let known = Set(inserted).union(rows.map(\.id))
    let updated = try countChanges(coreData.changedIDs.filter { !known.contains($0) })
    try coreData.keepLastKeys()
    guard let history = HistoryWriter(layout: layout) else { return }
    var changes: [HistoryChange] = []
    for id in inserted { changes += HistoryChange.of(id, .insert) }
    for id in updated {
      let (properties, orders) = coreData.changes(of: id)
      changes += HistoryChange.of(id, .update(properties: properties, orders: orders))
    }
    for row in rows { changes += HistoryChange.of(row.id, .delete(row.values)) }
    try history.write(changes, with: statements)
  }

  /// Counts the changes of objects that no statement has counted yet.
  ///
  /// - Parameter ids: Objects that changed.
  /// - Returns: Those of them that are there: a key that leads nowhere is no object's.
  /// - Throws: ``StoreError``.
  private func countChanges(_ ids: [ObjectID]) throws(StoreError) -> [ObjectID] {
    var found: [ObjectID] = []
    for id in ids {
      if coreData?.counting(id) != nil {
        try set([], of: id)
        if sqlite3_changes(connection.handle) == 0 { continue }
      }
      found.append(id)
    }
    return found
  }

  /// The objects that the save changed beside those that it names.
  func changedBeside(_ written: [ObjectID]) -> [ObjectID] {
    guard let coreData else { return [] }
    let known = Set(written).union(request.deleted.map(\.id))
    return coreData.changedIDs.filter { !known.contains($0) }
      + triggerReports.ids.filter { !known.contains($0) }
  }
}

extension HistoryChange {
  /// What happened to an object; none for one without an integer key.
  fileprivate static func of(_ id: ObjectID, _ kind: Kind) -> [HistoryChange] {
    guard case .integer(let key) = id.key else { return [] }
    return [HistoryChange(entityName: id.entityName, key: key, kind: kind)]
  }
}
