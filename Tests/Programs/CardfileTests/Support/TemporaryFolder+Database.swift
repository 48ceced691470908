import Foundation
import TestSupport

extension TemporaryFolder {
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
