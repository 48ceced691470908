package import Foundation

/// The working copy that the tests were built from.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Reads a text file by its path from the root.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The files below a folder with a file name extension, sorted by path.
  package static func files(in folder: String, withExtension pathExtension: String) -> [URL] {
    let enumerator = FileManager.default.enumerator(
      at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    let urls = (enumerator?.allObjects ?? []).compactMap { $0 as? URL }
    return urls.filter { $0.pathExtension == pathExtension }.sorted { $0.path < $1.path }
  }
}
