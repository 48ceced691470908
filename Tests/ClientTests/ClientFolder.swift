import Foundation

/// A folder that is deleted with its owner.
final class ClientFolder {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "cardfile-client-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}
