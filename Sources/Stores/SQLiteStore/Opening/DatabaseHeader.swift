/// The header of a database file (https://sqlite.org/fileformat2.html, section 1.3).
struct DatabaseHeader: Hashable {
  /// The size of the header in bytes.
  static let byteCount = 100

  /// The size of a page in bytes.
  let pageSize: Int
  /// The size of the file in bytes; nil if the header's page count is not valid.
  let expectedByteCount: Int?
  /// Whether the database is in WAL mode.
  let usesWAL: Bool

  /// Parses a header; nil if the bytes are not the beginning of a SQLite database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    func word(at offset: Int) -> UInt32 {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    // SQLite before 3.7.0 did not update the page count. It is valid only if the change counter
    // (offset 24) equals the version-valid-for number (offset 92).
    let pageCount = word(at: 28)
    expectedByteCount =
      pageCount > 0 && word(at: 24) == word(at: 92) ? Int(pageCount) * pageSize : nil
    usesWAL = bytes[18] == 2 || bytes[19] == 2
  }

  /// The header string at the start of every database.
  static let magic = Array("SQLite format 3\0".utf8)
}
