/// Describes a model for a person as titles, tables and lines, without a layout.
///
/// Names and texts are unchanged; the caller makes control characters visible.
package struct ModelText {
  /// A table of texts with column titles.
  package struct Table: Hashable, Sendable {
    /// The column titles.
    package var columns: [String]
    /// The rows, with one text per column.
    package var rows: [[String]]
  }

  let model: ManagedObjectModel

  /// Creates a description of a model.
  package init(_ model: ManagedObjectModel) { self.model = model }

  /// The title of an entity: `Writer: Author (abstract), class LibraryWriter`.
  package func title(of entity: EntityDescription) -> String {
    var title = entity.name
    if let superentity = entity.superentityName { title += ": \(superentity)" }
    if entity.isAbstract { title += " (abstract)" }
    if let reason = entity.readOnlyReason { title += " (read-only: \(reason))" }
    if let name = entity.details.className { title += ", class \(name)" }
    return title
  }

  /// A table of the entity's attributes and one of its relationships; empty tables are omitted.
  package func tables(of entity: EntityDescription) -> [Table] {
    let details = entity.details
    let attributes =
      entity.attributes.map { row(of: $0, in: entity, isTransient: false) }
      + details.transientAttributes.map { row(of: $0, in: entity, isTransient: true) }
    let relationships =
      entity.relationships.map { row(of: $0, in: entity, isTransient: false) }
      + details.transientRelationships.map { row(of: $0, in: entity, isTransient: true) }
    return [
      Table(columns: ["Attribute", "Type", "Declared", "Notes"], rows: attributes),
      Table(
        columns: ["Relationship", "To", "Entity", "Inverse", "When deleted", "Notes"],
        rows: relationships),
    ].filter { !$0.rows.isEmpty }
  }

  /// Everything else of an entity (sub-entities, composites, fetched properties, constraints,
  /// indexes, user info), one line each.
  package func lines(of entity: EntityDescription) -> [String] {
    let details = entity.details
    var lines: [String] = []
    let children = model.entities.filter { $0.superentityName == entity.name }.map(\.name)
    if !children.isEmpty { lines.append("Sub-entities: " + Self.list(children)) }
    lines += details.composites.map { composite in
      let type = composite.typeName.map { ": \($0)" } ?? ""
      return "Composite \(composite.name)\(type)" + Self.suffix(propertyNotes(composite.details))
    }
    lines += details.fetchedProperties.map { property in
      "Fetched \(property.name): \(text(of: property.fetchRequest))"
        + Self.suffix(propertyNotes(property.details))
    }
    lines += entity.uniquenessConstraints.filter { $0.count > 1 }.map { "Unique: " + Self.list($0) }
    lines += details.fetchIndexes.map { index in
      let parts = index.elements.map { element in
        element.property + (element.isAscending ? "" : " descending")
          + (element.kind == .rTree ? " (R-tree)" : "")
      }
      let condition = index.partialPredicate.map { " where \($0)" } ?? ""
      return "Index \(index.name): \(Self.list(parts))\(condition)"
    }
    lines += details.compoundIndexes.map { "Index: " + Self.list($0) }
    if let name = details.renamingIdentifier { lines.append("Formerly \(name)") }
    if let modifier = details.versionHashModifier { lines.append("Version hash: \(modifier)") }
    lines += details.unenforcedKeys + details.unreadableColumns
    return lines + Self.lines(of: details.userInfo)
  }

  /// Everything of the model except its entities (version identifiers, configurations, fetch
  /// request templates), one line each.
  package var lines: [String] {
    let details = model.details
    let identifiers = details.versionIdentifiers.filter { !$0.isEmpty }
    return (identifiers.isEmpty ? [] : ["Version: " + Self.list(identifiers)])
      + details.configurations.sorted { $0.key < $1.key }.map {
        "Configuration \($0.key): " + Self.list($0.value)
      }
      + details.fetchRequestTemplates.sorted { $0.key < $1.key }.map {
        "Fetch request \($0.key): " + text(of: $0.value)
      }
  }

  private func text(of request: FetchRequestTemplate) -> String {
    let order = request.sortDescriptors.map { $0.keyPath + ($0.isAscending ? "" : " descending") }
    return request.entityName + (request.predicate.map { " where \($0)" } ?? "")
      + (order.isEmpty ? "" : " by \(Self.list(order))")
      + (request.fetchLimit > 0 ? ", at most \(request.fetchLimit)" : "")
  }

  static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  private static func suffix(_ notes: [String]) -> String {
    notes.isEmpty ? "" : " (\(list(notes)))"
  }

  private static func lines(of userInfo: [String: String]) -> [String] {
    userInfo.sorted { $0.key < $1.key }.map { "Note \($0.key): \($0.value)" }
  }
}
