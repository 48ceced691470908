import Foundation

/// The system's notices of changes to a database's files.
///
/// Notices of contents come from the files themselves, so that a busy directory does not wake us; the directory tells of
/// files that come and go.
final class FileEvents {
  /// Becomes readable when there are notices.
  let descriptor: Int32
  private let folder: String
  private let names: Set<String>

  private static let contents = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF)
  private static let entries = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)

  /// Asks for notices; nil where the system cannot give them, as for files of a network.
  ///
  /// - Parameter path: The canonical path of a database.
  init?(path: String) {
    let url = URL(fileURLWithPath: path)
    guard !Self.isRemote(path) else { return nil }
    let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    folder = url.deletingLastPathComponent().path
    names = Set(["", "-wal", "-journal"].map { url.lastPathComponent + $0 })
    guard inotify_add_watch(descriptor, folder, Self.entries) >= 0, addFiles() else { return nil }
  }

  deinit { close(descriptor) }

  /// Takes the notices that have come.
  ///
  /// - Returns: Whether one is about the database.
  func take() -> Bool {
    var isConcerned = false
    var hasNewFiles = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        var place = 0
        while place + Self.eventSize <= count {
          let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
          let end = min(place + Self.eventSize + length, count)
          let name = String(
            decoding: bytes[(place + Self.eventSize)..<end].prefix { $0 != 0 }, as: UTF8.self)
          // A notice without a name is a file's own, or says that too many came.
          if name.isEmpty || names.contains(name) {
            isConcerned = true
            if mask & Self.entries != 0 || mask & UInt32(IN_Q_OVERFLOW) != 0 { hasNewFiles = true }
          }
          place = end
        }
      }
    }
    if hasNewFiles { _ = addFiles() }
    return isConcerned
  }

  /// Watches the files that are there; one watched already stays so.
  ///
  /// - Returns: Whether there was any.
  private func addFiles() -> Bool {
    var isAny = false
    for name in names where inotify_add_watch(descriptor, folder + "/" + name, Self.contents) >= 0 {
      isAny = true
    }
    return isAny
  }

  /// The size of an event without its name: four words of 32 bits.
  private static let eventSize = 16

  /// Whether a path lies in a file system whose changes by other machines the system does not notice.
  private static func isRemote(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0,
      let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    else { return false }
    let (major, minor) = (
      status.st_dev >> 8 & 0xFFF, status.st_dev & 0xFF | status.st_dev >> 12 & 0xFFF00
    )
    // A line: number, parent, major:minor, root, mount point, options, some fields, -, type, …
    return mounts.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      guard fields.count > 4, fields[2] == "\(major):\(minor)",
        let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { return false }
      let type = fields[dash + 1]
      return ["nfs", "nfs4", "cifs", "smb3", "9p"].contains(type) || type.hasPrefix("fuse.")
    }
  }
}
