public import Foundation

/// The versions of a model that a folder holds.
public struct ModelVersions: Hashable, Sendable {
  /// The version that is current; nil when the folder does not say, and has several.
  public var current: String?
  /// The names of all versions, `Model 2` before `Model 10`; one for a file that holds a single model.
  public var names: [String]
  /// The hashes of entities by version and entity; empty where the folder gives none (core-data-stores 8).
  public var hashes: [String: [String: Data]]

  /// Describes versions.
  ///
  /// - Parameters:
  ///   - current: The version that is current.
  ///   - names: The names of all.
  ///   - hashes: The hashes of entities by version and entity.
  public init(current: String?, names: [String], hashes: [String: [String: Data]] = [:]) {
    self.current = current
    self.names = names
    self.hashes = hashes
  }

  /// The version that a store was made with.
  ///
  /// - Parameter storeHashes: The hashes of entities in the store's metadata.
  /// - Returns: The first version that has all of the store's entities with the same hashes, the current one before
  ///   others; nil when there is none.
  public func version(matching storeHashes: [String: Data]) -> String? {
    guard !storeHashes.isEmpty else { return nil }
    let order = names.filter { $0 == current } + names.filter { $0 != current }
    return order.first { name in
      guard let own = hashes[name] else { return false }
      return storeHashes.allSatisfy { own[$0.key] == $0.value }
    }
  }
}
