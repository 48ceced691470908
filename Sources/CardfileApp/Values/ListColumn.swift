import ManagedObjects
import ObjectModel
import TerminalKit

/// A column of a list: an attribute, the object of a to-one, or the count of a to-many.
struct ListColumn {
  /// The property that it shows.
  enum Source: Hashable {
    case attribute(AttributeDescription)
    case toOne(RelationshipDescription)
    case toMany(RelationshipDescription)
  }

  let source: Source

  /// The property's name, which is the column's title too.
  var name: String {
    switch source {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship), .toMany(let relationship): relationship.name
    }
  }

  /// The smallest width in columns of the screen.
  private var minimumWidth: Int {
    let title = min(displayWidth(of: name), 12)
    guard case .attribute(let attribute) = source else { return max(title, 10) }
    return switch attribute.type {
    case .string, .uri, .undefined: max(title, 12)
    case .date, .uuid: max(title, 10)
    default: max(title, 5)
    }
  }

  /// The table's column, with a sort indicator if the list is sorted by it.
  func tableColumn(sort: FetchSortDescriptor?) -> TableColumn {
    var isNumber = false
    if case .attribute(let attribute) = source { isNumber = attribute.type.isNumeric }
    if case .toMany = source { isNumber = true }
    let isSorted = sort.flatMap { KeyPathText.components(of: $0.keyPath) }?.first == name
    return TableColumn(
      name, alignment: isNumber ? .right : .left, minimumWidth: minimumWidth, maximumWidth: 60,
      sorting: isSorted ? (sort?.ascending == false ? .descending : .ascending) : nil)
  }

  /// The field of an object in this column.
  func field(of object: ManagedObject, in context: ManagedObjectContext, look: Look)
    -> TableCell.Field
  {
    let text: String? =
      switch source {
      case .attribute(let attribute):
        ValueText.line(of: attribute, in: object)
      case .toOne(let relationship):
        object.objectID(forKey: relationship.name).map { context.displayName(of: $0) }
      case .toMany(let relationship): groupedDigits(object.count(forKey: relationship.name))
      }
    return text.map { TableCell.Field($0) }
      ?? TableCell.Field(look.signs.null, style: look.theme.dim)
  }

  // MARK: Choosing

  /// The columns of a list: those named, or the display attribute first, and keys and bytes last.
  ///
  /// The hidden relationship leads to the same object for all rows.
  static func columns(
    of entity: EntityDescription, named names: [String]?, hiding hidden: String?
  ) -> [ListColumn] {
    if let names {
      let asked = names.compactMap { column(named: $0, of: entity) }
      if !asked.isEmpty { return asked }
    }
    let display = entity.displayAttributeName
    var columns: [ListColumn] = []
    var last: [ListColumn] = []
    var shown: Set<String> = []
    if let attribute = display.flatMap({ entity.attribute(named: $0) }) {
      columns.append(ListColumn(source: .attribute(attribute)))
    }
    for attribute in entity.attributes where attribute.name != display {
      let leading = entity.toOneRelationships.first {
        $0.foreignKeyAttributes.contains(attribute.name)
      }
      if let leading {
        guard leading.name != hidden, shown.insert(leading.name).inserted else { continue }
        columns.append(ListColumn(source: .toOne(leading)))
      } else if entity.keyAttributes.contains(attribute.name) || attribute.type == .binaryData {
        last.append(ListColumn(source: .attribute(attribute)))
      } else {
        columns.append(ListColumn(source: .attribute(attribute)))
      }
    }
    for relationship in entity.toOneRelationships
    where relationship.name != hidden && shown.insert(relationship.name).inserted {
      columns.append(ListColumn(source: .toOne(relationship)))
    }
    return columns + last
  }

  private static func column(named name: String, of entity: EntityDescription) -> ListColumn? {
    if let attribute = entity.attribute(named: name) {
      return ListColumn(source: .attribute(attribute))
    }
    return entity.relationship(named: name).map {
      ListColumn(source: $0.isToMany ? .toMany($0) : .toOne($0))
    }
  }

  /// The columns that fit a width; only the first below 60 columns.
  static func fitting(_ columns: [ListColumn], width: Int) -> [ListColumn] {
    guard width >= 60 else { return Array(columns.prefix(1)) }
    var left = width - 8
    return Array(
      columns.prefix { column in
        left -= column.minimumWidth + 2
        return left >= 0
      })
  }
}
