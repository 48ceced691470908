import ObjectModel

/// What the list of entities shows of an entity, found in the background.
nonisolated struct EntityFinding: Hashable, Sendable {
  let entityName: String
  /// The number of objects; nil if they could not be counted.
  var count: Int?
  /// The section key of its list; nil for no sections.
  var sectionKey: SectionKey?

  /// The sections of its list in words.
  var sections: String {
    guard let key = sectionKey else { return "—" }
    return key.transform.isOfDate ? "\(key.keyPath) (\(key.transform.rawValue))" : key.keyPath
  }

  /// How long a view is counted, in seconds: it may never end.
  private static let viewTimeLimit = 5.0

  /// Finds it for every entity of a store, one after the other.
  static func findAll(
    in store: any PersistentStore, _ control: FetchControl, give: (EntityFinding) -> Void
  ) {
    for entity in store.model.entities {
      let defaults = ListDefaults(entity, store: store)
      let count = try? store.count(
        FetchPlan(entityName: entity.name),
        control: entity.readOnlyReason == nil ? control : FetchControl(timeLimit: viewTimeLimit))
      guard !control.isCancelled else { return }
      give(
        EntityFinding(
          entityName: entity.name, count: count,
          sectionKey: defaults.sectionKey(for: defaults.sortDescriptors)))
    }
  }
}
