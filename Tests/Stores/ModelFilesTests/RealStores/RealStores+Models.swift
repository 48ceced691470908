import Foundation
import GRDB
import TestSupport
import Testing

extension RealStores {
  /// The stores that contain a model cache.
  static let withModels = [
    "accounts.sqlite", "bookmarks-v1.sqlite", "bookmarks-v5.sqlite", "cart-swiftdata.sqlite",
    "data-usage.sqlite", "knowledge.db", "library-history.sqlite", "moody-v1.moody",
    "moody-v5.moody", "photos.sqlite", "posts-v1.sqlite", "posts-v3.sqlite", "sample-v1.sqlite",
    "sample-v2.sqlite",
  ]

  /// The content of a store's model cache.
  static func cache(of store: String) throws -> Data {
    try value("SELECT Z_CONTENT FROM Z_MODELCACHE", of: store)
  }

  /// The data that a query returns first, read from a copy of the store with its write-ahead log.
  static func value(_ sql: String, of store: String) throws -> Data {
    let folder = try TemporaryFolder()
    try copy(store, to: folder.url)
    let queue = try DatabaseQueue(path: folder.path(store))
    return try #require(try queue.read { try Data.fetchOne($0, sql: sql) })
  }
}
