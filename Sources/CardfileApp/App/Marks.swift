import ObjectModel
import OrderedCollections

/// The objects that are marked for deletion, in the order in which they were marked.
///
/// Nothing is changed by a mark: a save turns marks into deletions.
struct Marks: Hashable {
  private var marked: OrderedSet<ObjectID> = []

  /// The number of marked objects.
  var count: Int { marked.count }
  /// Whether nothing is marked.
  var isEmpty: Bool { marked.isEmpty }
  /// The marked objects, the first marked one first.
  var ids: [ObjectID] { marked.elements }

  /// Returns whether an object is marked.
  func contains(_ id: ObjectID) -> Bool { marked.contains(id) }

  /// Marks objects; those that are marked keep their position.
  mutating func formUnion(_ ids: some Sequence<ObjectID>) { marked.formUnion(ids) }

  /// Unmarks objects.
  mutating func subtract(_ ids: some Sequence<ObjectID>) { marked.subtract(ids) }
}
