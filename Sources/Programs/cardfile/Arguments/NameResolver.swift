import CardfileApp
import ObjectModel

/// Resolves the names in arguments; the failure for an unknown name suggests the most similar ones.
struct NameResolver {
  let model: ManagedObjectModel
  /// The store's name, for messages.
  let storeName: String
  /// The tables that belong to no entity.
  var otherTables: [StoreSummary.OtherTable] = []

  func entity(_ name: String) throws(Failure) -> EntityDescription {
    if let entity = model.entity(named: name) { return entity }
    let names = model.entities.map(\.name)
    if let table = otherTables.first(where: { $0.name == name }) {
      throw Failure(
        .usage, "\(name) in \(storeName) is no entity: \(table.purpose)",
        try: table.isUnreadable
          ? "the program that made the database, or sqlite3" : "cardfile entities \(storeName)")
    }
    throw Failure(
      .usage, "no entity “\(name)” in \(storeName)",
      try: suggestion(for: name, in: names) ?? "cardfile entities \(storeName)")
  }

  /// The failure for an error in the text of an option.
  func failure(_ error: TypedTextError, in entity: EntityDescription, option: String) -> Failure {
    let remedy =
      error.suggestions.isEmpty ? error.expected : error.suggestions.joined(separator: ", ")
    return Failure(
      .usage, "\(option): \(error.message)",
      try: remedy.isEmpty ? "cardfile describe \(storeName) \(entity.name)" : remedy)
  }

  /// The failure for a name that an entity does not have.
  func unknown(
    _ name: String, in entity: EntityDescription, option: String, offering names: [String]
  ) -> Failure {
    Failure(
      .usage, "\(option): no “\(name)” in \(entity.name)",
      try: suggestion(for: name, in: names) ?? "cardfile describe \(storeName) \(entity.name)")
  }

  private func suggestion(for name: String, in names: [String]) -> String? {
    let nearest = NearestNames.suggestions(for: name, in: names)
    return nearest.isEmpty ? nil : nearest.joined(separator: ", ")
  }
}
