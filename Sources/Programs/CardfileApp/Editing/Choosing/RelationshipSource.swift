import ManagedObjects
import ObjectModel

/// A relationship of one object: what a list of its destinations was opened from.
struct RelationshipSource: Hashable {
  let objectID: ObjectID
  let relationship: RelationshipDescription
}
