package import FetchedResults
package import ObjectModel

/// The options of the command line.
///
/// The caller validates names; an invalid one is reported on the screen.
package nonisolated struct AppOptions: Hashable, Sendable {
  /// The choice of a list's sections.
  package enum SectionChoice: Hashable, Sendable {
    /// A list without sections.
    case none
    /// Sections by a key path and a transform.
    case key(SectionKey)
  }

  /// The entity to open; nil for the list of entities, or the only entity.
  package var entityName: String?
  /// The filter of the entity's list; nil for none.
  package var filter: TypedPredicate?
  /// The order; empty for the entity's default.
  package var sortDescriptors: [FetchSortDescriptor]
  /// The sections; nil to derive them from the order.
  package var section: SectionChoice?
  /// The names of the attributes and relationships to show, in order; nil for the entity's default.
  package var columns: [String]?
  /// What columns of the store are, as the command line and `:type` say: by `column` or
  /// `entity.column`.
  package var columnKinds: [String: ColumnKind] = [:]
  /// How the lists of entities open before the person chose otherwise, by the entity's name.
  package var entityDefaults: [String: EntityPreferences] = [:]
  /// A line for entities that says what to try in their lists, by the entity's name.
  package var tips: [String: String] = [:]
  /// Which rows lists hold.
  package var extent = ListExtent.automatic
  /// Whether the program is started for the first time and shows three lines of what to try.
  package var isFirstStart = false
  /// The settings, as the settings file, the command line and `:set` made them.
  package var settings: Settings
  /// What is wrong with the settings file, to be shown at the start; nil for nothing.
  package var settingsProblem: String?

  /// Makes options.
  package init(
    entityName: String? = nil, filter: TypedPredicate? = nil,
    sortDescriptors: [FetchSortDescriptor] = [], section: SectionChoice? = nil,
    columns: [String]? = nil, isReadOnly: Bool = false, saveAfterEdit: Bool = false,
    mouse: Bool = true, settings: Settings = Settings()
  ) {
    self.entityName = entityName
    self.filter = filter
    self.sortDescriptors = sortDescriptors
    self.section = section
    self.columns = columns
    self.settings = settings
    if isReadOnly { self.settings.chooseOnCommandLine("read-only", \.isReadOnly, true) }
    if saveAfterEdit {
      self.settings.chooseOnCommandLine("save-after-edit", \.savesAfterEdit, true)
    }
    if !mouse { self.settings.chooseOnCommandLine("mouse", \.usesMouse, false) }
  }
}
