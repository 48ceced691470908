import ObjectModel

/// A fetch that runs: on which connections, and who watches.
struct FetchRun {
  let connection: Connection
  /// Where a second reader can be had; nil for none.
  var pool: ConnectionPool?
  var control: FetchControl?
  var progress: StatementWatch?
  /// The estimated number of rows; 0 if it is not known.
  var total = 0
  /// How many threads share the pages of a table; nil for as many as are worth their start.
  var threads: Int?

  /// Runs two closures at the same time, each on a connection that sees the same state.
  ///
  /// - Returns: Both results; nil if there is no second reader (see
  ///   ``ConnectionPool/together(_:_:first:second:unless:)``).
  /// - Throws: The error of the first closure.
  func together<First, Second>(
    first: (Connection) throws(StoreError) -> First,
    second: @escaping (Connection) throws(StoreError) -> Second,
    unless isEnough: () -> Bool = { false }
  ) throws(StoreError) -> (First, Second?)? {
    try pool?.together(
      connection, control, first: { () throws(StoreError) in try first(connection) },
      second: { [control, own = connection.handle] connection throws(StoreError) in
        if connection.handle == own { return try second(connection) }
        // It asks the control too; its rows are not counted.
        let watch = StatementWatch(control, on: connection)
        defer { watch?.end() }
        return try second(connection)
      }, unless: isEnough)
  }
}
