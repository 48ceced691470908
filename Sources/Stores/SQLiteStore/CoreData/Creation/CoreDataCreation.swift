public import Foundation

/// The options of a new Core Data store.
public struct CoreDataCreation: Hashable, Sendable {
  /// The store's UUID, a part of its objects' URIs.
  public var identifier: UUID
  /// Whether the store has persistent history, as SwiftData's stores always have.
  public var keepsHistory: Bool
  /// The version hashes by entity name, from a VersionInfo.plist or another store.
  ///
  /// They cannot be computed. Without them an app can open the store only by migrating it.
  public var versionHashes: [String: Data]

  /// Creates options.
  public init(
    identifier: UUID = UUID(), keepsHistory: Bool = false, versionHashes: [String: Data] = [:]
  ) {
    self.identifier = identifier
    self.keepsHistory = keepsHistory
    self.versionHashes = versionHashes
  }
}

extension SQLiteStore {
  /// The layout of a new store's tables.
  public enum CreationLayout: Hashable, Sendable {
    /// Plain tables, named by the model.
    case plain
    /// Core Data's tables.
    case coreData(CoreDataCreation)
  }
}
