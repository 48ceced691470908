package import Foundation

/// A folder of a test's own, removed with everything in it when its owner is released.
package final class TemporaryFolder: Sendable {
  /// The folder itself.
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "cardfile-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A file or folder in the folder.
  package func url(_ name: String) -> URL { url.appending(path: name) }

  /// The path of a file or folder in the folder.
  package func path(_ name: String) -> String { url(name).path }
}
