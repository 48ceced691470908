/// Columns to summarize, over the objects of a fetch.
package struct SummaryPlan: Sendable {
  /// A column: an attribute of the object, or of one that to-one relationships lead to.
  package struct Column: Sendable, Hashable {
    /// The names of the relationships and of the attribute.
    package let path: [String]
    package let attribute: AttributeDescription

    /// Finds a column; nil if a name is unknown, or a relationship leads to many objects.
    ///
    /// - Parameters:
    ///   - path: The names of the relationships and of the attribute.
    ///   - entity: Where it begins.
    ///   - model: The model.
    package init?(_ path: [String], of entity: EntityDescription, in model: ManagedObjectModel) {
      guard let name = path.last else { return nil }
      var entity = entity
      for step in path.dropLast() {
        guard let relationship = entity.relationship(named: step), !relationship.isToMany,
          let next = model.entity(named: relationship.destinationEntityName)
        else { return nil }
        entity = next
      }
      guard let attribute = entity.attribute(named: name) else { return nil }
      self.path = path
      self.attribute = attribute
    }

    /// What is counted of a stored value: of bytes only how many there are.
    package var counted: Counted {
      attribute.encoding == .externalData ? .presence : attribute.kind == .bytes ? .size : .value
    }
  }

  /// What is counted of a value.
  package enum Counted: Sendable {
    case value, size
    /// Only whether there is a value: it is in a file of its own.
    case presence
  }

  /// Which objects; its order has no effect.
  package var fetch: FetchPlan
  package var columns: [Column]

  package init(_ fetch: FetchPlan, columns: [Column]) {
    self.fetch = fetch
    self.fetch.sortDescriptors =
      fetch.limit == nil && fetch.offset == 0 ? [] : fetch.sortDescriptors
    self.fetch.sectionKey = nil
    self.columns = columns
  }
}

/// A store that summarizes columns itself.
package protocol ColumnSummarizing: PersistentStore {
  /// Summarizes columns.
  ///
  /// - Parameters:
  ///   - plan: Which columns, of which objects.
  ///   - control: Gets the progress, and stops it.
  /// - Returns: A summary for each column; nil if the store cannot.
  /// - Throws: `StoreError`.
  func summaries(_ plan: SummaryPlan, control: FetchControl?) throws(StoreError)
    -> [ColumnSummary]?
}

extension PersistentStore {
  /// Summarizes columns of the objects that are in the store; unsaved changes are not among them.
  ///
  /// - Parameters:
  ///   - plan: Which columns, of which objects.
  ///   - control: Gets the progress, and stops it.
  /// - Returns: A summary for each column.
  /// - Throws: `StoreError`.
  /// - Complexity: One pass over the rows, in bounded memory.
  package func summarize(_ plan: SummaryPlan, control: FetchControl? = nil) throws
    -> [ColumnSummary]
  {
    let store = self as? any ColumnSummarizing
    if let summaries = try store?.summaries(plan, control: control) { return summaries }
    let tallies = try inReadTransaction { try talliesOfRows(plan, control: control) }
    return zip(tallies, plan.columns).map { ColumnSummary($0, of: $1.attribute) }
  }

  /// Counts the values of columns from the rows of objects.
  ///
  /// - Parameters:
  ///   - plan: Which columns, of which objects.
  ///   - control: Gets the progress, and stops it.
  /// - Returns: A tally for each column.
  /// - Throws: `StoreError`.
  package func talliesOfRows(_ plan: SummaryPlan, control: FetchControl? = nil) throws(StoreError)
    -> [ColumnTally]
  {
    let ids = try fetch(plan.fetch, control: control).ids
    var tallies = plan.columns.map { _ in ColumnTally() }
    for chunk in ids.chunks(of: 1_000) {
      if control?.isCancelled == true { throw StoreError(.cancelled, doing: "summarizing") }
      let batch = Array(chunk)
      var reader = PathReader(self)
      for (index, column) in plan.columns.enumerated() {
        for value in try reader.values(of: column, from: batch) {
          value.withStoredField { tallies[index].add($0) }
        }
      }
      control?.report(completed: chunk.endIndex, total: ids.count)
    }
    return tallies
  }
}

/// Reads attributes at the end of to-one relationships from the rows of a store.
private struct PathReader {
  private let store: any PersistentStore
  private var rows: [ObjectID: RowSnapshot] = [:]

  init(_ store: any PersistentStore) { self.store = store }

  /// The stored value of a column of some objects, null where nothing is led to; of bytes their
  /// number.
  mutating func values(of column: SummaryPlan.Column, from ids: [ObjectID]) throws(StoreError)
    -> [Value]
  {
    var current: [ObjectID?] = ids
    for name in column.path.dropLast() {
      try read(current)
      current = current.map { id in
        id.flatMap { rows[$0] }.flatMap { row in
          store.model.entity(named: row.id.entityName)?
            .toOneRelationships.firstIndex { $0.name == name }
            .flatMap(row.destination)
        }
      }
    }
    try read(current)
    var values: [Value] = []
    for id in current { values.append(try value(of: column, for: id)) }
    return values
  }

  private mutating func read(_ ids: [ObjectID?]) throws(StoreError) {
    let missing = Set(ids.compactMap(\.self)).filter { rows[$0] == nil }
    if missing.isEmpty { return }
    for (id, row) in try store.snapshots(of: Array(missing)) { rows[id] = row }
  }

  private func value(of column: SummaryPlan.Column, for id: ObjectID?) throws(StoreError) -> Value {
    guard let id, let row = rows[id],
      let index = store.model.entity(named: row.id.entityName)?
        .attributeIndex(column.attribute.name)
    else { return .null }
    if row.isNull(at: index) { return .null }
    switch column.counted {
    case .presence: return .integer(1)
    case .size:
      if let length = row.cutLengths[index] { return .integer(Int64(length)) }
      return row.value(at: index).withStoredField { field in
        switch field {
        case .bytes(let bytes), .text(let bytes): .integer(Int64(bytes.count))
        default: field.value
        }
      } ?? .null
    case .value:
      return row.cutLengths[index] == nil
        ? row.value(at: index) : try store.value(of: column.attribute.name, for: id)
    }
  }
}
