import ObjectModel

/// The unsaved order of an ordered relationship.
struct OrderChange {
  /// The objects in the store, in their order, when another one was first chosen here.
  var base: [ObjectID]
  /// The new order; an object that is missing comes after all others.
  var order: [ObjectID]
  /// The objects in the store if another context or program has changed their order too; else nil.
  var theirs: [ObjectID]?

  /// Whether it is in conflict with another order.
  var isDisputed: Bool { theirs != nil }

  /// Whether objects are in another order than before: not if some are gone and others have been
  /// added at the end.
  func isReordered(to objects: [ObjectID]) -> Bool {
    let present = Set(objects)
    return !objects.starts(with: base.lazy.filter(present.contains))
  }

  /// The change that only adds objects to other ones, at their end.
  func taking(_ stored: [ObjectID]) -> OrderChange {
    let known = Set(stored).union(base)
    return OrderChange(base: stored, order: stored + order.filter { !known.contains($0) })
  }

  /// The same change after objects got other IDs.
  func renaming(_ renamed: (ObjectID) -> ObjectID) -> OrderChange {
    OrderChange(base: base.map(renamed), order: order.map(renamed), theirs: theirs?.map(renamed))
  }
}
