import ObjectModel

/// What the list of entities shows of an entity, found in the background.
nonisolated struct EntityFinding: Hashable, Sendable {
  /// The number of objects; nil if they could not be counted.
  var count: Int?
  /// The section key of its list; nil for no sections.
  var sectionKey: SectionKey?

  /// How long a view is counted, in seconds: it may never end.
  private static let viewTimeLimit = 5.0

  /// The questions that find it for every entity of a store.
  static func questions(_ store: any PersistentStore) -> [BackgroundSurvey<Self>.Question] {
    store.model.entities.map { entity in
      .init(
        name: entity.name, timeLimit: entity.readOnlyReason == nil ? nil : viewTimeLimit,
        find: { control in
          let defaults = ListDefaults(entity, store: store)
          return EntityFinding(
            count: try? store.count(FetchPlan(entityName: entity.name), control: control),
            sectionKey: defaults.sectionKey(for: defaults.sortDescriptors))
        })
    }
  }
}
