import ObjectModel
import TerminalKit

/// A row in the list of entities.
enum EntityRow {
  case entity(ManagedObjectModel.RankedEntity)
  /// A table of the database without an entity.
  case table(StoreSummary.OtherTable)

  var name: String {
    switch self {
    case .entity(let ranked): ranked.entity.name
    case .table(let table): table.name
    }
  }

  var entity: EntityDescription? {
    if case .entity(let ranked) = self { ranked.entity } else { nil }
  }

  /// The columns of the list; that of unsaved changes only where there are some.
  static func columns(withUnsaved: Bool) -> [TableColumn] {
    [
      TableColumn("Entity", minimumWidth: 12, maximumWidth: 80),
      TableColumn("Objects", alignment: .right, idealWidth: 9, isWhole: true),
      withUnsaved ? TableColumn("Unsaved", isWhole: true) : nil,
      TableColumn("Sections by", idealWidth: 14),
      TableColumn("Relationships", maximumWidth: 300),
    ].compactMap(\.self)
  }

  /// The cell of the row.
  ///
  /// - Parameters:
  ///   - finding: What was found of the entity; nil for nothing yet.
  ///   - unsaved: The counters of what is not saved; nil without such a column.
  ///   - dim: The style of what has no objects of its own.
  /// - Returns: The cell.
  func cell(finding: EntityFinding?, unsaved: String?, dim: Style) -> TableCell {
    let texts: [String?]
    var style = dim
    switch self {
    case .table(let table):
      texts = [table.name, "", unsaved.map { _ in "" }, "(\(table.purpose))", ""]
    case .entity(let ranked):
      let entity = ranked.entity
      // All objects of an abstract entity belong to sub-entities.
      if !entity.isAbstract { style = .plain }
      texts = [
        String(repeating: "  ", count: min(ranked.depth, 8)) + entity.name + entity.readOnlyMark,
        finding.map { $0.count.map(groupedDigits) ?? "?" } ?? "", unsaved,
        finding?.sections ?? "", entity.relationships.map(\.name).joined(separator: " "),
      ]
    }
    return TableCell(fields: texts.compactMap { $0.map { TableCell.Field($0, style: style) } })
  }
}

extension EntityDescription {
  /// What follows the name of a view, or of another table whose objects cannot be changed.
  fileprivate var readOnlyMark: String {
    guard let readOnlyReason else { return "" }
    return readOnlyReason.hasSuffix(" is a view") ? " (view)" : " (read-only)"
  }
}
