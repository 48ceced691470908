import Foundation
import GRDBSQLite
import ObjectModel

/// The program and the libraries that sort and fold text, as files.
///
/// The order of text depends on Cardfile, SQLite, and the Unicode tables of Swift and Foundation. A
/// digest of all foldings would take longer than a fetch; any other release of these is another
/// file.
enum ProgramIdentity {
  /// The identity of the running program; equal in each of its processes, until it is installed anew.
  static let current: String = {
    let names = ["libswift", "Foundation", "sqlite3", "libicu"]
    let here = UInt(bitPattern: #dsohandle)
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    var files: Set<String> = []
    for line in maps.split(separator: "\n") {
      // address permissions offset device inode path
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6 else { continue }
      let path = fields[5].drop { $0 == " " }
      let file = path.split(separator: "/").last ?? ""
      let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      let hasThisCode = range.count == 2 && range[0] <= here && here < range[1]
      guard path.hasPrefix("/"),
        hasThisCode || String(path) == program || names.contains(where: file.contains)
      else { continue }
      files.insert(identity(of: String(path)))
    }
    let library = [sqlite3_libversion(), sqlite3_sourceid()].map { $0.map { String(cString: $0) } }
    return (files.sorted() + library.compactMap(\.self)).joined(separator: "\n")
  }()

  private static func identity(of path: String) -> String {
    var status = stat()
    // A program whose file was replaced while it runs cannot be recognised.
    guard stat(path.fileSystemBytes, &status) == 0 else { return UUID().uuidString }
    return """
      \(path) \(status.st_dev) \(status.st_ino) \(status.st_size) \
      \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \
      \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)
      """
  }
}
