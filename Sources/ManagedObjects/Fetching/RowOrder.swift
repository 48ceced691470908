package import ObjectModel

/// The order of a fetch plan for objects in memory: the same that a store gives.
package struct RowOrder {
  /// What an object is sorted by; text is folded once.
  package struct Key {
    let values: [FetchSortDescriptor.SortValue]
    package let id: ObjectID
  }

  private let descriptors: [FetchSortDescriptor]
  /// The names of the descriptors' key paths, and of the section key's.
  private let paths: [[String]]
  private let sectionPath: [String]
  private let sectionKey: SectionKey?
  /// Paths of to-one relationships to prefetch before keys are read, shortest first.
  private let prefetchedPaths: [[String]]

  /// Prepares the order of a plan, with the paths of to-one relationships to prefetch before keys
  /// are read, shortest first; nil for those of the sort keys.
  package init(_ plan: FetchPlan, prefetching paths: [[String]]? = nil) {
    descriptors = plan.sortDescriptors
    sectionKey = plan.sectionKey
    let names = { (keyPath: String) in KeyPathText.components(of: keyPath) ?? [] }
    self.paths = descriptors.map { names($0.keyPath) }
    sectionPath = sectionKey.map { names($0.keyPath) } ?? []
    prefetchedPaths = paths ?? Self.relationshipPaths(of: self.paths)
  }

  private static func relationshipPaths(of paths: [[String]]) -> [[String]] {
    let parts = paths.flatMap { path in path.indices.dropFirst().map { Array(path.prefix($0)) } }
    return Set(parts).sorted { $0.count < $1.count }
  }

  /// Reads the rows that keys are made of, with one query for each step of a path.
  func prefetch(_ ids: some Collection<ObjectID>, in context: ManagedObjectContext) throws {
    try context.prefetch(ids)
    for path in prefetchedPaths {
      var ends = ids.map { context.object(with: $0) }
      for name in path.dropLast() { ends = ends.compactMap { $0.object(forKey: name) } }
      guard let name = path.last else { continue }
      try context.prefetch(Set(ends.flatMap { $0.objectIDs(forKey: name) }))
    }
  }

  /// Whether objects are sorted by their IDs alone, so that no row needs to be read.
  var isByIDOnly: Bool { descriptors.isEmpty }

  /// What an object is sorted by, read from its context.
  func key(of id: ObjectID, in context: ManagedObjectContext) -> Key {
    let values = zip(descriptors, paths).map { descriptor, path in
      let (value, attribute) = context.valueAndAttribute(at: path, of: id)
      return descriptor.sortValue(value, of: attribute)
    }
    return Key(values: values, id: id)
  }

  /// The name of an object's section; "" without a section key.
  func sectionName(of id: ObjectID, in context: ManagedObjectContext) -> String {
    sectionKey.map { key in
      let (value, attribute) = context.valueAndAttribute(at: sectionPath, of: id)
      return key.name(of: value, attribute)
    } ?? ""
  }

  /// Whether one object comes before another.
  ///
  /// Objects that tie are in the order of their keys, unsaved ones last.
  func areInOrder(_ left: Key, _ right: Key) -> Bool {
    for (index, descriptor) in descriptors.enumerated() {
      let order = descriptor.compare(left.values[index], right.values[index])
      if order != 0 { return order < 0 }
    }
    return left.id < right.id
  }
}
