import Foundation
import ObjectModel
import SQLQueries

/// Writes a save to persistent history: core-data-stores 5 and 6.
struct HistoryWriter: Sendable {
  /// The bundle and process of transactions.
  private static let program = "cardfile"

  /// How the changes of an entity are encoded.
  private struct Encoding {
    let number: Int64
    let slots: HistorySlots
    let kept: [Int]
  }

  private let layout: StoreLayout
  private let numbers: [String: Int64]
  private let tables: CoreDataSchema.HistoryTables

  /// Creates a writer; nil if the store has no persistent history.
  init?(layout: StoreLayout) {
    guard let schema = layout.coreData, let tables = schema.history else { return nil }
    self.layout = layout
    self.tables = tables
    numbers = schema.entityNumbers
  }

  /// Writes one transaction with its changes, in their order, once a save and inside of the save's
  /// transaction; nothing without changes.
  ///
  /// - Throws: ``StoreError``.
  func write(
    _ changes: [HistoryChange], contextName: String? = nil, at date: Date = Date(),
    with statements: SaveStatements, keys: KeyAllocator
  ) throws(StoreError) {
    guard !changes.isEmpty else { return }
    let transaction = try writeTransaction(contextName, at: date, with: statements, keys: keys)
    var key = try keys.allocate(changes.count, in: HistoryTable.change.keys)
    var encodings: [String: Encoding] = [:]
    for change in changes {
      let name = change.entityName
      if encodings[name] == nil { encodings[name] = try encoding(of: name) }
      guard let known = encodings[name] else { continue }
      try write(change, encoding: known, key: key, transaction: transaction, with: statements)
      key += 1
    }
  }

  private func encoding(of entityName: String) throws(StoreError) -> Encoding {
    guard let number = numbers[entityName] else {
      throw StoreError(
        .unknownName, doing: "writing the history", subject: entityName,
        detail: "the store has no number for this entity")
    }
    let kept = layout.model.entity(named: entityName).map {
      HistoryTombstones(of: $0, limit: tables.tombstoneCount).attributes
    }
    return Encoding(
      number: number, slots: HistorySlots(entityName: entityName, layout: layout), kept: kept ?? [])
  }

  /// Writes the row of the transaction.
  private func writeTransaction(
    _ contextName: String?, at date: Date, with statements: SaveStatements, keys: KeyAllocator
  ) throws(StoreError) -> Int64 {
    let table = HistoryTable.transaction
    let key = try keys.allocate(in: table.keys)
    var columns: [ColumnValue] = [
      ("Z_PK", .integer(key)), ("Z_ENT", .integer(table.entityNumber)),
      ("ZTIMESTAMP", .double(date.timeIntervalSinceReferenceDate)),
    ]
    let words = [
      ("ZBUNDLEID", Self.program), ("ZPROCESSID", Self.program), ("ZCONTEXTNAME", contextName),
    ]
    for case (let column, let word?) in words {
      if tables.hasStrings {
        let string = try stringKey(of: word, with: statements, keys: keys)
        columns.append((column + "TS", .integer(string)))
      } else {
        columns.append((column, .string(word)))
      }
    }
    try statements.write(table.insertion(columns))
    return key
  }

  /// The key of a string in ATRANSACTIONSTRING, into which it is inserted if it is new.
  private func stringKey(
    of text: String, with statements: SaveStatements, keys: KeyAllocator
  ) throws(StoreError) -> Int64 {
    let search: SQL = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = \(.string(text))"
    if let row = try statements.row(search), case .integer(let key) = row[0] {
      return key
    }
    let table = HistoryTable.string
    let key = try keys.allocate(in: table.keys)
    try statements.write(
      table.insertion([
        ("Z_PK", .integer(key)), ("Z_ENT", .integer(table.entityNumber)), ("ZNAME", .string(text)),
      ]))
    return key
  }

  private func write(
    _ change: HistoryChange, encoding: Encoding, key: Int64, transaction: Int64,
    with statements: SaveStatements
  ) throws(StoreError) {
    let table = HistoryTable.change
    var columns: [ColumnValue] = [
      ("Z_PK", .integer(key)), ("Z_ENT", .integer(table.entityNumber)),
      ("ZCHANGETYPE", .integer(change.kind.number)), ("ZENTITY", .integer(encoding.number)),
      ("ZENTITYPK", .integer(change.key)), ("ZTRANSACTIONID", .integer(transaction)),
    ]
    switch change.kind {
    case .insert: columns.append(("ZCOLUMNS", .null))
    case .update(let properties, let orders):
      let bitmap = encoding.slots.bitmap(properties: properties, orders: orders)
      columns.append(("ZCOLUMNS", .data(bitmap)))
    case .delete(let stored):
      columns.append(("ZCOLUMNS", .null))
      for (index, attribute) in encoding.kept.enumerated()
      where stored.indices.contains(attribute) {
        columns.append(("ZTOMBSTONE\(index)", stored[attribute]))
      }
    }
    try statements.write(table.insertion(columns))
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

/// A change of one object by a save, for persistent history.
struct HistoryChange: Hashable, Sendable {
  /// The kind of a change.
  enum Kind: Hashable, Sendable {
    /// The object was inserted.
    case insert
    /// Properties changed. Of the to-ones in `orders` only the order key changed.
    case update(properties: Set<String>, orders: Set<String> = [])
    /// The object was deleted; its stored values, in the order of its entity's attributes.
    case delete([Value])
  }

  /// The object's own entity.
  let entityName: String
  /// Its Z_PK.
  let key: Int64
  let kind: Kind
}
