import ObjectModel
import SQLQueries

/// The property that a column is taken for, in a store without a model.
struct ColumnReading {
  enum Kind {
    case attribute(Catalog.Column)
    /// A foreign key to the entity with a number.
    case toOne(Int64)
  }

  /// The property's name: the column's in lower case.
  let name: String
  let kind: Kind

  /// The attribute; nil for a relationship.
  var attribute: AttributeDescription? {
    guard case .attribute(let column) = kind else { return nil }
    return AttributeDescription(name, Self.type(declared: column.declaredType))
  }

  /// The relationship; nil for an attribute.
  func relationship(_ numbers: EntityNumbers) -> RelationshipDescription? {
    guard case .toOne(let number) = kind, let entry = numbers.entry(number) else { return nil }
    return RelationshipDescription(name, to: entry.name)
  }

  /// The attribute type for a declared column type: core-data-stores 4.3.
  private static func type(declared: String) -> AttributeType {
    switch declared.uppercased() {
    case "INTEGER": .integer64
    case "DECIMAL": .decimal
    case "FLOAT": .double
    case "TIMESTAMP": .date
    case "BLOB": .binaryData
    case let type where type.hasPrefix("VARCHAR"): .string
    default: .undefined
    }
  }
}

extension ActualTable {
  /// The columns of properties, without Z_PK, Z_ENT, Z_OPT and the companion columns of to-ones.
  var objectColumns: [Catalog.Column] {
    columnNames.compactMap(column).filter { column in
      let name = column.name
      guard name.hasPrefix("Z"),
        ![Self.keyColumn, Self.entityColumn, Self.versionColumn].contains(name)
      else { return false }
      // `Z3ITEMS`, `Z10_QUOTE`: no property's name begins with a digit.
      if name.numberAndName(after: "Z") != nil { return false }
      return !name.hasPrefix("Z_FOK_") || self.column("Z" + name.dropFirst(6)) == nil
    }
  }

  /// The number of a to-one's destination entity, from its companion column: 10 for `ZQUOTE` if
  /// there is `Z10_QUOTE`.
  func destinationNumber(of column: Catalog.Column) -> Int64? {
    let ending = "_" + column.name.dropFirst()
    let numbers = columnNames.compactMap { name -> Int64? in
      guard let (number, rest) = name.numberAndName(after: "Z"), rest == ending else { return nil }
      return number
    }
    return numbers.count == 1 ? numbers[0] : nil
  }
}

extension String {
  /// The number after a prefix and the rest of the name: 10 and `_QUOTE` for `Z10_QUOTE`; nil if no
  /// number follows the prefix.
  func numberAndName(after prefix: String) -> (number: Int64, name: String)? {
    guard hasPrefix(prefix) else { return nil }
    let rest = dropFirst(prefix.count)
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard let number = Int64(digits), digits.count < rest.count else { return nil }
    return (number, String(rest.dropFirst(digits.count)))
  }
}
