import Foundation
import GRDB
import ObjectModel
import SQLQueries

/// Guesses the destination entity of a foreign key in a store without a model.
///
/// A guess is made only if the column's name, its index and its values agree.
struct DestinationGuess {
  let facts: StoreFacts
  let database: Database

  /// The number of the destination entity; nil if it is ambiguous.
  ///
  /// - Throws: `DatabaseError`.
  func destination(of column: Catalog.Column, in table: ActualTable, owner: EntityNumbers.Entry)
    throws -> Int64?
  {
    guard column.declaredType.uppercased() == "INTEGER" else { return nil }
    let name = column.name.dropFirst()
    let fitting = facts.numbers.entries.filter { entry in
      let capitals = entry.name.uppercased()
      return entry.superNumber == nil && !facts.numbers.sharesTable(entry)
        && (capitals == name || capitals == owner.name.uppercased() + name
          || (commonPrefix.count > 1 && capitals == commonPrefix + name))
    }
    guard fitting.count == 1, let destination = facts.tables["Z" + fitting[0].name.uppercased()],
      try hasIndex(column.name, of: table), try leads(column.name, of: table, to: destination)
    else { return nil }
    return fitting[0].number
  }

  /// The common prefix of all entity names, in upper case.
  private var commonPrefix: String {
    let names = facts.numbers.entries.map { $0.name.uppercased() }
    guard names.count > 1, let first = names.first else { return "" }
    return names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
  }

  private func hasIndex(_ column: String, of table: ActualTable) throws -> Bool {
    try Row.fetchOne(
      database, sql: "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?",
      arguments: ["\(table.name)_\(column)_INDEX"]) != nil
  }

  /// Whether the column has values, and one of the first 500 is a key of the destination, unless that
  /// has no rows.
  ///
  /// Those that are no keys are references to deleted objects, which must not hide the others.
  private func leads(_ column: String, of table: ActualTable, to destination: ActualTable) throws
    -> Bool
  {
    let (source, name, target) = (
      table.name.quotedDatabaseIdentifier, column.quotedDatabaseIdentifier,
      destination.name.quotedDatabaseIdentifier
    )
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*), count(d.Z_PK), EXISTS (SELECT 1 FROM \(target))
        FROM (SELECT s.\(name) AS k FROM \(source) AS s WHERE s.\(name) IS NOT NULL LIMIT 500) AS v
        LEFT JOIN \(target) AS d ON d.Z_PK = v.k
        """)
    guard let row, let count = Int.fromDatabaseValue(row[0]) else { return false }
    return count > 0 && (row[1] as Int64 > 0 || row[2] as Int64 == 0)
  }
}
