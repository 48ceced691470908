import ObjectModel
import SQLQueries

/// A plain table of a new store.
struct TableBlueprint: Hashable {
  /// A column.
  struct Column: Hashable {
    var name: String
    var declaredType: String
    var isRequired = false
    /// The SQL of the default; nil for none.
    var defaultText: String?
    /// The foreign key; nil for none.
    var reference: Reference?
  }

  /// A foreign key.
  struct Reference: Hashable {
    var table: String
    var column: String
    var onDelete: String
  }

  var name: String
  /// The key column of an entity's table; nil for a join table, whose key is its first two columns.
  var keyColumn: String?
  var columns: [Column] = []

  /// The CREATE TABLE statement.
  ///
  /// AUTOINCREMENT prevents that the key of a deleted object is used again. Foreign keys are
  /// deferred to the end of a transaction, so that the order of its statements does not matter.
  var statement: String {
    var lines: [String] = []
    if let keyColumn { lines.append("\(SQL.quote(keyColumn)) INTEGER PRIMARY KEY AUTOINCREMENT") }
    lines += columns.map(\.definition)
    if keyColumn == nil {
      let pair = columns.prefix(2).map { SQL.quote($0.name) }.joined(separator: ", ")
      lines.append("PRIMARY KEY (\(pair))")
    }
    return "CREATE TABLE \(SQL.quote(name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
      + (keyColumn == nil ? " WITHOUT ROWID" : "")
  }

  /// Adds a column, under another name if its own is taken.
  mutating func add(_ column: Column, orNamed other: String) -> String {
    var taken = columns.map(\.name)
    if let keyColumn { taken.append(keyColumn) }
    var column = column
    column.name = Self.free([column.name, other], besides: taken)
    columns.append(column)
    return column.name
  }

  /// The first candidate that is not taken, by SQLite's comparison of names, or the last one with a
  /// number.
  static func free(_ candidates: [String], besides taken: [String]) -> String {
    func isFree(_ name: String) -> Bool { !taken.contains { $0.isSameName(as: name) } }
    if let name = candidates.first(where: isFree) { return name }
    let stem = candidates.last ?? ""
    var number = 2
    while !isFree("\(stem)\(number)") { number += 1 }
    return "\(stem)\(number)"
  }
}

extension TableBlueprint.Column {
  fileprivate var definition: String {
    var words = [SQL.quote(name)]
    if !declaredType.isEmpty { words.append(declaredType) }
    if isRequired { words.append("NOT NULL") }
    if let defaultText { words.append("DEFAULT \(defaultText)") }
    if let reference {
      words.append(
        "REFERENCES \(SQL.quote(reference.table))(\(SQL.quote(reference.column)))"
          + " ON DELETE \(reference.onDelete) DEFERRABLE INITIALLY DEFERRED")
    }
    return words.joined(separator: " ")
  }
}
