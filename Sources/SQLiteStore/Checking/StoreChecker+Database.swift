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
    let statement = try prepare("PRAGMA foreign_key_check")
    var found: [[String]: Offenders] = [:]
    while try statement.step() {
      let names = [statement.value(0).text ?? "", statement.value(2).text ?? ""]
      found[names, default: Offenders()].add(statement.value(1).description)
    }
    for (names, offenders) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      report(
        .error, .foreignKey, table: names[0], offenders,
        "refer to rows of \(names[1]) that do not exist",
        remedy: "insert the missing rows, or set the foreign key to NULL")
    }
  }
}
