package import ObjectModel
import Synchronization

/// The entities of the classes that coordinators were given, for what asks a class and not a context.
package enum EntityClasses {
  private static let entities = Mutex<[ObjectIdentifier: EntityDescription]>([:])

  /// Notes the entities of classes; a model that is used later is the one that counts.
  static func note(_ types: [any EntityClass.Type], in model: ManagedObjectModel) {
    guard !types.isEmpty else { return }
    entities.withLock { entities in
      for type in types {
        entities[ObjectIdentifier(type)] = model.entity(named: type.entityName)
      }
    }
  }

  /// The entity of a class; nil if no coordinator was given it.
  package static func entity(of type: ManagedObject.Type) -> EntityDescription? {
    entities.withLock { $0[ObjectIdentifier(type)] }
  }
}
