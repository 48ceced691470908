public import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// Checks the store for damage and inconsistencies, without changing it.
  ///
  /// SQLite's integrity check comes first; if it finds damage, the check ends. Foreign keys and
  /// required values follow, and for a Core Data store relationships, join tables, order keys,
  /// keys, uniqueness constraints, external data and persistent history. Whole tables are read:
  /// this takes seconds for a million rows.
  ///
  /// - Returns: The findings, errors first.
  /// - Throws: `StoreError` if the store cannot be read.
  public func check() throws(StoreError) -> [CheckFinding] {
    let findings = try read(doing: "checking") { connection throws(StoreError) in
      var checker = StoreChecker(layout: layout, path: guardian.path, connection: connection)
      try checker.run()
      return checker.findings
    }
    return CheckFinding.Severity.allCases.flatMap { severity in
      findings.filter { $0.severity == severity }
    }
  }
}
