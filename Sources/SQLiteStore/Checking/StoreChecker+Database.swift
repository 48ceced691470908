import ObjectModel
import SQLQueries

extension StoreChecker {
  /// The database size in bytes above which the quick check is run.
  private static let wholeCheckLimit: Int64 = 4 << 30
  /// The maximum number of reported damages.
  private static let damageLimit = 20

  /// Runs SQLite's integrity check.
  ///
  /// - Returns: Whether there is no damage, so that tables can be read.
  mutating func checkDatabase() throws(StoreError) -> Bool {
    let size = try value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    let isWhole = if case .integer(let bytes) = size { bytes <= Self.wholeCheckLimit } else { true }
    let pragma: SQL = isWhole ? "integrity_check" : "quick_check"
    var messages: [String] = []
    do {
      let statement = try prepare("PRAGMA \(pragma)(\(number: Self.damageLimit))")
      while try statement.step() {
        if let text = statement.value(0).text, text != "ok" { messages.append(text) }
      }
    } catch  where error.reason == .corrupt {
      messages.append(error.detail)
    }
    for text in messages {
      report(
        .error, .integrity, "SQLite finds damage: \(text)",
        remedy: "restore a backup, or save what can be read with: sqlite3 FILE .recover")
    }
    if !isWhole {
      report(
        .note, .partialCheck, "the file is very large: SQLite did not compare indexes with tables",
        remedy: "sqlite3 FILE 'PRAGMA integrity_check'")
    }
    return messages.isEmpty
  }

  /// Finds rows that violate declared foreign keys.
  mutating func checkForeignKeys() throws(StoreError) {
    var found: [[String]: Offenders] = [:]
    var tables: [String] = []
    let list = try prepare(
      """
      SELECT DISTINCT m.name FROM sqlite_schema m, pragma_foreign_key_list(m.name) \
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY m.name
      """)
    while try list.step() { tables.append(list.value(0).text ?? "") }
    for table in tables {
      do throws(StoreError) {
        let statement = try prepare("SELECT * FROM pragma_foreign_key_check(\(.string(table)))")
        while try statement.step() {
          let names = [statement.value(0).text ?? "", statement.value(2).text ?? ""]
          found[names, default: Offenders()].add(statement.value(1).description)
        }
      } catch {
        // A key that refers to no unique columns stops the check of its table alone.
        guard error.detail.contains("foreign key mismatch") else { throw error }
        report(
          .error, .foreignKey, table: table,
          "a foreign key of \(table) cannot work: \(error.detail)",
          remedy: "make the columns that it refers to a primary key or UNIQUE")
      }
    }
    for (names, offenders) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      report(
        .error, .foreignKey, table: names[0], offenders,
        "refer to rows of \(names[1]) that do not exist",
        remedy: "insert the missing rows, or set the foreign key to NULL")
    }
  }
}
