package import Foundation
package import Testing

/// Stores that real programs wrote. They are not part of the repository.
///
/// They are looked for in `../shared/stores` beside the working copy, or in `stores` of the folder
/// that `CARDFILE_SHARED` in the environment names.
package enum RealStores {
  /// The folder with `coredata`, `expected`, `models` and `plain`; nil where it does not exist.
  package static let folder: URL? = {
    let shared =
      ProcessInfo.processInfo.environment["CARDFILE_SHARED"].map { URL(fileURLWithPath: $0) }
      ?? Repository.root.deletingLastPathComponent().appendingPathComponent("shared")
    let stores = shared.appendingPathComponent("stores")
    return FileManager.default.fileExists(atPath: stores.path) ? stores : nil
  }()

  /// The path of a file in the folder.
  ///
  /// - Throws: The test fails where the folder does not exist: it needs
  ///   ``Testing/Trait/needsRealStores``.
  package static func file(_ path: String) throws -> URL {
    try #require(folder).appendingPathComponent(path)
  }

  /// Copies a Core Data store with its write-ahead log into a folder, writable.
  package static func copy(_ name: String, to folder: URL) throws {
    for suffix in ["", "-wal"] {
      let original = try file("coredata/" + name + suffix)
      guard FileManager.default.fileExists(atPath: original.path) else { continue }
      let copy = folder.appendingPathComponent(name + suffix)
      try FileManager.default.copyItem(at: original, to: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
    }
  }

  /// The names of the Core Data stores, sorted; empty where the folder does not exist.
  package static let coreDataNames: [String] = {
    guard let folder = folder?.appendingPathComponent("coredata") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }()
}

extension Trait where Self == ConditionTrait {
  /// Skips a test or a suite where the real stores are not found.
  ///
  /// `make test` counts the skipped tests by this comment.
  package static var needsRealStores: Self {
    .enabled(if: RealStores.folder != nil, "needs the real stores of CARDFILE_SHARED")
  }
}
