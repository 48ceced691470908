import GRDB
import ObjectModel
import RowOutput
import SQLiteStore
import TestSupport
import Testing

/// What goes from the store's columns to the output is what goes there through values.
struct FieldOutputTests {
  /// Values that are written in forms of their own, and bytes that are no text.
  private static let literals = [
    "NULL", "''", "'plain'", "'a,b'", "'\"quoted\"'", "char(10, 13, 9, 8, 12, 1, 31, 127)",
    "'back\\slash'", "'é日本😀'", "char(0x10FF80, 0x10FFFF, 0xFFFD)", "CAST(x'61ff62' AS TEXT)",
    "CAST(x'610062' AS TEXT)", "CAST(x'c0afe28082' AS TEXT)", "CAST(x'eda080' AS TEXT)",
    "CAST(x'f09f98' AS TEXT)", "CAST(x'e9' AS TEXT)", "CAST(x'ff2c0a22' AS TEXT)",
    "x''", "x'00ff'", "x'0102030405060708090a0b0c0d0e0f10'", "0", "1", "-1", "2",
    "9223372036854775807", "-9223372036854775808", "0.1", "-0.0", "1e15", "1e16", "1e-320", "9e999",
    "-9e999", "2e17", "-63114076800.0", "-63114076801.5", "252423993600", "'2024-05-01'",
    "'2024-05-01T12:00:00Z'", "'99999-01-01'", "'not a date'", "'http://x/?a=b'", "'1.50'",
    "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'",
  ]

  /// Values of which only the beginning is read at first; some rows have one.
  private static let longLiterals = [
    "printf('%70000d', 7)", "printf('%70000d', 7) || CAST(x'ff' AS TEXT)", "zeroblob(120001)",
  ]

  private static let model = ManagedObjectModel {
    Entity("Item") {
      Attribute("text", .string)
      Attribute("count", .integer64)
      Attribute("part", .double)
      Attribute("exact", .decimal)
      Attribute("day", .date)
      Attribute("flag", .boolean)
      Attribute("bytes", .binaryData)
      Attribute("mark", .uuid)
      Attribute("link", .uri)
    }
  }

  private struct Sink: OutputSink {
    var bytes: [UInt8] = []
    var written: [UInt8] = []

    mutating func flushIfLarge() {
      guard bytes.count > 5_000 else { return }
      written += bytes
      bytes = []
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `fields are printed as values are`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let plain = folder.path("plain.sqlite")
    try Database.write(
      plain,
      """
      CREATE TABLE Item (id INTEGER PRIMARY KEY, text TEXT, count INTEGER, part REAL, exact NUMERIC,
        day DATE, flag BOOLEAN, bytes BLOB, mark UUID, link, other DATETIME);
      \(Self.inserts(into: "Item(id, text, count, part, exact, day, flag, bytes, mark, link, other)",
        columns: 10, &generator))
      """)
    try compare(SQLiteStore.open(path: plain), .stored, &generator)

    let coreData = folder.path("coredata.store")
    _ = try SQLiteStore.create(path: coreData, model: Self.model, layout: .coreData(.init()))
    try Database.write(
      coreData,
      Self.inserts(
        into:
          "ZITEM(Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCOUNT, ZPART, ZEXACT, ZDAY, ZFLAG, ZBYTES, ZMARK, ZLINK)",
        columns: 9, start: "1, 1, ", &generator))
    try compare(SQLiteStore.open(path: coreData), .logical, &generator)
  }

  /// Rows with random keys and values.
  private static func inserts(
    into columns: String, columns count: Int, start: String = "",
    _ generator: inout SeededGenerator
  ) -> String {
    var keys: Set<Int64> = [.min, .max, 0]
    for _ in 0..<60 { keys.insert(.random(in: -50...400, using: &generator)) }
    return keys.map { key in
      let values = (0..<count).map { _ in
        generator.pick(Int.random(in: 0..<100, using: &generator) == 0 ? longLiterals : literals)
      }
      let literal = key == .min ? "-9223372036854775808" : "\(key)"
      return
        "INSERT INTO \(columns) VALUES (\(literal), \(start)\(values.joined(separator: ", ")));"
    }.joined(separator: "\n")
  }

  private func compare(
    _ store: SQLiteStore, _ form: ValueForm, _ generator: inout SeededGenerator
  ) throws {
    let entity = try #require(store.model.entity(named: "Item"))
    let columns = OutputColumn.all(of: entity, relationships: false)
    for order in [[], [FetchSortDescriptor("text")], [.init("count", ascending: false)]] {
      let all = try store.fetch(FetchPlan(entityName: "Item", sortDescriptors: order), control: nil)
      var ids = all.ids
      if ids.onlyEntityName == nil {
        // The least keys of all have no codes.
        ids = ObjectIDList(
          keys: all.ids.compactMap { id in
            if case .integer(let key) = id.key, key > .min { key } else { nil }
          }, storeIdentifier: store.identifier, entityName: "Item")
      }
      #expect(ids.count > 40)
      try store.inReadTransaction {
        var keys: [Int64] = []
        let isRead = try store.readFields(of: ids, attributes: [0, 1]) { fields, key in
          keys.append(key)
          #expect(fields.count == 2)
        }
        #expect(isRead)
        #expect(keys.map { .integer($0) } == ids.map(\.key))
      }
      for format in 0..<3 {
        let direct = try output(of: ids, store, columns, form, format)
        #expect(try direct == output(of: ids, InstrumentedStore(store), columns, form, format))
        #expect(String(validating: direct, as: UTF8.self) != nil)
      }
    }
  }

  private func output(
    of ids: ObjectIDList, _ store: some PersistentStore, _ columns: [OutputColumn],
    _ form: ValueForm, _ format: Int
  ) throws -> [UInt8] {
    try store.inReadTransaction {
      var writer: any RowWriter =
        [JSONWriter(), JSONWriter(asArray: true), CSVWriter(columns: columns)][format]
      var sink = Sink()
      var reader = OutputRowReader(store, columns: .fixed(columns), form: form)
      try reader.print(ids, with: &writer, to: &sink)
      try writer.finish(&sink)
      return sink.written + sink.bytes
    }
  }

  @Test func `rows that are gone are left out, and nothing is read outside of a transaction`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("gone.sqlite")
    try Database.write(
      path,
      "CREATE TABLE Item (id INTEGER PRIMARY KEY, text); INSERT INTO Item VALUES (1, 'a'), (3, 'b'), (9, 'c')"
    )
    let store = try SQLiteStore.open(path: path)
    for keys: [Int64] in [[1, 2, 3, 4, 5, 8, 9, 10], [9, 2, 1], [1, 9, 1_000_000], [3, 3]] {
      let ids = ObjectIDList(keys: keys, storeIdentifier: store.identifier, entityName: "Item")
      var found: [Int64] = []
      let isReadOutside = try store.readFields(of: ids, attributes: [0]) { found.append($1) }
      #expect(!isReadOutside)
      let isRead = try store.inReadTransaction {
        try store.readFields(of: ids, attributes: [0]) { found.append($1) }
      }
      #expect(isRead)
      #expect(found == keys.filter { [1, 3, 9].contains($0) })
    }
  }
}
