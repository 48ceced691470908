import ObjectModel
import SQLQueries

/// A table of a new Core Data store.
struct CoreDataTable: Hashable {
  /// A column.
  struct Column: Hashable {
    let name: String
    /// INTEGER, FLOAT, TIMESTAMP, DECIMAL, VARCHAR or BLOB.
    let declaredType: String
  }

  /// The first columns of a table with objects.
  static let objectColumns = [
    Column(name: "Z_PK", declaredType: "INTEGER PRIMARY KEY"),
    Column(name: "Z_ENT", declaredType: "INTEGER"), Column(name: "Z_OPT", declaredType: "INTEGER"),
  ]

  let name: String
  /// The columns, the key first.
  let columns: [Column]
  /// The table constraint, as `PRIMARY KEY (…)`; empty for none.
  var constraint = ""

  /// The CREATE TABLE statement, with Core Data's spacing.
  var statement: String {
    var parts = columns.map { "\(Self.identifier($0.name)) \($0.declaredType)" }
    if !constraint.isEmpty { parts.append(constraint) }
    return "CREATE TABLE \(Self.identifier(name)) ( \(parts.joined(separator: ", ")) )"
  }

  /// A name as Core Data writes it: quoted only if necessary.
  static func identifier(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }
    return isPlain ? name : SQL.quote(name)
  }
}

extension AttributeDescription {
  /// The declared type of the attribute's column: core-data-stores 4.3.
  var coreDataColumnType: String {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .binaryData, .uuid, .transformable, .undefined: "BLOB"
    }
  }

  /// The group of the attribute's column in the column order of a new table.
  var coreDataColumnGroup: Int {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: 0
    case .double, .float, .date: 1
    case .decimal: 2
    case .string: 3
    case .uri: 4
    case .uuid: 5
    case .binaryData, .transformable, .undefined: 6
    }
  }
}
