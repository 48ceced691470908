import Foundation
import GRDB
import ModelFiles
import ObjectModel

/// The row of Z_METADATA: core-data-stores 2.
struct CoreDataMetadata: Hashable {
  /// The store's UUID; nil if it has none.
  var identifier: String?
  /// The version of the framework that last wrote the store; nil if not given.
  var frameworkVersion: Int?
  /// The version hashes by entity name; empty if not given.
  var modelHashes: [String: Data] = [:]
  /// Why the metadata is incomplete; nil if it is complete.
  var note: String?

  /// Reads the row.
  ///
  /// Missing or damaged parts are left out, with a note.
  ///
  /// - Throws: `DatabaseError`.
  init(reading database: Database) throws {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT m.Z_UUID, length(m.Z_PLIST), CASE WHEN length(m.Z_PLIST) <= ? THEN m.Z_PLIST END
        FROM main.Z_METADATA AS m ORDER BY m.Z_VERSION LIMIT 1
        """, arguments: [Self.longestPropertyList])
    guard let row else {
      note = "The store has no metadata: what wrote it is not known."
      return
    }
    identifier = String.fromDatabaseValue(row[0]).flatMap { $0.isEmpty ? nil : $0 }
    guard let byteCount = Int.fromDatabaseValue(row[1]), byteCount > 0 else {
      note = "The store's metadata are empty: what wrote it is not known."
      return
    }
    guard let data = Data.fromDatabaseValue(row[2]) else {
      note = "The store's metadata are too long to be read: what wrote it is not known."
      return
    }
    do {
      let list = try PropertyListValue.read(data)
      if case .integer(let version)? = list["NSPersistenceFrameworkVersion"] {
        frameworkVersion = Int(exactly: version)
      }
      modelHashes = (list["NSStoreModelVersionHashes"]?.dictionary ?? [:])
        .compactMapValues(\.data)
    } catch {
      note = "The store's metadata cannot be read (\(error.detail)): what wrote it is not known."
    }
  }

  private static let longestPropertyList = 16 << 20
}
