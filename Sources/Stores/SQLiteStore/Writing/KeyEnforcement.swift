import GRDBSQLite
import ObjectModel
import SQLQueries

/// Enforces the foreign keys of a database in one save, where SQLite cannot: it refuses every
/// statement that would have to check a key whose parent is gone or not unique, and enforces all
/// keys of a connection or none.
///
/// So it enforces none, and what it would do, temporary triggers do: they run the actions of the keys
/// that can be enforced, and note the values of these in rows that are inserted, changed or deleted.
/// At the end the values are looked up, as SQLite does at a COMMIT. The triggers end with the
/// transaction and never reach the file.
struct KeyEnforcement {
  private let statements: SaveStatements
  fileprivate let keys: [Key]

  /// A foreign key that can be enforced.
  fileprivate struct Key {
    let child: String
    let columns: [String]
    let parent: String
    let referenced: [Catalog.Column]
    let onDelete: String
    let onUpdate: String
    /// The expressions of the columns' defaults.
    let defaults: [String]
    /// The temporary table of the values that are to be looked up, and the prefix of the triggers.
    let note: String

    init?(_ key: Catalog.ForeignKey, of child: Catalog.Table, number: Int, in catalog: Catalog) {
      guard catalog.obstacle(to: key) == nil, let parent = catalog.table(named: key.parent),
        let referenced = catalog.referencedColumns(of: key, in: parent)
      else { return nil }
      self.child = child.name
      columns = key.columns
      self.parent = parent.name
      self.referenced = referenced
      (onDelete, onUpdate) = (key.onDelete.uppercased(), key.onUpdate.uppercased())
      defaults = key.columns.map { child.column(named: $0)?.defaultText ?? "NULL" }
      note = "cardfile_key_\(number)"
    }
  }

  /// Prepares a save; nil if SQLite itself can enforce the keys of all tables that it touches.
  ///
  /// - Parameters:
  ///   - request: The save.
  ///   - triggers: The triggers that it runs.
  ///   - layout: The tables.
  ///   - statements: The statements of the save, not yet in a transaction.
  /// - Throws: ``StoreError``.
  init?(
    _ request: SaveRequest, _ triggers: [StoreTrigger], _ layout: StoreLayout,
    _ statements: SaveStatements
  ) throws(StoreError) {
    guard !layout.unenforcedTables.isEmpty else { return nil }
    let catalog: Catalog
    do { catalog = try Catalog(reading: statements.connection.database) } catch {
      throw StoreError(error, doing: request.phrase, subject: "")
    }
    let all = catalog.tables.flatMap { table in table.foreignKeys.map { (table, $0) } }
    let touched = Self.tables(of: request, triggers, layout, all.map { ($0.0.name, $0.1) })
    guard !touched.isDisjoint(with: layout.unenforcedTables) else { return nil }
    self.statements = statements
    keys = all.enumerated().compactMap { number, pair in
      touched.contains(pair.0.name.nameKey) || touched.contains(pair.1.parent.nameKey)
        ? Key(pair.1, of: pair.0, number: number, in: catalog) : nil
    }
  }

  /// The tables that a save may write, by itself, by triggers or by the actions of foreign keys, in
  /// small letters.
  private static func tables(
    of request: SaveRequest, _ triggers: [StoreTrigger], _ layout: StoreLayout,
    _ keys: [(child: String, key: Catalog.ForeignKey)]
  ) -> Set<String> {
    var tables = Set(triggers.flatMap(\.tables).map(\.nameKey))
    for name in request.entityNames {
      if let table = layout.tables[name] { tables.insert(table.name.nameKey) }
    }
    for link in request.linked + request.unlinked {
      if case .join(let join)? =
        layout.tables[link.source.entityName]?.toMany[link.relationshipName]
      {
        tables.insert(join.name.nameKey)
      }
    }
    var count = 0
    while count != tables.count {
      count = tables.count
      for (child, key) in keys where tables.contains(key.parent.nameKey) {
        tables.insert(child.nameKey)
      }
    }
    return tables
  }

  // MARK: Triggers

  /// Makes the temporary triggers, in the transaction of the save.
  func begin() throws(StoreError) {
    for key in keys {
      for sql in key.definitions { try statements.run(sql) }
    }
  }

  /// Looks up the values that were noted, and removes the triggers.
  ///
  /// - Throws: ``StoreError`` with the reason `constraint` if a row refers to a row that is not
  ///   there, or was not there any more.
  func finish(doing: String) throws(StoreError) {
    for key in keys {
      guard let row = try statements.row(key.violation) else {
        continue
      }
      let values = row.map(\.description).joined(separator: ", ")
      throw StoreError(
        .constraint, doing: doing, subject: key.child,
        detail: "a row of \(key.child) refers to \(values) in \(key.parent), which is not there",
        remedy: "set the reference to nothing or to an object that exists")
    }
    for key in keys {
      for sql in key.removals { try statements.run(sql) }
    }
  }
}

extension KeyEnforcement.Key {
  /// The statements that make the table of values and the triggers.
  fileprivate var definitions: [SQL] {
    let parentColumns = referenced.map(\.name)
    let columnsOfNote: [SQL] = referenced.enumerated().map { index, column in
      // A quoted type has the affinity of its text.
      let type: SQL = column.declaredType.isEmpty ? "" : "\(name: column.declaredType)"
      return "\(name: "k\(index)") \(type) COLLATE \(name: column.collation)"
    }
    let isSet = columns.map { "NEW.\(name: $0) IS NOT NULL" as SQL }.joined(" AND ")
    let movesChild = columns.map { "NEW.\(name: $0) IS NOT OLD.\(name: $0)" as SQL }
      .joined(" OR ")
    let movesParent = parentColumns.map { "NEW.\(name: $0) IS NOT OLD.\(name: $0)" as SQL }
      .joined(" OR ")
    let note: SQL = "INSERT INTO \(name: note) VALUES"
    let new: SQL = "\(note) (\(columns.map { "NEW.\(name: $0)" as SQL }));"
    let old: SQL = "\(note) (\(parentColumns.map { "OLD.\(name: $0)" as SQL }));"
    let updated = parentColumns.map { "NEW.\(name: $0)" as SQL }
    return [
      "CREATE TEMP TABLE \(name: self.note) (\(columnsOfNote))",
      """
      CREATE TEMP TRIGGER \(name: self.note + "_i") AFTER INSERT ON main.\(name: child) \
      WHEN \(isSet) BEGIN \(new) END
      """,
      """
      CREATE TEMP TRIGGER \(name: self.note + "_u") AFTER UPDATE OF \(names: columns) \
      ON main.\(name: child) WHEN \(isSet) AND (\(movesChild)) BEGIN \(new) END
      """,
      """
      CREATE TEMP TRIGGER \(name: self.note + "_d") AFTER DELETE ON main.\(name: parent) \
      BEGIN \(old) \(action(onDelete, cascade: "DELETE FROM \(name: child)")) END
      """,
      """
      CREATE TEMP TRIGGER \(name: self.note + "_m") AFTER UPDATE ON main.\(name: parent) \
      WHEN \(movesParent) BEGIN \(old) \
      \(action(onUpdate, cascade: "UPDATE \(name: child) SET \(assignments(updated))")) END
      """,
    ]
  }

  /// The statement of an action on the rows that refer to the old row; empty for none.
  private func action(_ action: String, cascade: SQL) -> SQL {
    let matches = zip(referenced, columns).map { parent, child in
      "OLD.\(name: parent.name) = \(name: child)" as SQL
    }
    let condition = matches.joined(" AND ")
    switch action {
    case "CASCADE": return "\(cascade) WHERE \(condition);"
    case "SET NULL":
      let nulls = assignments(columns.map { _ in "NULL" })
      return "UPDATE \(name: child) SET \(nulls) WHERE \(condition);"
    case "SET DEFAULT":
      let defaults = assignments(defaults.map { "(\(SQL(schema: $0)))" })
      return "UPDATE \(name: child) SET \(defaults) WHERE \(condition);"
    default: return ""
    }
  }

  private func assignments(_ values: [SQL]) -> [SQL] {
    zip(columns, values).map { "\(name: $0) = \($1)" }
  }

  /// The query that finds values that a row refers to and no parent has.
  fileprivate var violation: SQL {
    let values = columns.indices.map { SQL.name("k\($0)") }
    let refers = zip(values, columns).map { "n.\($0) = c.\(name: $1)" as SQL }
    let isThere = zip(values, referenced).map { "p.\(name: $1.name) = n.\($0)" as SQL }
    return """
      SELECT \(values.map { "n.\($0)" as SQL }) FROM temp.\(name: note) n \
      WHERE NOT EXISTS (SELECT 1 FROM main.\(name: parent) p WHERE \(isThere.joined(" AND "))) \
      AND EXISTS (SELECT 1 FROM main.\(name: child) c WHERE \(refers.joined(" AND "))) LIMIT 1
      """
  }

  /// The statements that remove what ``definitions`` makes.
  fileprivate var removals: [SQL] {
    ["_i", "_u", "_d", "_m"].map { "DROP TRIGGER temp.\(name: note + $0)" }
      + ["DROP TABLE temp.\(name: note)"]
  }
}
