import ObjectModel
import RowOutput
import SQLiteStore

extension Workload {
  static let json = Workload(
    name: "json",
    meaning: "print all rows as JSON, as fetch does; a loop that builds the same text",
    goal: .ratio(1.2)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let columns = OutputColumn.all(of: try people(in: store), relationships: false)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: {
        var sink = DroppingSink()
        var writer: any RowWriter = JSONWriter()
        var reader = OutputRowReader(store, columns: .fixed(columns), form: .stored)
        try store.inReadTransaction {
          let ids = try store.fetch(FetchPlan(entityName: "people"), control: nil).ids
          try reader.print(ids, with: &writer, to: &sink)
        }
        consume(sink.count)
      },
      raw: { try printRows(database) })
  }

  private static func printRows(_ database: borrowing RawDatabase) throws {
    let names = ["id"] + PeopleDatabase.columns
    let statement = try database.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM people ORDER BY id")
    let keys = names.map { Array("\"\($0)\":".utf8) }
    var sink = DroppingSink()
    while try statement.step() {
      for (index, key) in keys.enumerated() {
        sink.bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
        sink.bytes.append(contentsOf: key)
        if index == 0 {
          sink.bytes.append(contentsOf: String(statement.integer(at: 0)).utf8)
        } else {
          append(statement.utf8(at: Int32(index)), to: &sink.bytes)
        }
      }
      sink.bytes.append(contentsOf: [UInt8(ascii: "}"), UInt8(ascii: "\n")])
      try sink.flushIfLarge()
    }
    consume(sink.count)
  }

  /// Appends a string in quotes, or null for no text.
  private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard text.baseAddress != nil else { return bytes.append(contentsOf: Array("null".utf8)) }
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    if text.contains(where: { $0 < 0x20 || $0 == quote || $0 == UInt8(ascii: "\\") }) {
      for byte in text {
        if byte == quote || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
    } else {
      bytes.append(contentsOf: text)
    }
    bytes.append(quote)
  }
}

/// Counts what is written, and drops it.
private struct DroppingSink: OutputSink {
  var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func flushIfLarge() throws {
    guard bytes.count >= 1 << 16 else { return }
    count += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }
}
