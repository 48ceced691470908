import Foundation
import ObjectModel

/// Writes a save into the history that other programs follow: core-data-stores 5 and 6.
struct HistoryWriter: Sendable {
  /// What a transaction says of who made it.
  private static let program = "cardfile"

  /// Where the properties of an entity stand in its changes.
  private struct Places {
    let number: Int64
    let slots: HistorySlots
    let kept: [Int]
  }

  private let layout: StoreLayout
  private let numbers: [String: Int64]
  private let tables: CoreDataSchema.HistoryTables

  /// Makes a writer; nil when the store keeps no history.
  init?(layout: StoreLayout) {
    guard let schema = layout.coreData, let tables = schema.history else { return nil }
    self.layout = layout
    self.tables = tables
    numbers = schema.entityNumbers
  }

  /// The places of the attributes whose values a deletion keeps; whole values are needed of those alone.
  func keptAttributes(of entityName: String) -> [Int] {
    layout.model.entity(named: entityName).map {
      HistoryTombstones(of: $0, limit: tables.tombstoneCount).attributes
    } ?? []
  }

  /// Writes one transaction with its changes, in their order.
  ///
  /// It is called once a save, inside of its transaction. Nothing is written when there are no changes.
  ///
  /// - Parameters:
  ///   - changes: What the save did.
  ///   - contextName: The name of the context; nil for none.
  ///   - date: When.
  ///   - statements: The statements of the save.
  /// - Throws: ``StoreError``.
  func write(
    _ changes: [HistoryChange], contextName: String? = nil, at date: Date = Date(),
    with statements: StatementRunner
  ) throws(StoreError) {
    guard !changes.isEmpty else { return }
    let transaction = try writeTransaction(contextName, at: date, with: statements)
    var key = try HistoryTable.change.takeKeys(changes.count, with: statements)
    var places: [String: Places] = [:]
    for change in changes {
      let name = change.entityName
      if places[name] == nil { places[name] = try self.places(of: name) }
      guard let known = places[name] else { continue }
      try write(change, places: known, key: key, transaction: transaction, with: statements)
      key += 1
    }
  }

  private func places(of entityName: String) throws(StoreError) -> Places {
    guard let number = numbers[entityName] else {
      throw StoreError(
        .unknownName, doing: "writing the history", subject: entityName,
        detail: "the store has no number for this entity")
    }
    return Places(
      number: number, slots: HistorySlots(entityName: entityName, layout: layout),
      kept: keptAttributes(of: entityName))
  }

  /// Writes the transaction itself.
  ///
  /// - Returns: Its number.
  private func writeTransaction(
    _ contextName: String?, at date: Date, with statements: StatementRunner
  ) throws(StoreError) -> Int64 {
    let number = try HistoryTable.transaction.takeKeys(1, with: statements)
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    var values: [Value] = [
      .integer(number), .integer(HistoryTable.transaction.entityNumber),
      .double(date.timeIntervalSinceReferenceDate),
    ]
    let words = [
      ("ZBUNDLEID", Self.program), ("ZPROCESSID", Self.program), ("ZCONTEXTNAME", contextName),
    ]
    for case (let column, let word?) in words {
      if tables.hasStrings {
        columns.append(column + "TS")
        values.append(.integer(try stringKey(of: word, with: statements)))
      } else {
        columns.append(column)
        values.append(.string(word))
      }
    }
    try statements.run(HistoryTable.transaction.insertion(columns, values))
    return number
  }

  /// The key of a text in the table of texts, where it is put when it is new.
  private func stringKey(of text: String, with statements: StatementRunner) throws(StoreError)
    -> Int64
  {
    let search: SQL = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = \(Value.string(text))"
    if let row = try statements.row(search, columns: 1), case .integer(let key) = row[0] {
      return key
    }
    let table = HistoryTable.string
    let key = try table.takeKeys(1, with: statements)
    try statements.run(
      table.insertion(
        ["Z_PK", "Z_ENT", "ZNAME"], [.integer(key), .integer(table.entityNumber), .string(text)]))
    return key
  }

  private func write(
    _ change: HistoryChange, places: Places, key: Int64, transaction: Int64,
    with statements: StatementRunner
  ) throws(StoreError) {
    let table = HistoryTable.change
    var columns = [
      "Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ]
    var values: [Value] = [
      .integer(key), .integer(table.entityNumber), .integer(change.kind.number),
      .integer(places.number),
      .integer(change.key), .integer(transaction), .null,
    ]
    switch change.kind {
    case .insert: break
    case .update(let properties, let orders):
      values[values.count - 1] = .data(places.slots.bitmap(properties: properties, orders: orders))
    case .delete(let stored):
      for (place, attribute) in places.kept.enumerated()
      where stored.indices.contains(attribute) {
        columns.append("ZTOMBSTONE\(place)")
        values.append(stored[attribute])
      }
    }
    try statements.run(table.insertion(columns, values))
  }
}

extension HistoryChange.Kind {
  /// ZCHANGETYPE.
  fileprivate var number: Int64 {
    switch self {
    case .insert: 0
    case .update: 1
    case .delete: 2
    }
  }
}
