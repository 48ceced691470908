/// A write-ahead log that stays beside a database, because another program has been reading since
/// before it was written.
struct LongLog: ~Copyable {
  private let reader: RawDatabase

  /// Changes rows all over the table until the log has a number of frames.
  init(path: String, rows: Int, frames: Int) throws {
    let writer = try RawDatabase(path: path)
    try writer.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
    let reader = try RawDatabase(path: path)
    try reader.execute("BEGIN; SELECT 1 FROM sqlite_schema")
    let step = max(rows / frames, 1)
    var (old, new) = (".org", ".net")
    while try Self.count(writer) < frames {
      try writer.execute(
        "UPDATE people SET email = replace(email, '\(old)', '\(new)') WHERE id % \(step) = 0")
      swap(&old, &new)
    }
    self.reader = reader
  }

  /// Lets others write the log to the database.
  consuming func end() throws { try reader.execute("COMMIT") }

  /// The number of frames in the log, none of which can be written to the database.
  private static func count(_ database: borrowing RawDatabase) throws -> Int64 {
    let statement = try database.prepare("PRAGMA wal_checkpoint")
    return try statement.step() ? statement.integer(at: 1) : 0
  }
}
