extension CombinedStore {
  /// Saves in each store that the request is about; see ``CombinedStore``.
  package func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    let parts = parts(of: request)
    guard parts.count > 1 else {
      return try parts.first.map { part throws(StoreError) in
        try part.store.save(part.request)
      } ?? SaveResult()
    }
    for part in parts { _ = try part.store.rehearse(part.request) }
    var results: [SaveResult] = []
    var reversals: [SaveReversal] = []
    for part in parts {
      do throws(StoreError) {
        let reversal = try SaveReversal(part.request, in: part.store)
        results.append(try part.store.save(part.request))
        reversals.append(reversal)
      } catch {
        throw Self.failure(error, undoing: Array(zip(reversals, results)))
      }
    }
    return SaveResult(combining: results)
  }

  /// Runs and takes back the save in each store.
  package func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    var all = SaveRehearsal()
    for part in parts(of: request) {
      let rehearsal = try part.store.rehearse(part.request)
      all.statements += rehearsal.statements
      all.triggerEffects.add(rehearsal.triggerEffects)
      all.unusedFileCount += rehearsal.unusedFileCount
    }
    return all
  }

  /// Undoes what was saved before a store failed, the last first.
  private static func failure(
    _ error: StoreError, undoing saved: [(SaveReversal, SaveResult)]
  ) -> StoreError {
    var error = error
    var left: [String] = []
    for (reversal, result) in saved.reversed() {
      do throws(StoreError) { try reversal.revert(result) } catch {
        left.append("\(reversal.name) (\(error.description))")
      }
    }
    if !left.isEmpty {
      error.detail +=
        "; what was saved before could not be undone in " + left.joined(separator: ", ")
      error.remedy = "open the stores again, and look at what is there"
    }
    return error
  }

  /// What a request asks of each store, in the order of the stores.
  private func parts(of request: SaveRequest) -> [(
    store: any PersistentStore, request: SaveRequest
  )] {
    stores.enumerated().compactMap { index, store in
      func isOwn(_ entityName: String) -> Bool { self.index(of: entityName) == index }
      var part = request
      part.inserted = request.inserted.filter { isOwn($0.id.entityName) }
      part.updated = request.updated.filter { isOwn($0.id.entityName) }
      part.deleted = request.deleted.filter { isOwn($0.id.entityName) }
      part.linked = request.linked.filter { isOwn($0.source.entityName) }
      part.unlinked = request.unlinked.filter { isOwn($0.source.entityName) }
      part.expectedDestinations = request.expectedDestinations.filter { isOwn($0.key.entityName) }
      part.expectedOrders = request.expectedOrders.filter { isOwn($0.key.entityName) }
      part.reserved = request.reserved.filter { isOwn($0.entityName) }
      part.selection = request.selection.flatMap { isOwn($0.plan.entityName) ? $0 : nil }
      // Undoing needs all that was.
      part.returnsDeletedRows = true
      part.returnedRows = nil
      let isEmpty =
        part.count == 0 && part.linked.isEmpty && part.unlinked.isEmpty && part.reserved.isEmpty
      return isEmpty ? nil : (store, part)
    }
  }
}

/// The save that takes one back: what it needs to know before it, and what its result tells.
private struct SaveReversal {
  private let request: SaveRequest
  private let store: any PersistentStore
  private var updated: [RowChange] = []

  /// Reads the values that a save will change.
  init(_ request: SaveRequest, in store: any PersistentStore) throws(StoreError) {
    (self.request, self.store) = (request, store)
    let rows = try store.snapshots(of: request.updated.map(\.id))
    for change in request.updated {
      guard let row = rows[change.id], let entity = store.model.entity(named: change.id.entityName)
      else { continue }
      var values: [String: Value] = [:]
      for name in change.values.keys {
        guard let index = entity.attributeIndex(name) else { continue }
        values[name] =
          try row.cutLengths[index] == nil
          ? row.value(at: index) : store.value(of: name, for: change.id)
      }
      var toOne: [String: ObjectID?] = [:]
      for name in change.toOne.keys {
        toOne[name] = .some(entity.toOneIndex(name).flatMap(row.destination))
      }
      updated.append(RowChange(id: change.id, values: ChangedValues(values), toOne: toOne))
    }
  }

  /// The name of the store.
  var name: String { store.summary.name }

  /// Takes the save back.
  func revert(_ result: SaveResult) throws(StoreError) {
    func permanent(_ id: ObjectID) -> ObjectID { result.permanentIDs[id] ?? id }
    func permanent(_ link: ObjectLink) -> ObjectLink {
      ObjectLink(
        link.relationshipName, from: permanent(link.source), to: permanent(link.destination))
    }
    let inserted = Set(request.inserted.map { permanent($0.id) })
    var revert = SaveRequest()
    revert.deleted = inserted.sorted().map {
      RowDeletion(id: $0, version: result.snapshots[$0]?.version)
    }
    revert.updated = updated.map {
      var change = $0
      change.version = result.snapshots[change.id]?.version
      return change
    }
    revert.inserted = result.deletedRows.compactMap { row in
      guard let entity = store.model.entity(named: row.id.entityName) else { return nil }
      let values = entity.attributes.indices.filter { !entity.attributes[$0].isReadOnly }
        .map { (entity.attributes[$0].name, row.value(at: $0)) }
      let toOne = entity.toOneRelationships.enumerated()
        .filter { $0.element.foreignKeyAttributes.isEmpty }
        .map { ($0.element.name, row.destination(at: $0.offset)) }
      return RowChange(
        id: row.id, values: ChangedValues(Dictionary(firstOf: values)),
        toOne: Dictionary(firstOf: toOne), otherColumns: row.otherColumns,
        missingDestinations: result.missingDestinations[row.id] ?? [])
    }
    // Links of new objects go with them.
    revert.unlinked = request.linked.map(permanent).filter {
      !inserted.contains($0.source) && !inserted.contains($0.destination)
    }
    revert.linked = request.unlinked + result.deletedLinks + result.replacedLinks
    _ = try store.save(revert)
  }
}

extension SaveResult {
  /// What several stores returned.
  fileprivate init(combining results: [SaveResult]) {
    self.init()
    for result in results {
      permanentIDs.merge(result.permanentIDs) { first, _ in first }
      snapshots.merge(result.snapshots) { first, _ in first }
      changedKeys.merge(result.changedKeys) { first, _ in first }
      missingDestinations.merge(result.missingDestinations) { first, _ in first }
      deletedRows += result.deletedRows
      deletedLinks += result.deletedLinks
      replacedLinks += result.replacedLinks
      triggerEffects.add(result.triggerEffects)
    }
  }
}

extension TriggerEffects {
  fileprivate mutating func add(_ other: TriggerEffects) {
    inserted.merge(other.inserted, uniquingKeysWith: +)
    updated.merge(other.updated, uniquingKeysWith: +)
    deleted.merge(other.deleted, uniquingKeysWith: +)
  }
}
