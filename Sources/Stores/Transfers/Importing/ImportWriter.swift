import ObjectModel

/// What an import has done.
package struct ImportResult: Hashable, Sendable {
  package var inserted = 0
  package var updated = 0
  /// Objects that had all values already.
  package var unchanged = 0
  package var rejected = 0

  package init() {}
}

/// Why a record is not imported.
package struct Rejection: Sendable {
  /// The record's first line.
  package let line: Int
  /// The name of the column; empty for the whole record.
  package let column: String
  package let reason: String
  /// The record as it was read.
  package let record: ImportRecord
}

extension Rejection {
  /// The rejection in one line: `line 7, born: …`.
  package var phrase: String {
    "line \(line)\(column.isEmpty ? "" : ", \(column)"): \(reason)"
  }
}

/// Writes rows to a store, some thousand at a time, and finds those that it refuses.
final class ImportWriter {
  private struct Pending {
    let row: MadeRow
    let record: ImportRecord
  }

  private let bulk: any BulkTransaction
  private let maker: RowMaker
  private let model: ManagedObjectModel
  private let reject: (Rejection) throws -> Void
  private var pending: [Pending] = []
  /// The key values of the rows that are not written yet: another row may update their objects.
  private var pendingKeys: Set<[Value]> = []
  /// Records that lead to an object that may come later.
  private var postponed: [ImportRecord] = []
  private var isLastRound = false
  private let ends: OneToOneEnds
  private(set) var result = ImportResult()

  private static let partSize = 4_096
  /// The most records that wait for others.
  private static let mostPostponed = 100_000

  init(
    _ bulk: any BulkTransaction, _ maker: RowMaker, model: ManagedObjectModel,
    reject: @escaping (Rejection) throws -> Void
  ) {
    (self.bulk, self.maker, self.model, self.reject) = (bulk, maker, model, reject)
    ends = OneToOneEnds(of: maker, in: model)
  }

  /// Adds a record.
  ///
  /// - Returns: Whether rows were written.
  func add(_ record: ImportRecord) throws -> Bool {
    do {
      let row = try maker.row(of: record)
      if !row.keyValues.isEmpty, !row.keyValues.contains(.null),
        !pendingKeys.insert(row.keyValues).inserted
      {
        try flush()
        // It is there now.
        let row = try maker.row(of: record)
        pendingKeys.insert(row.keyValues)
        pending.append(Pending(row: row, record: record))
        return true
      }
      pending.append(Pending(row: row, record: record))
    } catch let problem as RecordProblem {
      if problem.mayBeLater, postpone(record) { return false }
      try refuse(record, problem.column, problem.reason)
    }
    guard pending.count >= Self.partSize else { return false }
    try flush()
    return true
  }

  private func postpone(_ record: ImportRecord) -> Bool {
    guard !isLastRound, postponed.count < Self.mostPostponed else { return false }
    postponed.append(record)
    return true
  }

  private func refuse(_ record: ImportRecord, _ column: String, _ reason: String) throws {
    result.rejected += 1
    try reject(Rejection(line: record.line, column: column, reason: reason, record: record))
  }

  /// Writes the rest, and the records that had to wait for others, as long as that helps.
  func finish() throws {
    try flush()
    while !postponed.isEmpty {
      let waiting = postponed
      postponed = []
      for record in waiting { _ = try add(record) }
      try flush()
      if postponed.count == waiting.count { break }
    }
    isLastRound = true
    let rest = postponed
    postponed = []
    for record in rest { _ = try add(record) }
    try flush()
  }

  private func flush() throws {
    let rows = pending
    pending.removeAll(keepingCapacity: true)
    pendingKeys.removeAll(keepingCapacity: true)
    if !rows.isEmpty { try write(rows[...]) }
  }

  /// Writes rows together; if the store refuses, halves of them, until those are found that it
  /// refuses by themselves.
  private func write(_ rows: ArraySlice<Pending>) throws {
    do throws(StoreError) {
      try save(rows)
    } catch {
      guard Self.isOfRow(error), !bulk.isOver else { throw error }
      guard rows.count == 1, let row = rows.first else {
        let middle = rows.startIndex + rows.count / 2
        try write(rows[..<middle])
        return try write(rows[middle...])
      }
      // It refers to an object that is not there.
      if error.objectIDs.count > 1, postpone(row.record) { return }
      try refuse(row.record, column(of: error), Self.words(error))
    }
  }

  private static func isOfRow(_ error: StoreError) -> Bool {
    switch error.reason {
    case .constraint, .keyTaken, .conflict, .unsupported: true
    default: false
    }
  }

  private static func words(_ error: StoreError) -> String {
    switch error.reason {
    case .keyTaken: "another object has its key"
    case .conflict: error.difference?.description ?? error.detail
    default: error.detail
    }
  }

  /// The column that an error of SQLite names: `UNIQUE constraint failed: people.email`.
  private func column(of error: StoreError) -> String {
    let words = error.detail.split { " ,".contains($0) }
    for column in maker.mapping.columns {
      guard let property = column.propertyName else { continue }
      if words.contains(where: { $0 == property || $0.hasSuffix("." + property) }) {
        return column.name
      }
    }
    return ""
  }

  private func save(_ rows: ArraySlice<Pending>) throws(StoreError) {
    var request = SaveRequest()
    (request.returnsRows, request.returnsDeletedRows) = (false, false)
    request.checksDestinations = !maker.keepsKeys
    var others: [ObjectID: RowChange] = [:]
    let stored = try updated(rows)
    var counts = ImportResult()
    for pending in rows {
      let row = pending.row
      if let id = row.existing {
        var change = RowChange(id: id, toOne: row.change.toOne)
        if let old = stored[id] {
          change.values = changed(row, from: old)
          change.toOne = change.toOne.filter { name, destination in
            guard let index = model.entity(named: id.entityName)?.toOneIndex(name),
              old.toOne.indices.contains(index)
            else { return true }
            return old.toOne[index] != destination
          }
        }
        if change.values.keys.isEmpty, change.toOne.isEmpty, row.toMany.isEmpty {
          counts.unchanged += 1
        } else {
          counts.updated += 1
          if !change.values.keys.isEmpty || !change.toOne.isEmpty {
            request.updated.append(change)
          }
        }
      } else {
        counts.inserted += 1
        request.inserted.append(row.change)
      }
      let source = row.existing ?? row.change.id
      for (relationship, ids) in row.toMany {
        let inverse = relationship.inverseName.flatMap { name in
          model.entity(named: relationship.destinationEntityName)?.relationship(named: name)
        }
        for id in ids {
          request.linked.append(ObjectLink(relationship.name, from: source, to: id))
          // The other object's to-one is the relationship.
          guard let inverse, !inverse.isToMany else { continue }
          others[id, default: RowChange(id: id)].toOne[inverse.name] = source
        }
      }
    }
    try ends.complete(&request, stored, bulk, &others)
    request.update(others)
    if request.count > 0 || !request.linked.isEmpty {
      // All updated objects but those that only links change were read above.
      let known = others.isEmpty ? request.updated.map { stored[$0.id] } : nil
      let saved = try bulk.save(request, updatedRows: known)
      if maker.updates || maker.leadsToItself {
        for pending in rows where pending.row.existing == nil {
          let id = pending.row.change.id
          if let id = id.isTemporary ? saved.permanentIDs[id] : id {
            try maker.noteInserted(pending.row, as: id)
          }
        }
      }
    }
    result.inserted += counts.inserted
    result.updated += counts.updated
    result.unchanged += counts.unchanged
  }

  /// The rows of the objects that are updated.
  private func updated(_ rows: ArraySlice<Pending>) throws(StoreError) -> [ObjectID: RowSnapshot] {
    let ids = rows.compactMap(\.row.existing)
    return ids.isEmpty ? [:] : Dictionary(rows: try bulk.rows(of: ids))
  }

  /// The values of the file that differ from those of the store.
  private func changed(_ row: MadeRow, from old: RowSnapshot) -> ChangedValues {
    guard let (values, unset) = row.change.values.row,
      let entity = model.entity(named: old.id.entityName)
    else { return row.change.values }
    var changed: [String: Value] = [:]
    for index in maker.mappedAttributes where !unset.contains(index) {
      let attribute = maker.mapping.entity.attributes[index]
      guard let place = entity.attributeIndex(attribute.name) else { continue }
      let (value, before) = (values[index], old.values[place])
      if value == before { continue }
      let decoded = attribute.decode(value)
      if decoded == attribute.decode(before) { continue }
      changed[attribute.name] = (try? attribute.encode(decoded, like: before)) ?? value
    }
    return ChangedValues(changed)
  }
}
