import Foundation
import ObjectModel

/// The state of a database, its log and its journal, by which a copy of them is known to be whole.
struct CopiedState: Hashable {
  /// The database, its write-ahead log and its rollback journal; SQLite recreates the `-shm` file.
  static let suffixes = ["", "-wal", "-journal"]

  /// The size of the header of a log (walformat.html 2.1), whose salts change when the log begins
  /// anew.
  private static let logHeaderSize = 32
  /// How long ago, in seconds, a file was written if any later write has another time.
  private static let settled = 0.02

  private let files: [FileState?]
  private let logHeader: [UInt8]
  private let read: Date

  /// Looks at the files now.
  init(of path: String) {
    files = Self.suffixes.map { FileState(path: path + $0) }
    logHeader = files[1] == nil ? [] : Self.beginning(of: path + "-wal", Self.logHeaderSize)
    read = Date()
  }

  /// Looks at the files once their times tell whether they are written from now on, if they have not
  /// just been written.
  init(settling path: String) {
    let first = Self(of: path)
    let last = first.files.compactMap { $0?.modified }.max() ?? .distantPast
    let age = first.read.timeIntervalSince(last)
    guard (0..<Self.settled).contains(age) else {
      self = first
      return
    }
    Thread.sleep(forTimeInterval: Self.settled)
    self.init(of: path)
  }

  /// When they were looked at.
  var date: Date { read }

  /// The bytes of all files.
  var byteCount: Int { files.reduce(0) { $0 + ($1?.byteCount ?? 0) } }

  /// Whether there was a file.
  func hasFile(_ suffix: String) -> Bool {
    Self.suffixes.firstIndex(of: suffix).map { files[$0] != nil } ?? false
  }

  /// Whether a copy that was made between this state and another is one state of the database.
  func isWhole(in copy: String, after: CopiedState) -> Bool {
    if after == self { return true }
    let header = DatabaseHeader(Self.beginning(of: copy, DatabaseHeader.byteCount))
    // Commits were added to the log.
    return header?.usesWAL == true && files[2] == nil && after.files[2] == nil
      && files[0]?.identity == after.files[0]?.identity && logHeader.count == Self.logHeaderSize
      && logHeader == after.logHeader
  }

  private static func beginning(of path: String, _ count: Int) -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    return (try? file.read(upToCount: count)).flatMap { $0 }.map(Array.init) ?? []
  }

  static func == (left: CopiedState, right: CopiedState) -> Bool {
    left.files == right.files && left.logHeader == right.logHeader
  }

  func hash(into hasher: inout Hasher) { hasher.combine(files) }
}
