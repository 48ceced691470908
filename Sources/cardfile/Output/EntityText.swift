import ObjectModel
import TerminalKit

/// Describes stores and entities for a person.
enum EntityText {
  /// A line such as `chinook.sqlite: SQLite database, 1,007,616 bytes, DELETE journal`.
  static func summary(_ summary: StoreSummary) -> String {
    let facts = [
      summary.kind,
      summary.generation.map { "written by \(Signs.unicode.visible($0))" },
      summary.byteCount.map { "\(groupedDigits($0)) bytes" },
      summary.journalMode.map { "\($0) journal" },
    ]
    return "\(Signs.unicode.visible(summary.name)): "
      + facts.compactMap(\.self).joined(separator: ", ")
  }

  /// Writes an entity: its name, a table of its attributes, and its relationships with their rules.
  static func write(_ entity: EntityDescription, to output: inout StandardOutput) throws {
    try output.writeLine(title(of: entity))
    var attributes = TextTable(columns: ["  Attribute", "Type", "Declared", "Notes"].map(column))
    for attribute in entity.attributes {
      try attributes.write(
        [
          "  " + attribute.name, attribute.type.rawValue, attribute.declaredType,
          notes(on: attribute, of: entity),
        ], to: &output)
    }
    try attributes.finish(&output)
    guard !entity.relationships.isEmpty else { return }
    try output.writeLine("")
    var relationships = TextTable(
      columns: ["  Relationship", "", "Entity", "Inverse", "When deleted"].map(column))
    for relationship in entity.relationships {
      try relationships.write(
        [
          "  " + relationship.name,
          relationship.isToMany ? Signs.unicode.toMany : Signs.unicode.toOne,
          relationship.destinationEntityName, relationship.inverseName ?? "",
          relationship.deleteRule.rawValue,
        ], to: &output)
    }
    try relationships.finish(&output)
  }

  private static func column(_ title: String) -> TextTable.Column {
    TextTable.Column(title: title, isNumeric: false)
  }

  private static func title(of entity: EntityDescription) -> String {
    var title = Signs.unicode.visible(entity.name)
    if let superentity = entity.superentityName {
      title += ": \(Signs.unicode.visible(superentity))"
    }
    if entity.isAbstract { title += " (abstract)" }
    if let reason = entity.readOnlyReason { title += " (read-only: \(reason))" }
    return title
  }

  private static func notes(on attribute: AttributeDescription, of entity: EntityDescription)
    -> String
  {
    var notes: [String] = []
    if entity.keyAttributes.contains(attribute.name) { notes.append("key") }
    if !attribute.isOptional { notes.append("required") }
    if entity.uniquenessConstraints.contains([attribute.name]) { notes.append("unique") }
    if attribute.isReadOnly { notes.append("computed") }
    if !attribute.defaultValue.isNull { notes.append("default \(attribute.defaultValue)") }
    if attribute.encoding != attribute.type.usualEncoding {
      notes.append("stored as \(attribute.encoding.rawValue)")
    }
    return notes.joined(separator: ", ")
  }
}
