public import ObjectModel

extension SQLiteStore {
  /// Looks for what is wrong in the store, without changing anything.
  ///
  /// SQLite's own check comes first; where it finds damage nothing more is looked at. Then come foreign keys and required
  /// values, and for a store in Core Data's layout its relationships, join tables, orders, keys, uniqueness, files and
  /// history. Whole tables are read: it takes seconds for a million rows.
  ///
  /// - Returns: What was found, errors first; empty when all is well.
  /// - Throws: `StoreError`, when the store cannot be read.
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
