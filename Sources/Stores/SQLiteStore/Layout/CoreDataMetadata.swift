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

/// The system releases that versions of the persistence framework came with: core-data-stores 2.
enum FrameworkRelease {
  /// The release of a version.
  ///
  /// - Parameter version: The value of NSPersistenceFrameworkVersion.
  /// - Returns: The release, as `macOS 14, iOS 17`; nil for versions before Mac OS X 10.4.
  static func words(for version: Int) -> String? {
    guard let index = releases.lastIndex(where: { $0.from <= version }) else { return nil }
    return releases[index].words
  }

  /// The first version of each release.
  ///
  /// Versions in between belong to updates of the earlier release.
  private static let releases: [(from: Int, words: String)] = [
    (1, "Mac OS X 10.4"),
    (185, "Mac OS X 10.5"),
    (230, "Mac OS X 10.6, iOS 3"),
    (310, "Mac OS X 10.6, iOS 4"),
    (358, "Mac OS X 10.7, iOS 5"),
    (407, "OS X 10.8, iOS 6"),
    (479, "OS X 10.9, iOS 7"),
    (510, "OS X 10.10, iOS 8"),
    (620, "OS X 10.11, iOS 9"),
    (740, "macOS 10.12, iOS 10"),
    (840, "macOS 10.13, iOS 11"),
    (860, "macOS 10.14, iOS 12"),
    (960, "macOS 10.15, iOS 13"),
    (1040, "macOS 11, iOS 14"),
    (1140, "macOS 12, iOS 15"),
    (1240, "macOS 13, iOS 16"),
    (1330, "macOS 14, iOS 17"),
    (1400, "macOS 15, iOS 18"),
    (1500, "macOS 26, iOS 26"),
    (1600, "a release after macOS 26"),
  ]
}
