import Foundation
import ObjectModel

/// The file of one cache name and one store.
///
/// It is written to a temporary file, which then gets its name, so that nobody ever sees a part of
/// it. It is not synchronised with the disk: after a power failure its checksum may be wrong.
struct CacheFile: FetchCache {
  static let suffix = ".cache"

  /// The folder.
  let folder: String
  private let name: String

  /// Names the file; nil if there is no folder for it.
  init?(name: String, storeIdentifier: String, in cache: FetchedResultsCache) {
    guard cache.path.hasPrefix("/") else { return nil }
    folder = cache.path
    var digest = Checksum()
    digest.add(Array(storeIdentifier.utf8))
    self.name = Self.prefix(ofName: name) + String(digest.value, radix: 16) + Self.suffix
  }

  /// The path.
  var path: String { "\(folder)/\(name)" }

  /// What the names of all files of a cache name begin with, and no other.
  static func prefix(ofName name: String) -> String {
    var escaped = ""
    for byte in name.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F:
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard escaped.utf8.count > 120 else { return escaped + "." }
    var digest = Checksum()
    digest.add(Array(name.utf8))
    return escaped.prefix(100) + "%%" + String(digest.value, radix: 16) + "."
  }

  func results(for signature: FetchSignature) -> FetchedIDs? {
    guard let file = OpenFile(reading: path) else { return nil }
    return CachedResults.read(from: file, for: signature)
  }

  func keep(_ results: FetchedIDs, for signature: FetchSignature) {
    guard makeFolder() else { return }
    removeRemains()
    let temporary = "\(folder)/.\(name).\(UUID().uuidString)"
    guard let file = OpenFile(creating: temporary) else { return }
    let isWritten = CachedResults.write(results, for: signature, to: file)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Makes the folder, for this user only.
  private func makeFolder() -> Bool {
    if access(folder, W_OK) == 0 { return true }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return access(folder, W_OK) == 0
  }

  /// Removes the temporary files of programs that were killed while they wrote.
  private func removeRemains() {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for file in files where file.hasPrefix(".") {
      var status = stat()
      let path = "\(folder)/\(file)"
      guard stat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > 3_600 else { continue }
      unlink(path)
    }
  }
}
