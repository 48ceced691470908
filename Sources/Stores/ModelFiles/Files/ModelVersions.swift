package import Foundation

/// The names of a model's versions, and which of them is current.
package struct ModelVersions: Hashable, Sendable {
  /// The name of the current version; nil if there are several and the folder does not say which is
  /// current.
  package var current: String?
  /// The names of all versions in numeric order (`Model 2` before `Model 10`); a single file is its
  /// own only version.
  package var names: [String]
  /// The 32-byte entity version hashes, by version name and entity name; empty when the folder does
  /// not contain them (core-data-stores 8).
  package var hashes: [String: [String: Data]] = [:]

  /// Finds the version that a store was created with, by its entity version hashes.
  ///
  /// - Parameter storeHashes: `NSStoreModelVersionHashes` of the store's metadata: hashes by entity
  ///   name.
  /// - Returns: The first version that has every entity of the store with the same hash, the
  ///   current version tried first; nil if none matches or `storeHashes` is empty.
  package func version(matching storeHashes: [String: Data]) -> String? {
    guard !storeHashes.isEmpty else { return nil }
    let order = names.filter { $0 == current } + names.filter { $0 != current }
    return order.first { name in
      guard let own = hashes[name] else { return false }
      return storeHashes.allSatisfy { own[$0.key] == $0.value }
    }
  }
}
