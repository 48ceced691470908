import Foundation
import ObjectModel

/// The file of one cache name and one store.
///
/// It is written to a draft, which then gets its name, so that nobody ever sees a part of it. It
/// is not synchronised with the disk: after a power failure its checksum may be wrong.
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
    let escaped = name.utf8.percentEscaped(except: "-_")
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
    guard let open = try? OpenFolder(making: folder) else { return }
    // Of programs that were killed while they wrote.
    open.removeAbandonedDrafts()
    guard let draft = try? Draft(fileIn: open) else { return }
    do {
      guard try CachedResults.write(results, for: signature, to: draft) else { return }
      try draft.commit(as: name, replacing: true, isDurable: false)
    } catch {
      // The next fetch reads the store.
    }
  }
}
