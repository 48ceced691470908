import ObjectModel
import SQLQueries

/// The statements of one save that update rows of an entity, each prepared once: most rows of a
/// save have new values in the same columns.
final class RowUpdates {
  private let scope: QueryScope
  private var updates: [Update] = []
  /// The number of statements that stay prepared.
  private static let limit = 16

  /// A statement, and what it binds: columns, then the key.
  private final class Update {
    let statement: Statement
    let sql: SQL
    let columns: [String]
    /// What it assigns beside the columns.
    let own: [SQL]

    init(_ statement: consuming Statement, _ sql: SQL, _ columns: [String], own: [SQL]) {
      self.statement = statement
      (self.sql, self.columns, self.own) = (sql, columns, own)
    }
  }

  init(_ scope: QueryScope) { self.scope = scope }

  /// Updates a row.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - columns: The columns and their new values.
  ///   - own: Assignments of constants that are made too.
  ///   - statements: The statements of the save.
  /// - Throws: ``StoreError``.
  func update(
    _ id: ObjectID, set columns: [ColumnValue], _ own: [SQL], with statements: SaveStatements
  ) throws(StoreError) {
    let update = try update(columns, own, statements)
    let logged = { columns.map(\.value) + id.keyValues }
    try statements.logging(update.sql.binding(logged())) { () throws(StoreError) in
      var place: Int32 = 1
      for (_, value) in columns {
        try update.statement.bind(value, at: place)
        place += 1
      }
      for value in id.keyValues {
        try update.statement.bind(value, at: place)
        place += 1
      }
      defer { update.statement.reset() }
      _ = try update.statement.step()
    }
  }

  private func update(_ columns: [ColumnValue], _ own: [SQL], _ statements: SaveStatements)
    throws(StoreError) -> Update
  {
    if let known = updates.last(where: { update in
      update.own == own && update.columns.elementsEqual(columns) { $0 == $1.name }
    }) {
      return known
    }
    let assignments: [SQL] = columns.map { "\(name: $0.name) = \(Value.null)" } + own
    let keys = scope.table.keyColumnNames
    let identity = SQL.equal(keys.map(SQL.name), keys.map { _ in SQL.value(.null) })
    let sql: SQL = "UPDATE \(name: scope.table.name) SET \(assignments) WHERE \(identity)"
    let new = Update(try statements.prepare(sql), sql, columns.map(\.name), own: own)
    updates = updates.suffix(Self.limit - 1) + [new]
    return new
  }
}
