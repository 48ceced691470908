package import ObjectModel

/// What a person says that a column is, as typed after `--type` and `:type`: `visit_time=date2001`
/// or `history_visits.visit_time = date2001`.
package nonisolated struct TypedKind: Hashable, Sendable {
  /// The column, alone or after its entity and a point.
  package let name: String
  /// What it is.
  package let kind: ColumnKind

  /// Reads a text.
  ///
  /// - Throws: The error in the text: there is no `=`, or the kind is unknown.
  package init(_ text: String) throws(TypedTextError) {
    let characters = Array(text)
    guard let sign = characters.lastIndex(of: "=") else {
      throw TypedTextError(
        "what “\(NameList.unquoted(text))” is comes after =",
        at: characters.count..<characters.count,
        expected: "COLUMN=KIND, such as visit_time=date2001")
    }
    name = NameList.unquoted(String(characters[..<sign]))
    let typed = NameList.unquoted(String(characters[(sign + 1)...]))
    guard let kind = ColumnKind(rawValue: typed.lowercased()) else {
      let names = ColumnKind.allCases.map(\.rawValue)
      let near = NearestNames.suggestions(for: typed, in: names)
      throw TypedTextError(
        "“\(typed)” is no kind of column", at: sign + 1..<characters.count, suggestions: near,
        expected: near.isEmpty ? names.joined(separator: ", ") : "")
    }
    self.kind = kind
  }

  /// Checks that a model has the column, and that its values are not typed by a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - entity: The entity that a column without one is of; nil for any.
  /// - Returns: The key under which the kind is chosen: `entity.column`, or the column alone for all
  ///   entities.
  /// - Throws: The error in the name.
  package func key(in model: ManagedObjectModel, of entity: EntityDescription?)
    throws(TypedTextError) -> String
  {
    let range = 0..<name.count
    for owner in entity.map({ [$0] }) ?? model.entities {
      guard let attribute = owner.attribute(named: name) else { continue }
      try check(attribute)
      return entity == nil ? name : "\(owner.name).\(name)"
    }
    for owner in model.entities where name.hasPrefix(owner.name + ".") {
      let column = String(name.dropFirst(owner.name.count + 1))
      guard let attribute = owner.attribute(named: column) else {
        throw TypedTextError(
          unknown: column, in: owner.name, at: range, offering: owner.attributes.map(\.name))
      }
      try check(attribute)
      return name
    }
    let offered = (entity.map { [$0] } ?? model.entities).flatMap(\.attributes).map(\.name)
    throw TypedTextError(
      unknown: name, in: entity?.name ?? "the store", at: range, offering: offered)
  }

  private func check(_ attribute: AttributeDescription) throws(TypedTextError) {
    guard attribute.reading == nil else { return }
    throw TypedTextError(
      "\(attribute.name) keeps the type of the store's model, \(attribute.type.rawValue)",
      at: 0..<name.count)
  }
}
