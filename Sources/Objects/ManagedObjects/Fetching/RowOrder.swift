package import ObjectModel

/// The order of a fetch plan for objects in memory: the same that a store gives.
package struct RowOrder {
  let descriptors: [FetchSortDescriptor]
  /// The names of the descriptors' key paths.
  let paths: [[String]]
  private let sectionPath: [String]
  private let sectionKey: SectionKey?
  /// Paths of to-one relationships to prefetch before keys are read, shortest first.
  private let prefetchedPaths: [[String]]

  /// Prepares the order of a plan.
  package init(_ plan: FetchPlan, _ dependencies: Dependencies) {
    descriptors = plan.sortDescriptors
    sectionKey = plan.sectionKey
    let names = { (keyPath: String) in KeyPathText.components(of: keyPath) ?? [] }
    paths = descriptors.map { names($0.keyPath) }
    sectionPath = sectionKey.map { names($0.keyPath) } ?? []
    prefetchedPaths = dependencies.toOnePaths
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

  /// The name of an object's section; nil without a section key.
  func sectionName(of id: ObjectID, in context: ManagedObjectContext) -> String? {
    sectionKey.map { key in
      let (value, attribute) = context.valueAndAttribute(at: sectionPath, of: id)
      return key.name(of: value, attribute, by: descriptors)
    }
  }
}
