import ObjectModel
import SQLQueries

/// Knows which rows are in the store exactly as they were written, so that they need not be read
/// back: a third of the time of a save of 10,000 objects.
///
/// Others may have values of defaults, of triggers, or that the affinity of a column converted.
final class CertainRows {
  private let rows: SaveRows
  /// The entity that was asked for last: the new rows of a save come entity by entity.
  private var last: (entityName: String, attributeNames: [String], affinities: [ColumnAffinity]?)?

  init(_ rows: SaveRows) { self.rows = rows }

  /// Whether a row has the values that a change wrote, and all others are what they were, but for
  /// the key that the store gave it.
  ///
  /// - Throws: ``StoreError``.
  func contain(_ change: RowChange) throws(StoreError) -> Bool {
    guard change.toOne.isEmpty, change.otherColumns.isEmpty,
      let affinities = try affinities(of: change.id.entityName)
    else { return false }
    if let row = change.values.row?.values {
      guard row.count == affinities.count else { return false }
      if let values = row.unpacked {
        return values.indices.allSatisfy { affinities[$0].keeps(values[$0]) }
      }
      return row.allFieldsSatisfy { affinities[$0].keeps($1) }
    }
    let names = last?.attributeNames ?? []
    return change.values.dictionary.allSatisfy { name, value in
      guard let index = names.firstIndex(of: name), index < affinities.count else { return false }
      return affinities[index].keeps(value)
    }
  }

  /// The affinities of the attributes' columns; nil if the table may change what is written.
  private func affinities(of entityName: String) throws(StoreError) -> [ColumnAffinity]? {
    if let last, last.entityName == entityName { return last.affinities }
    let affinities = try survey(entityName)
    last = (entityName, try rows.scope(entityName).entity.attributes.map(\.name), affinities)
    return affinities
  }

  private func survey(_ entityName: String) throws(StoreError) -> [ColumnAffinity]? {
    guard try rows.statements.row(TriggerSurvey.query) == nil,
      try rows.statements.row(Self.keyActions) == nil
    else { return nil }
    let table = try rows.scope(entityName).table
    let columns = try rows.statements.rows(
      "SELECT name, type, dflt_value, hidden FROM pragma_table_xinfo(\(.string(table.name)))")
    var affinities: [String: ColumnAffinity] = [:]
    for column in columns where column[2].isNull && column[3] == .integer(0) {
      affinities[column[0].text ?? ""] = ColumnAffinity(declaredType: column[1].text ?? "")
    }
    let found = table.columns.compactMap { affinities[$0] }
    return found.count == table.columns.count ? found : nil
  }

  /// Finds foreign keys by which a database changes rows that refer to an updated one, and
  /// constraints that delete rows with the same values.
  private static let keyActions: SQL = """
    SELECT 1 FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS k
    WHERE s.type = 'table' AND k.on_update <> 'NO ACTION'
    UNION ALL SELECT 1 FROM sqlite_schema WHERE sql LIKE '%CONFLICT%REPLACE%' LIMIT 1
    """
}
