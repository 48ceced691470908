import Foundation

/// A snapshot of a directory: its files with their bytes, modification times and permissions.
struct FolderSnapshot: Equatable, CustomStringConvertible {
  struct File: Equatable {
    let bytes: Data
    let seconds: Int
    let nanoseconds: Int
    let mode: UInt32
  }

  let files: [String: File]

  init(_ folder: URL) throws {
    var files: [String: File] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appendingPathComponent(name).path
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      files[name] = File(
        bytes: try Data(contentsOf: URL(fileURLWithPath: path)),
        seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
        mode: UInt32(status.st_mode))
    }
    self.files = files
  }

  /// A short text for the message of a failed test.
  var description: String {
    files.sorted { $0.key < $1.key }
      .map {
        "\($0) \($1.bytes.count) bytes #\($1.bytes.hashValue) \($1.seconds).\($1.nanoseconds)"
      }
      .joined(separator: "; ")
  }
}
