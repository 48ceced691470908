import ObjectModel

extension StoreChecker {
  /// The size in bytes above which indexes are not compared with their tables.
  private static let wholeCheckLimit: Int64 = 4 << 30
  /// How much damage is named at most.
  private static let damageLimit = 20

  /// Lets SQLite look for damage.
  ///
  /// - Returns: Whether there is none, so that tables can be trusted.
  mutating func checkDatabase() throws(StoreError) -> Bool {
    let size = try value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    let isWhole = if case .integer(let bytes) = size { bytes <= Self.wholeCheckLimit } else { true }
    let pragma: SQL = isWhole ? "integrity_check" : "quick_check"
    var words: [String] = []
    do {
      let statement = try prepare("PRAGMA \(pragma)(\(number: Self.damageLimit))")
      while try statement.step() {
        if let text = statement.value(0).text, text != "ok" { words.append(text) }
      }
    } catch  where error.reason == .corrupt {
      words.append(error.detail)
    }
    for text in words {
      report(
        .error, .integrity, "SQLite finds damage: \(text)",
        remedy: "restore a backup, or save what can be read with: sqlite3 FILE .recover")
    }
    if !isWhole {
      report(
        .note, .partialCheck, "the file is very large: SQLite did not compare indexes with tables",
        remedy: "sqlite3 FILE 'PRAGMA integrity_check'")
    }
    return words.isEmpty
  }

  /// Looks for rows that break the foreign keys which the database declares.
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
        "refer to rows of \(names[1]) that are not there",
        remedy: "put the missing rows back, or set the reference to NULL")
    }
  }
}
