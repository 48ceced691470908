import ObjectModel

/// The look, the columns, the order and the sections that a list begins with: those of the command line, else
/// those chosen in a former run as far as the entity still has them.
struct ListChoices {
  private let options: AppOptions
  private let preferences: EntityPreferences

  init(_ options: AppOptions, preferences: EntityPreferences) {
    self.options = options
    self.preferences = preferences
  }

  /// Whether the list is shown as a grid.
  var isGrid: Bool { preferences.isGrid ?? false }

  /// The names of the columns; nil for the entity's default.
  func columns(of entity: EntityDescription) -> [String]? {
    if let columns = options.columns { return columns }
    let names = preferences.columns?.map(\.name).filter { name in
      entity.attribute(named: name) != nil || entity.relationship(named: name) != nil
    }
    return names.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The order; nil for the entity's default.
  func order(of entity: EntityDescription, in model: ManagedObjectModel) -> [FetchSortDescriptor]? {
    guard options.sortDescriptors.isEmpty else { return options.sortDescriptors }
    let order = preferences.sort?.compactMap { key in
      ListDefaults.attribute(at: key.keyPath, from: entity, in: model).map {
        ListDefaults.descriptor(
          for: $0.attribute, keyPath: key.keyPath, ascending: key.ascending)
      }
    }
    return order.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sections; nil for those of the order.
  func section(of entity: EntityDescription, in model: ManagedObjectModel)
    -> AppOptions.SectionChoice?
  {
    if let section = options.section { return section }
    // Sections given with an order belong to that order.
    guard options.sortDescriptors.isEmpty, let text = preferences.section else { return nil }
    if text == "none" { return AppOptions.SectionChoice.none }
    guard let key = SectionKey(text),
      ListDefaults.attribute(at: key.keyPath, from: entity, in: model) != nil
    else { return nil }
    return .key(key)
  }
}
