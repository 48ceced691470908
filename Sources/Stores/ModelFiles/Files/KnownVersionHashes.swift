package import Foundation
package import ObjectModel
import Synchronization

/// The version hashes of the entities that were read from model files which have them.
///
/// They cannot be computed (core-data-stores 8). A program passes models on, also merged ones, not
/// files: what was read once is known where a store is migrated.
package enum KnownVersionHashes {
  private static let known = Mutex<[EntityDescription: Data]>([:])

  /// Notes the hashes of a model's entities.
  static func note(_ hashes: [String: Data], of model: ManagedObjectModel) {
    known.withLock { known in
      for entity in model.entities { if let hash = hashes[entity.name] { known[entity] = hash } }
    }
  }

  /// The hashes of a model's entities; empty unless those of all are known.
  package static func hashes(of model: ManagedObjectModel) -> [String: Data] {
    known.withLock { known in
      var hashes: [String: Data] = [:]
      for entity in model.entities {
        guard let hash = known[entity] else { return [:] }
        hashes[entity.name] = hash
      }
      return hashes
    }
  }
}
