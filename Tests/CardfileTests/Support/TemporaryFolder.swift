import Foundation

/// A folder of a test's own, removed with everything in it when the test is done.
final class TemporaryFolder {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfile-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  func path(_ name: String) -> String { url(name).path }

  /// Makes a database of SQL statements.
  func database(_ name: String = "test.sqlite", _ sql: String) throws -> String {
    try Database.write(path(name), sql)
    return path(name)
  }

  /// Copies a file into the folder.
  func copy(of source: URL) throws -> String {
    try FileManager.default.copyItem(at: source, to: url(source.lastPathComponent))
    return path(source.lastPathComponent)
  }
}
