public import ManagedObjects
public import ObjectModel

// The names of types that are Core Data's as they are. Types that are classes in Core Data and
// values here, and whose values are set after `let`, have a file of their own.

/// An object of a context.
///
/// A subclass is the class of an entity by its conformance to `EntityClass`, as `cardfile generate`
/// writes it. `@NSManaged` does not link without the Objective-C runtime: such a property is a
/// computed one here.
public typealias NSManagedObject = ManagedObject

/// The identity of an object: a value, which may be sent to any isolation domain.
///
/// It does not know its entity's description, only `entityName`.
public typealias NSManagedObjectID = ObjectID

/// The objects and unsaved changes of one isolation domain.
///
/// It has no queue and no parent: it belongs to the domain that created it, which the compiler
/// checks. It is made by a container, or for a coordinator.
public typealias NSManagedObjectContext = ManagedObjectContext

/// Connects contexts with the store that they share.
///
/// It is made for a store that is open, by a container; stores cannot be added to it.
public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator

/// The entities of a store: a value, which is read from a model file or declared with
/// `ManagedObjectModel { Entity(…) { … } }`.
public typealias NSManagedObjectModel = ManagedObjectModel

/// Describes an entity: a value, which does not know its model.
///
/// Superentity, destinations and inverses are names.
public typealias NSEntityDescription = EntityDescription

/// Describes an attribute: a value.
public typealias NSAttributeDescription = AttributeDescription

/// Describes a relationship: a value, whose destination and inverse are names.
public typealias NSRelationshipDescription = RelationshipDescription

/// The type of an attribute.
public typealias NSAttributeType = AttributeType

/// Describes a fetched property: a value, whose fetch request has its predicate as a format.
public typealias NSFetchedPropertyDescription = FetchedPropertyDescription

/// What happens to the destinations of a relationship when its source is deleted.
public typealias NSDeleteRule = DeleteRule

/// What a save does about conflicts.
public typealias NSMergePolicy = MergePolicy

/// What a save does about conflicts, for `NSMergePolicy(merge:)`.
public typealias NSMergePolicyType = MergePolicy

/// An object that a context and the store have changed: a value; `sourceObject` is the context's
/// object with its `objectID`.
public typealias NSMergeConflict = ContextConflict

/// Objects that would have the same unique values: a value, with the IDs of the objects.
public typealias NSConstraintConflict = ConstraintConflict

/// The undo and redo stacks of a context, which Foundation does not have on Linux.
public typealias UndoManager = UndoHistory
