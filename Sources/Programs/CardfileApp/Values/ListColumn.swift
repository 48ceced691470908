import ManagedObjects
import ObjectModel
import RowOutput
import TerminalKit

/// A column of a list: an attribute, the object of a to-one, the count of a to-many, or the object's
/// own name.
struct ListColumn: Hashable {
  /// What it shows.
  enum Source: Hashable {
    case attribute(AttributeDescription)
    case toOne(RelationshipDescription)
    case toMany(RelationshipDescription)
    /// The object's own name, for an entity without an attribute that identifies objects.
    case object(entityName: String)
  }

  let source: Source
  /// How numbers are written.
  let format: NumberFormat
  /// Whether dates have a time, which is in UTC.
  let hasTime: Bool
  /// The width of the widest sampled value, for columns that are never truncated.
  private let sampledWidth: Int?
  /// The width that a person chose; nil for a width by need.
  var width: Int?

  /// Makes a column; without a sample, numbers have the decimals that each needs.
  init(_ source: Source, sample: ListSample? = nil) {
    self.source = source
    guard case .attribute(let attribute) = source, let sample else {
      (format, hasTime, sampledWidth) = (NumberFormat(), false, nil)
      return
    }
    let values = sample.values(of: attribute.name)
    let format = NumberFormat(of: attribute, in: sample.entity, values: values)
    self.format = format
    hasTime = values.contains {
      if case .date = $0 { $0.description.utf8.count > 10 } else { false }
    }
    sampledWidth =
      Self.isWhole(attribute)
      ? values.reduce(0) { width, value in
        let text = ValueText.line(value, format: format, dates: .seconds) ?? ""
        return max(width, displayWidth(of: text))
      } : nil
  }

  /// The property's name, or the entity's for the object itself.
  var name: String {
    switch source {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship), .toMany(let relationship): relationship.name
    case .object(let entityName): entityName
    }
  }

  /// The name, with the time zone of times.
  func title(dates: DateForm) -> String { hasTime && dates != .days ? "\(name) (UTC)" : name }

  private static func isWhole(_ attribute: AttributeDescription) -> Bool {
    attribute.type.isNumeric || [.date, .boolean].contains(attribute.type)
  }

  /// The least width of a column of text.
  private static let leastTextWidth = 12

  /// The table's column, with a sort indicator if the list is sorted by it.
  func tableColumn(sort: FetchSortDescriptor?, dates: DateForm) -> TableColumn {
    var column = TableColumn(title(dates: dates), maximumWidth: 300, fixedWidth: width)
    switch source {
    case .attribute(let attribute):
      column.isWhole = Self.isWhole(attribute)
      column.alignment = attribute.type.isNumeric ? .right : .left
      column.idealWidth =
        attribute.type == .date ? sampledWidth.map(dates.width(within:)) : sampledWidth
    case .toMany: (column.isWhole, column.alignment) = (true, .right)
    case .toOne, .object: break
    }
    column.minimumWidth = Self.leastTextWidth
    if let sort, KeyPathText.components(of: sort.keyPath)?.first == name {
      column.sorting = sort.ascending ? .ascending : .descending
    }
    return column
  }

  /// The field of an object in this column.
  func field(
    of object: ManagedObject, in context: ManagedObjectContext, look: Look, dates: DateForm
  ) -> TableCell.Field {
    let text: String? =
      switch source {
      case .attribute(let attribute):
        ValueText.line(of: attribute, in: object, format: format, dates: dates)
      case .toOne(let relationship):
        object.objectID(forKey: relationship.name).map { context.displayName(of: $0) }
          ?? object.danglingID(forKey: relationship.name)?.description
      case .toMany(let relationship): groupedDigits(object.count(forKey: relationship.name))
      case .object: context.displayName(of: object.objectID)
      }
    guard let text else { return TableCell.Field(look.signs.null, style: look.theme.dim) }
    let isColor = text.hasPrefix("#") && text.utf8.count == 7
    return TableCell.Field(text, swatch: isColor ? Color(hex: text) : nil)
  }

  /// The column of an exported file.
  var outputColumn: OutputColumn {
    switch source {
    case .attribute(let attribute): OutputColumn(name: attribute.name, kind: .attribute(attribute))
    case .toOne(let relationship), .toMany(let relationship): OutputColumn(relationship)
    case .object: OutputColumn(name: OutputColumn.objectIDName, kind: .objectID)
    }
  }
}
