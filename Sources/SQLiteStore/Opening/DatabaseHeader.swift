/// The first 100 bytes of a database file.
struct DatabaseHeader: Hashable {
  /// How many bytes the header has.
  static let byteCount = 100

  /// The size of a page in bytes.
  let pageSize: Int
  /// How many bytes the file should have; nil where the header does not say.
  let expectedByteCount: Int?
  /// Whether the journal is a write-ahead log.
  let usesWAL: Bool

  /// Reads a header; nil when these are not the first bytes of a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    func word(at place: Int) -> UInt32 {
      bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    // Old versions of SQLite left a stale page count: it counts only where it was written with the last change.
    let pageCount = word(at: 28)
    expectedByteCount =
      pageCount > 0 && word(at: 24) == word(at: 92) ? Int(pageCount) * pageSize : nil
    usesWAL = bytes[18] == 2 || bytes[19] == 2
  }

  /// The bytes that every database begins with.
  static let magic = Array("SQLite format 3\0".utf8)
}
