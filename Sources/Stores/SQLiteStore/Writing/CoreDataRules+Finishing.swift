import ObjectModel
import SQLQueries

extension CoreDataRules {
  /// Writes order keys, update counters, persistent history and Z_PRIMARYKEY: core-data-stores 5
  /// and 6.
  func finish(deleted: [RowSnapshot]) throws(StoreError) -> [ObjectID] {
    try orders.writeOrders { id, assignments throws(StoreError) in
      try update(id, set: assignments)
    } note: {
      switch $0 {
      case .owner(let id, let relationship): noteChange(of: id, [relationship])
      case .member(let id, let inverse): noteChange(of: id, Change(orders: [inverse]))
      }
    }
    let inserted = rows.insertedIDs
    let known = Set(inserted).union(deleted.map(\.id))
    let updated = try incrementCounters(of: changedIDs.filter { !known.contains($0) })
    try writeHistory(inserted: inserted, updated: updated, deleted: deleted)
    try keys.save()
    return changedIDs + triggerReports.ids
  }

  func changedKeys(of id: ObjectID) -> Set<String>? {
    var keys = changes[id]?.properties ?? []
    // Core Data's triggers write derived attributes alone.
    if triggerReports.contain(id), let entity = rows.layout.model.entity(named: id.entityName) {
      keys.formUnion(DerivedAttribute.all(of: entity).map(\.attribute.name))
    }
    return keys
  }

  /// Increments the counters of objects that no statement has updated yet.
  ///
  /// - Parameter ids: Objects that have changed.
  /// - Returns: Those of them that exist: a foreign key may lead to no object.
  /// - Throws: ``StoreError``.
  private func incrementCounters(of ids: [ObjectID]) throws(StoreError) -> [ObjectID] {
    var found: [ObjectID] = []
    for id in ids {
      if !counted.contains(id) {
        try update(id, set: [])
        if rows.statements.changedRowCount == 0 { continue }
      }
      found.append(id)
    }
    return found
  }

  private func writeHistory(inserted: [ObjectID], updated: [ObjectID], deleted: [RowSnapshot])
    throws(StoreError)
  {
    guard let history = HistoryWriter(layout: rows.layout) else { return }
    var written = inserted.compactMap { HistoryChange($0, .insert) }
    for id in updated {
      guard let change = changes[id] else { continue }
      let kind = HistoryChange.Kind.update(properties: change.properties, orders: change.orders)
      if let change = HistoryChange(id, kind) { written.append(change) }
    }
    written += deleted.compactMap { HistoryChange($0.id, .delete(Array($0.values))) }
    try history.write(written, with: rows.statements, keys: keys)
  }
}

extension HistoryChange {
  /// What happened to an object; nil for one without an integer key.
  fileprivate init?(_ id: ObjectID, _ kind: Kind) {
    guard case .integer(let key) = id.key else { return nil }
    self.init(entityName: id.entityName, key: key, kind: kind)
  }
}
