import Foundation
import ObjectModel
import SQLQueries

/// Reads persistent history page by page: core-data-stores 6.
struct HistoryReader {
  /// A position in persistent history.
  struct Position: Hashable, Sendable {
    var transaction = Int64.min
    var change = Int64.min
    /// Whether a change of ``transaction`` has been read.
    var isInside = false
  }

  /// A page of persistent history.
  struct Page {
    var transactions: [HistoryTransaction] = []
    /// The position of the next page; nil after the last page.
    var next: Position?
  }

  /// The maximum number of changes in a page.
  static let pageLength = 20_000

  private let layout: StoreLayout
  private let storeIdentifier: String
  private let tables: CoreDataSchema.HistoryTables
  private let entityNames: [Int64: String]
  private let connection: Connection
  private var strings: [Int64: String?] = [:]
  private var decodings: [Int64: Decoding] = [:]

  /// How the changes of an entity are decoded.
  private struct Decoding {
    let entityName: String
    let isKnown: Bool
    let slots: HistorySlots
    let kept: [AttributeDescription]
  }

  /// Creates a reader; nil if the store has no persistent history.
  init?(layout: StoreLayout, storeIdentifier: String, connection: Connection) {
    guard let schema = layout.coreData, let tables = schema.history else { return nil }
    self.layout = layout
    self.storeIdentifier = storeIdentifier
    self.tables = tables
    self.connection = connection
    entityNames = schema.entityNames
  }

  /// Reads the next page, without transactions before a date.
  ///
  /// - Throws: ``StoreError``.
  mutating func page(after position: Position, since date: Date?) throws(StoreError) -> Page {
    let statement = try Statement(
      query(after: position, since: date), on: connection, doing: "reading the history")
    var page = Page()
    var position = position
    var count = 0
    while try statement.step() {
      let number = statement.integer(0)
      if page.transactions.last?.number != number {
        let continues = position.isInside && position.transaction == number
        page.transactions.append(try transaction(statement, isContinuation: continues))
      }
      position = Position(transaction: number, change: .max)
      if statement.isInteger(Column.changeKey) {
        page.transactions[page.transactions.count - 1].changes.append(change(statement))
        position.change = statement.integer(Column.changeKey)
        position.isInside = true
      }
      count += 1
    }
    page.next = count == Self.pageLength ? position : nil
    return page
  }

  /// The columns of ``query(after:since:)``.
  private enum Column {
    static let strings: Int32 = 2
    static let stringKeys: Int32 = 6
    static let changeKey: Int32 = 10
    static let kind: Int32 = 11
    static let entity: Int32 = 12
    static let key: Int32 = 13
    static let bitmap: Int32 = 14
    static let tombstones: Int32 = 15
  }

  private func query(after position: Position, since date: Date?) -> SQL {
    let words = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID", "ZCONTEXTNAME"]
    var columns: [SQL] = ["t.Z_PK", "t.ZTIMESTAMP"]
    columns += words.map { .column($0, of: "t") }
    columns += words.map { tables.hasStrings ? .column($0 + "TS", of: "t") : "NULL" }
    columns += ["c.Z_PK", "c.ZCHANGETYPE", "c.ZENTITY", "c.ZENTITYPK", "c.ZCOLUMNS"]
    columns += (0..<max(tables.tombstoneCount, 0)).map { "c.ZTOMBSTONE\(number: $0)" }
    let (transaction, isFirst) = (position.transaction, position.transaction == .min)
    let conditions: [SQL?] = [
      "t.Z_PK >= \(transaction)",
      "(t.Z_PK > \(transaction) OR c.Z_PK > \(position.change) OR \(Value.bool(isFirst)))",
      date.map { "t.ZTIMESTAMP >= \(Value.double($0.timeIntervalSinceReferenceDate))" },
    ]
    return """
      SELECT \(columns) FROM ATRANSACTION t LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK\
      \(where: conditions) ORDER BY t.Z_PK, c.Z_PK LIMIT \(number: Self.pageLength)
      """
  }

  private mutating func transaction(_ statement: borrowing Statement, isContinuation: Bool)
    throws(StoreError) -> HistoryTransaction
  {
    var words: [String?] = []
    for index in 0..<4 as Range<Int32> {
      let key = Column.stringKeys + index
      let inline = statement.value(Column.strings + index).text
      let shared = statement.isInteger(key) ? try string(statement.integer(key)) : nil
      words.append(shared ?? inline)
    }
    let stamp = statement.value(1)
    let isNumber = if case .double = stamp { true } else { statement.isInteger(1) }
    return HistoryTransaction(
      number: statement.integer(0),
      date: isNumber ? Date(timeIntervalSinceReferenceDate: statement.double(1)) : nil,
      author: words[0], bundle: words[1], process: words[2], contextName: words[3],
      isContinuation: isContinuation, changes: [])
  }

  /// A string in ATRANSACTIONSTRING; nil if there is none with the key.
  private mutating func string(_ key: Int64) throws(StoreError) -> String? {
    if let known = strings[key] { return known }
    let text = try connection.rows(
      "SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = \(key)",
      doing: "reading the history"
    ).first?.first?.text
    strings[key] = .some(text)
    return text
  }

  private mutating func change(_ statement: borrowing Statement) -> HistoryTransaction.Change {
    let decoding = decoding(of: statement.integer(Column.entity))
    let key = statement.integer(Column.key)
    var changes = HistorySlots.Changes()
    if case .data(let bitmap) = statement.value(Column.bitmap) {
      changes = decoding.slots.changes(in: bitmap)
    }
    var tombstone: [String: Value] = [:]
    for (index, attribute) in decoding.kept.enumerated() {
      let stored = statement.value(Column.tombstones + Int32(index))
      if !stored.isNull { tombstone[attribute.name] = attribute.decode(stored) }
    }
    return HistoryTransaction.Change(
      kind: HistoryTransaction.Change.Kind(statement.value(Column.kind)),
      entityName: decoding.entityName, key: key,
      objectID: decoding.isKnown
        ? ObjectID(
          storeIdentifier: storeIdentifier, entityName: decoding.entityName, key: .integer(key))
        : nil,
      changedProperties: changes.properties, unknownPropertyCount: changes.unknownCount,
      tombstone: tombstone)
  }

  private mutating func decoding(of number: Int64) -> Decoding {
    if let known = decodings[number] { return known }
    let entity = entityNames[number].flatMap { layout.model.entity(named: $0) }
    let name = entity?.name ?? "entity \(number)"
    let kept = entity.map { entity in
      HistoryTombstones(of: entity, limit: tables.tombstoneCount).attributes
        .map { entity.attributes[$0] }
    }
    let decoding = Decoding(
      entityName: name, isKnown: entity != nil,
      slots: HistorySlots(entityName: name, layout: layout), kept: kept ?? [])
    decodings[number] = decoding
    return decoding
  }
}

extension HistoryTransaction.Change.Kind {
  /// The kind of a ZCHANGETYPE.
  fileprivate init(_ stored: Value) {
    guard case .integer(let number) = stored else {
      self = .unknown(-1)
      return
    }
    self =
      switch number {
      case 0: .insert
      case 1: .update
      case 2: .delete
      default: .unknown(number)
      }
  }
}
