import Foundation

/// Watches a file, and those that belong to it, for changes with inotify.
///
/// The files themselves are watched for writes, so that writes to other files in the directory do
/// not wake the process. The directory is watched only for files created, deleted and renamed.
package final class FileEvents {
  /// The inotify descriptor, readable if there are events.
  let descriptor: Int32
  private let folder: String
  private let names: Set<String>

  private static let contents = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF)
  private static let entries = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)

  /// Starts watching; nil if inotify cannot be used, such as on a network file system.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the file.
  ///   - companions: What is added to its name in those of the files that belong to it.
  init?(path: String, companions: [String]) {
    let url = URL(fileURLWithPath: path)
    guard !Self.isRemote(path), (try? OpenFolder(path: path)) == nil else { return nil }
    let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    folder = url.deletingLastPathComponent().path
    names = Set(([""] + companions).map { url.lastPathComponent + $0 })
    guard inotify_add_watch(descriptor, folder.fileSystemBytes, Self.entries) >= 0, addFiles()
    else { return nil }
  }

  deinit { close(descriptor) }

  /// Reads the pending events without waiting.
  ///
  /// - Returns: Whether any of them concerns the files.
  func readEvents() -> Bool {
    var isConcerned = false
    var hasNewFiles = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset + Self.eventSize <= count {
          let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let end = min(offset + Self.eventSize + length, count)
          let name = Array(bytes[(offset + Self.eventSize)..<end].prefix { $0 != 0 })
            .withUnsafeBufferPointer { String(storedText: $0) }
          // An event without a name is about a watched file, or reports an overflow of the queue.
          if name.isEmpty || names.contains(name) {
            isConcerned = true
            if mask & Self.entries != 0 || mask & UInt32(IN_Q_OVERFLOW) != 0 { hasNewFiles = true }
          }
          offset = end
        }
      }
    }
    if hasNewFiles { _ = addFiles() }
    return isConcerned
  }

  /// Watches the files that exist; watching one again changes nothing.
  ///
  /// - Returns: Whether any file exists.
  private func addFiles() -> Bool {
    var isAny = false
    for name in names {
      let path = (folder + "/" + name).fileSystemBytes
      if inotify_add_watch(descriptor, path, Self.contents) >= 0 { isAny = true }
    }
    return isAny
  }

  /// The size of `inotify_event` without the name: four 32-bit words.
  private static let eventSize = 16

  /// Returns whether a path is on a network or FUSE file system, where inotify does not report
  /// changes made by other machines.
  package static func isRemote(_ path: String) -> Bool {
    var status = stat()
    guard stat(path.fileSystemBytes, &status) == 0,
      let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    else { return false }
    let (major, minor) = (
      status.st_dev >> 8 & 0xFFF, status.st_dev & 0xFF | status.st_dev >> 12 & 0xFFF00
    )
    // Fields of a line: ID, parent ID, major:minor, root, mount point, options, optional fields,
    // "-", file system type, …
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
