public import Foundation

/// What a new store in Core Data's layout has beside its model.
public struct CoreDataCreation: Hashable, Sendable {
  /// The store's own UUID, which its objects' URIs carry.
  public var identifier: UUID
  /// Whether the store keeps a history of its changes, as SwiftData's always do.
  public var keepsHistory: Bool
  /// The version hashes of the model's entities by name, from a VersionInfo.plist or another store.
  ///
  /// They cannot be computed. An app opens a store without them only by migrating it.
  public var versionHashes: [String: Data]

  /// Describes a store; what is left out is as usual.
  ///
  /// - Parameters:
  ///   - identifier: The store's UUID.
  ///   - keepsHistory: Whether it keeps a history.
  ///   - versionHashes: The version hashes of entities by name.
  public init(
    identifier: UUID = UUID(), keepsHistory: Bool = false, versionHashes: [String: Data] = [:]
  ) {
    self.identifier = identifier
    self.keepsHistory = keepsHistory
    self.versionHashes = versionHashes
  }
}

extension SQLiteStore {
  /// How the tables of a new store are made.
  public enum CreationLayout: Hashable, Sendable {
    /// Plain, readable tables.
    case plain
    /// Tables as Core Data makes them.
    case coreData(CoreDataCreation)
  }
}
