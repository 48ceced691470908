import Foundation
import GRDB
import ModelFiles
import ObjectModel
import Testing

/// The models of real stores, compared with what an independent reader has found in them.
@Suite(.enabled(if: sharedStores != nil, "the shared stores are not here"))
struct SharedModelTests {
  static let stores = [
    "accounts.sqlite", "bookmarks-v1.sqlite", "bookmarks-v5.sqlite", "cart-swiftdata.sqlite",
    "data-usage.sqlite", "knowledge.db", "library-history.sqlite", "moody-v1.moody",
    "moody-v5.moody", "photos.sqlite", "posts-v1.sqlite", "posts-v3.sqlite", "sample-v1.sqlite",
    "sample-v2.sqlite",
  ]

  @Test(arguments: stores)
  func `a model cache gives the model that is expected`(store: String) throws {
    let shared = try #require(sharedStores)
    let decoded = try ModelCache.model(from: try cache(of: store))
    let json = try Data(
      contentsOf: shared.appendingPathComponent("expected/\(store).model.json"))
    let expected = try ExpectedModel(json: json).lines
    let ours = ExpectedModel(decoded.model).lines
    #expect(expected.count > 5)
    #expect(ours.subtracting(expected).sorted() == [])
    #expect(expected.subtracting(ours).sorted() == [])
    #expect(decoded.notes == [])
    try decoded.model.validate()
  }

  @Test func `an empty model cache is an error that says so`() throws {
    #expect(throws: ModelFileError(.incomplete, subject: "The model cache", detail: "it is empty"))
    {
      try ModelCache.model(from: Data())
    }
  }

  /// The content of a store's model cache, read from a copy with its journal.
  private func cache(of store: String) throws -> Data {
    let shared = try #require(sharedStores).appendingPathComponent("coredata")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in [store, store + "-wal"] {
      guard let bytes = try? Data(contentsOf: shared.appendingPathComponent(name)) else { continue }
      try bytes.write(to: folder.appendingPathComponent(name))
    }
    let queue = try DatabaseQueue(path: folder.appendingPathComponent(store).path)
    let data = try queue.read { database in
      try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE")
    }
    return try #require(data)
  }
}
