import ObjectModel

/// The look, the columns, the order and the sections that a list begins with: those of the command line, else
/// those chosen in a former run as far as the entity still has them.
struct ListChoices {
  private let options: AppOptions
  private let preferences: EntityPreferences
  private let defaults: ListDefaults

  init(_ options: AppOptions, preferences: EntityPreferences, _ defaults: ListDefaults) {
    self.options = options
    self.preferences = preferences
    self.defaults = defaults
  }

  /// Whether the list is shown as a grid.
  var isGrid: Bool { preferences.isGrid ?? false }

  /// The columns; nil for the entity's default.
  var columns: [ListColumn]? {
    let chosen = options.columns?.map { EntityPreferences.Column($0) } ?? preferences.columns ?? []
    let columns = chosen.compactMap { choice in
      ListColumn(named: choice.name, of: defaults, width: choice.width)
    }
    return columns.isEmpty ? nil : columns
  }

  /// The order; nil for the entity's default.
  var order: [FetchSortDescriptor]? {
    guard options.sortDescriptors.isEmpty else { return options.sortDescriptors }
    let order = preferences.sort?.compactMap { key in
      defaults.attribute(at: key.keyPath) == nil
        ? nil : defaults.descriptor(for: key.keyPath, ascending: key.ascending)
    }
    return order.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sections; nil for those of the order.
  var section: AppOptions.SectionChoice? {
    if let section = options.section { return section }
    // Sections given with an order belong to that order.
    guard options.sortDescriptors.isEmpty, let text = preferences.section else { return nil }
    if text == "none" { return AppOptions.SectionChoice.none }
    guard let key = SectionKey(text), defaults.attribute(at: key.keyPath) != nil else {
      return nil
    }
    return .key(key)
  }
}
