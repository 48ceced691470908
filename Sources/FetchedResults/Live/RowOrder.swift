import ManagedObjects
import ObjectModel

/// The order of a plan, for objects in memory: the same that the store gives.
struct RowOrder {
  /// What an object is ordered by; folded once.
  struct Key {
    let values: [FetchSortDescriptor.SortValue]
    let id: ObjectID
  }

  private let descriptors: [FetchSortDescriptor]
  private let sectionKey: SectionKey?

  init(_ plan: FetchPlan) {
    descriptors = plan.sortDescriptors
    sectionKey = plan.sectionKey
  }

  /// What an object is ordered by, read from its context.
  func key(of id: ObjectID, in context: ManagedObjectContext) -> Key {
    Key(values: descriptors.map { $0.sortValue(context.value(at: $0.keyPath, of: id)) }, id: id)
  }

  /// The name of an object's section; "" when there are no sections.
  func sectionName(of id: ObjectID, in context: ManagedObjectContext) -> String {
    sectionKey.map { $0.name(of: context.value(at: $0.keyPath, of: id)) } ?? ""
  }

  /// Whether one object stands before another.
  ///
  /// Those that tie are in the order of their keys, unsaved ones last.
  func areInOrder(_ left: Key, _ right: Key) -> Bool {
    for (index, descriptor) in descriptors.enumerated() {
      let order = descriptor.compare(left.values[index], right.values[index])
      if order != 0 { return order < 0 }
    }
    return left.id < right.id
  }
}
