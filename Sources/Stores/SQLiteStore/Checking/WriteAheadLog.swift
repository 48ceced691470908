import CSQLite
import Foundation
import ObjectModel

/// Which frames of a write-ahead log are valid (SQLite's fileformat2.html, 4.2 and 4.3).
///
/// SQLite reads the frames up to the first one whose checksum is wrong, as far as the last commit
/// among them; what follows is as if it had never been written.
struct WriteAheadLog: Hashable {
  /// The size of the header of the log and of a frame.
  private static let (headerSize, frameHeaderSize) = (32, 24)

  /// Whether the header is invalid, so that no frame is read.
  private(set) var hasWrongHeader = false
  /// The first frame whose checksum is wrong, counted from 1; nil if all are valid.
  private(set) var firstInvalid: Int?
  /// The number of frames from that one on which belong to this log, and not to one that it has
  /// overwritten.
  private(set) var lostCount = 0
  /// How many of them end a transaction.
  private(set) var lostCommits = 0

  /// Reads the log of a database; nil if there is none, or it cannot be read.
  init?(ofDatabase path: String) {
    let log = open((path + "-wal").fileSystemBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard log >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: log, closeOnDealloc: true)
    guard let header = Self.read(Self.headerSize, from: file) else { return nil }
    let words = Self.words(header[...], isBigEndian: true)
    let isBigEndian = words[0] & 1 == 1
    let pageSize = Int(words[2])
    var sum = Checksum()
    sum.add(Self.words(header[..<24], isBigEndian: isBigEndian))
    guard words[0] & ~1 == 0x377F_0682, sum.matches(words[6], words[7]), pageSize >= 512,
      pageSize <= 65_536
    else {
      hasWrongHeader = true
      return
    }
    var number = 0
    while let frame = Self.read(Self.frameHeaderSize + pageSize, from: file) {
      number += 1
      let fields = Self.words(frame[..<24], isBigEndian: true)
      let isOfThisLog = fields[2] == words[4] && fields[3] == words[5]
      if firstInvalid == nil {
        sum.add(Self.words(frame[..<8], isBigEndian: isBigEndian))
        sum.add(Self.words(frame[24...], isBigEndian: isBigEndian))
        if isOfThisLog, sum.matches(fields[4], fields[5]) { continue }
        firstInvalid = number
      }
      guard isOfThisLog else { continue }
      lostCount += 1
      if fields[1] != 0 { lostCommits += 1 }
    }
    if lostCount == 0 { firstInvalid = nil }
  }

  /// Reads a whole part; nil at the end of the file.
  private static func read(_ count: Int, from file: FileHandle) -> [UInt8]? {
    guard let data = try? file.read(upToCount: count), data.count == count else { return nil }
    return Array(data)
  }

  private static func words(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt32] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { index in
        let word = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
      }
    }
  }

  /// The checksum over the header and all frames so far.
  private struct Checksum {
    var (first, second): (UInt32, UInt32) = (0, 0)

    mutating func add(_ words: [UInt32]) {
      for index in stride(from: 0, to: words.count - 1, by: 2) {
        first &+= words[index] &+ second
        second &+= words[index + 1] &+ first
      }
    }

    func matches(_ first: UInt32, _ second: UInt32) -> Bool {
      self.first == first && self.second == second
    }
  }
}

extension StoreChecker {
  /// Finds frames of the write-ahead log that SQLite leaves out because they are invalid.
  mutating func checkLog() {
    // Another program may be writing a frame while it is read.
    guard let log = WriteAheadLog(ofDatabase: path), log == WriteAheadLog(ofDatabase: path) else {
      return
    }
    let remedy = "a copy of the file and its log from a backup has what was in it"
    if log.hasWrongHeader {
      report(
        .error, .logFrame, "the header of the write-ahead log is invalid: SQLite ignores the log",
        remedy: remedy)
    } else if let frame = log.firstInvalid {
      let rest = log.lostCount - 1
      let after = rest == 0 ? "" : " and the \(Value.grouped(rest)) after it"
      let commits = log.lostCommits == 1 ? "1 commit" : "\(Value.grouped(log.lostCommits)) commits"
      report(
        log.lostCommits > 0 ? .error : .warning, .logFrame, count: log.lostCount,
        "frame \(Value.grouped(frame)) of the write-ahead log is invalid: SQLite ignores it\(after), "
          + (log.lostCommits > 0 ? "with \(commits)" : "which no commit ends"),
        remedy: log.lostCommits > 0 ? remedy : "")
    }
  }
}
