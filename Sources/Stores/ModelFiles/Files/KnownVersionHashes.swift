package import Foundation
package import ObjectModel
import Synchronization

/// The version hashes of the models that were read from files which have them.
///
/// They cannot be computed (core-data-stores 8). A program passes models on, not files: what was read
/// once is known where a store is migrated.
package enum KnownVersionHashes {
  private struct Known {
    var models: [ManagedObjectModel: [String: Data]] = [:]
    /// Those of entities, for models that were merged.
    var entities: [EntityDescription: Data] = [:]
  }

  private static let known = Mutex(Known())

  /// Notes the hashes of a model's entities.
  static func note(_ hashes: [String: Data], of model: ManagedObjectModel) {
    known.withLock { known in
      guard known.models.updateValue(hashes, forKey: model) != hashes else { return }
      for entity in model.entities { known.entities[entity] = hashes[entity.name] }
    }
  }

  /// The hashes of a model's entities; empty unless those of all are known.
  package static func hashes(of model: ManagedObjectModel) -> [String: Data] {
    known.withLock { known in
      if let hashes = known.models[model] { return hashes }
      var hashes: [String: Data] = [:]
      for entity in model.entities {
        guard let hash = known.entities[entity] else { return [:] }
        hashes[entity.name] = hash
      }
      return hashes
    }
  }
}
