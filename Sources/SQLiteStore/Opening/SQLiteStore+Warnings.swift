import ObjectModel

extension SQLiteStore {
  /// What a person should know before the first save: that other programs have the store open.
  ///
  /// What a running app holds in memory is older than what is saved here, until it reads again.
  ///
  /// - Returns: Sentences; none when nobody else is seen. Programs of other users are seen only by their locks.
  /// - Complexity: Looks through the open files of all processes of the user: some milliseconds.
  public func warningsBeforeWriting() -> [String] {
    let users = OtherUsers(of: guardian.path)
    var warnings = users.processes.map { process in
      let name = process.name.isEmpty ? "another program" : process.name
      return "The store is open in \(name) (process \(process.number))."
    }
    if users.hasUnknown { warnings.append("The store is open in another program.") }
    return warnings
  }
}
