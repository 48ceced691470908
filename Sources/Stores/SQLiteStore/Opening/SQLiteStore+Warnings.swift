import ObjectModel

extension SQLiteStore {
  /// Returns a warning for each other process that has the store open.
  ///
  /// Show them before the first save: an app that has the store open keeps old values in memory
  /// until it refetches them.
  ///
  /// - Returns: One sentence per process; empty if there are none. Processes of other users are
  ///   detected only by their locks.
  /// - Complexity: Reads the open file descriptors of all the user's processes: some milliseconds.
  public func warningsBeforeWriting() -> [String] {
    let users = OtherUsers(of: guardian.path)
    var warnings = users.names.map { "The store is open in \($0)." }
    if users.hasUnknown { warnings.append("The store is open in another program.") }
    return warnings
  }
}
