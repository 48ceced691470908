import ObjectModel
import SQLQueries

// What a save changes of objects that it does not name: core-data-stores 5 and 6.
//
// In Core Data a to-many relationship is a property of its owner. If an object is added to it or
// removed from it, the owner has changed: Z_OPT is incremented, and persistent history has a change
// of the owner. Real histories show it (the bits of to-many relationships).
extension CoreDataRules {
  /// The owners of the deleted objects change, and persistent history has tombstones of them.
  var needsDeletedRows: Bool { true }

  /// Notes the owners of to-many relationships to which objects are added, or from which they are
  /// removed.
  func begin(before: [RowSnapshot?], deleted: [RowSnapshot]) throws(StoreError) {
    counted = Set(rows.insertedIDs)
    let (request, layout) = (rows.request, rows.layout)
    for change in request.inserted {
      if case .integer(let key) = change.id.key {
        try keys.note(key, in: keyTable(of: rows.scope(change.id.entityName)))
      }
      for (name, destination) in change.toOne.sorted(by: { $0.key < $1.key }) {
        noteOwner(destination, of: name, in: change.id.entityName)
      }
      try noteHiddenOwners(change.otherColumns, of: change.id.entityName)
    }
    for (change, row) in zip(request.updated, before) {
      let entity = layout.model.entity(named: change.id.entityName)
      for (name, destination) in change.toOne.sorted(by: { $0.key < $1.key }) {
        let index = entity?.toOneIndex(name)
        let old = index.flatMap { index in
          row.flatMap { $0.toOne.indices.contains(index) ? $0.toOne[index] : nil }
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
      try noteHiddenOwners(row.otherColumns, of: row.id.entityName)
    }
  }

  private func noteOwner(_ owner: ObjectID?, of name: String, in entityName: String) {
    guard let owner, let id = rows.storedID(owner),
      let inverse = rows.relationship(name, of: entityName)?.inverseName,
      rows.relationship(inverse, of: id.entityName)?.isToMany == true
    else { return }
    noteChange(of: id, [inverse])
  }

  /// Notes the owners in the hidden columns of a row.
  private func noteHiddenOwners(_ columns: [String: Value], of entityName: String)
    throws(StoreError)
  {
    guard !columns.isEmpty, let table = rows.layout.tables[entityName]?.name else { return }
    for hidden in hiddenRelationships
    where rows.layout.tables[hidden.destination]?.name == table {
      guard case .integer(let key)? = columns[hidden.column],
        let owner = try rows.existingID(hidden.owner, key)
      else { continue }
      noteChange(of: owner, [hidden.relationship])
    }
  }
}
