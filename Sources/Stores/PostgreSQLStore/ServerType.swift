import Foundation
import ObjectModel
import SQLQueries

/// The type of a column, as far as it decides how its values are read and compared.
enum ServerType: Hashable, Sendable {
  case boolean
  /// `smallint`, `integer`, `bigint`, by their bits; `oid` is a `bigint` here.
  case integer(bits: Int)
  /// A float of four bytes, whose text is another double than its value.
  case real
  case double
  /// Whether every number is one of ours, of at most 38 digits.
  case numeric(isOurs: Bool)
  /// `text`, `varchar`, `name`: compared by bytes, unless a collation is not deterministic.
  case text(isDeterministic: Bool, ColumnCollations)
  /// `char(n)`, whose spaces at the end count here and not there.
  case padded
  case date
  /// Without a time zone; in UTC here.
  case timestamp
  case timestampWithZone
  case uuid
  case bytes
  /// Any other type: its values are their text, as `json`, `inet`, enumerations, arrays and ranges.
  case other

  /// The type with a name of pg_type, after domains have been followed.
  init(
    name: String, written: String, isEnumerationOrComposite: Bool, isDeterministic: Bool,
    collations: ColumnCollations
  ) {
    self =
      switch name {
      case _ where isEnumerationOrComposite: .other
      case "bool": .boolean
      case "int2": .integer(bits: 16)
      case "int4": .integer(bits: 32)
      case "int8", "oid": .integer(bits: 64)
      case "float4": .real
      case "float8": .double
      case "numeric": .numeric(isOurs: Self.isOurs(written))
      case "text", "varchar", "name": .text(isDeterministic: isDeterministic, collations)
      case "bpchar": .padded
      case "date": .date
      case "timestamp": .timestamp
      case "timestamptz": .timestampWithZone
      case "uuid": .uuid
      case "bytea": .bytes
      default: .other
      }
  }

  /// Whether `numeric(10,2)` has at most as many digits as a decimal number here.
  private static func isOurs(_ written: String) -> Bool {
    guard let match = written.firstMatch(of: #/^numeric\((\d+),(\d+)\)$/#) else { return false }
    return [match.1, match.2].allSatisfy { Int($0).map { $0 <= 38 } ?? false }
  }

  /// The type of an attribute, and how its values are stored.
  var attribute: (type: AttributeType, encoding: ValueEncoding) {
    switch self {
    case .boolean: (.boolean, .booleanInteger)
    case .integer(let bits):
      (bits == 16 ? .integer16 : bits == 32 ? .integer32 : .integer64, .native)
    case .real: (.float, .native)
    case .double: (.double, .native)
    case .numeric: (.decimal, .decimalText)
    case .text, .padded, .other: (.string, .native)
    case .date, .timestamp, .timestampWithZone: (.date, .isoText)
    case .uuid: (.uuid, .uuidText)
    case .bytes: (.binaryData, .native)
    }
  }

  /// Whether values may be so long that only their beginning is read.
  var mayBeLong: Bool {
    switch self {
    case .text, .bytes, .other: true
    default: false
    }
  }

  /// What is selected of a column: not each type is written by itself as its text is.
  func selected(_ column: SQL) -> SQL { self == .other ? "\(column)::text" : column }

  /// Whether a column may have a value as its key, so that asking for it is no error.
  func mayHave(_ key: Value) -> Bool {
    switch (self, key) {
    case (.integer, .integer): true
    case (.integer, _), (_, .integer): false
    case (.uuid, .string(let text)): UUID(uuidString: text) != nil
    default: true
    }
  }

  /// The value of what the server sent as text.
  func value(_ row: ServerRow, _ column: Int) -> Value {
    switch self {
    case .integer: return row.integer(column).map(Value.integer) ?? .null
    case .boolean: return row.isNull(column) ? .null : .integer(row.flag(column) ? 1 : 0)
    case .real, .double:
      return row.text(column).map { Double($0).map(Value.double) ?? .string($0) } ?? .null
    case .bytes: return row.data(column).map(Value.data) ?? .null
    case .numeric, .text, .padded, .date, .timestamp, .timestampWithZone, .uuid, .other:
      return row.text(column).map(Value.string) ?? .null
    }
  }
}
