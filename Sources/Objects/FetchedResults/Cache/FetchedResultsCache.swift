import Foundation
import ObjectModel

/// The folder in which results controllers with a cache name keep order, sections and counts, a file
/// for each name and store.
///
/// A file is a copy of what a fetch gives, and may be deleted at any time. It is used only if it is
/// whole and nothing has changed since that could change the results.
public struct FetchedResultsCache: Hashable, Sendable {
  /// The path of the folder; it is created when it is first needed, for this user only.
  public var path: String

  /// Uses a folder for caches and nothing else.
  ///
  /// - Parameter path: Its path.
  public init(path: String) { self.path = path }

  /// The folder of the running program: `fetched-results` in a folder of its name in
  /// `$XDG_CACHE_HOME`, by default `~/.cache`.
  ///
  /// If neither XDG_CACHE_HOME nor HOME is an absolute path, nothing is kept.
  public static var standard: FetchedResultsCache {
    guard let folder = UserDirectory.cache.path else { return FetchedResultsCache(path: "") }
    let program = ProcessInfo.processInfo.processName
    return FetchedResultsCache(path: "\(folder)/\(program)/fetched-results")
  }

  /// Deletes caches.
  ///
  /// - Parameter name: The name of the caches; nil for all.
  public func delete(withName name: String?) {
    let prefix = name.map { CacheFile.prefix(ofName: $0) } ?? ""
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for file in files where file.hasPrefix(prefix) && file.hasSuffix(CacheFile.suffix) {
      try? FileManager.default.removeItem(atPath: "\(path)/\(file)")
    }
  }
}
