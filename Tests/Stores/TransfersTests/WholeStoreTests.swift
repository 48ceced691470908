import AtomicStores
import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import Transfers

/// Whole stores, exported and imported again.
struct WholeStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The files of the real stores, as paths in their folder.
  private static let real: [String] = {
    guard let root = RealStores.folder else { return [] }
    let endings = ["sqlite", "db", "storedata", "moody", "xml"]
    let files =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return files.filter { name in endings.contains { name.hasSuffix("." + $0) } }.sorted()
  }()

  /// Opens a copy of a store.
  private func copy(of name: String) throws -> (path: String, store: any PersistentStore) {
    let source = try RealStores.file(name)
    let path = folder.path(source.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: path + suffix)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: path + suffix)
    }
    let support = source.deletingLastPathComponent().appending(
      path: "." + source.deletingPathExtension().lastPathComponent + "_SUPPORT")
    if FileManager.default.fileExists(atPath: support.path) {
      try FileManager.default.copyItem(at: support, to: folder.url(support.lastPathComponent))
    }
    if XMLStore.recognizes(path) { return (path, try XMLStore(path: path)) }
    return (path, try SQLiteStore.open(path: path))
  }

  /// An empty store of the same model, in the same layout.
  private func emptyStore(like store: any PersistentStore, at path: String) throws -> SQLiteStore {
    let new = folder.path("new.sqlite")
    guard let sqlite = store as? SQLiteStore, !sqlite.isCoreData else {
      return try SQLiteStore.create(
        path: new, model: store.model, layout: .coreData(CoreDataCreation()))
    }
    try FileManager.default.copyItem(atPath: path, toPath: new)
    try DatabaseQueue(path: new).writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      for table in tables { try database.execute(sql: "DELETE FROM \"\(table)\"") }
    }
    return try SQLiteStore.open(path: new)
  }

  private func differences(_ first: any PersistentStore, _ second: any PersistentStore) throws
    -> [String]
  {
    var found: [String] = []
    try StoreDifference(from: first, to: second).report { found.append("\($0): \($1)") }
    return found
  }

  /// The values of all objects, whatever keys they have.
  private func contents(of store: any PersistentStore) throws -> [String: [String]] {
    var contents: [String: [String]] = [:]
    for entity in store.model.entities where !entity.isAbstract {
      let plan = FetchPlan(entityName: entity.name, includesSubentities: false)
      let rows = try store.rows(of: Array(store.fetch(plan, control: nil).ids)).compactMap { $0 }
      contents[entity.name] = rows.map { row in
        entity.attributes.indices.map { "\(entity.attributes[$0].decode(row.values[$0]))" }
          .joined(separator: "|") + "|\(row.toOne.map { $0?.entityName ?? "" })"
      }.sorted()
    }
    return contents
  }

  @Test(.needsRealStores, arguments: real)
  func `what was exported and imported is equal`(name: String) throws {
    let (path, original) = try copy(of: name)
    let exported = folder.path("export")
    let result = try Exporter(original).write(to: exported)
    let new = try emptyStore(like: original, at: path)
    let imported = try FolderImporter(exported, into: new).run()
    #expect(imported.inserted == result.counts.values.reduce(0, +))
    // A database numbers objects that have texts for keys.
    if try original.hasTextKeys {
      #expect(try contents(of: original) == contents(of: new))
    } else {
      let found = try differences(original, new)
      #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
    }
    // What is wrong with the new store was wrong with the old one.
    let known = try (original as? SQLiteStore)?.check().filter { $0.severity == .error } ?? []
    let wrong = try new.check().filter { $0.severity == .error }
    #expect(wrong.count <= known.count, "\(wrong.flatMap(\.lines).prefix(5))")
  }

  /// An XML store whose objects have the keys that they have in another one, also texts.
  @Test(.needsRealStores, arguments: real.filter { $0.hasSuffix(".xml") })
  func `an XML store comes back as one, and goes through tables and JSON`(name: String) throws {
    let (_, original) = try copy(of: name)
    _ = try Exporter(original).write(to: folder.path("export"))
    let stores: [any BulkStore] = [
      try XMLStore.create(path: folder.path("new.xml"), model: original.model),
      try JSONStore.create(path: folder.path("new.json"), model: original.model),
    ]
    for store in stores {
      _ = try FolderImporter(folder.path("export"), into: store).run()
      #expect(try differences(original, store) == [])
    }
    let reopened = try XMLStore(path: folder.path("new.xml"), expectedModel: original.model)
    #expect(try differences(original, reopened) == [])
  }

  /// Core Data keeps a to-many without an inverse in its destination: one object leads to it.
  @Test func `two objects that lead to one are refused where only one can`() throws {
    let model = ManagedObjectModel {
      Entity("Person") { Attribute("name", .string) }
      Entity("Team") {
        Attribute("name", .string)
        ToMany("members", "Person")
      }
    }
    let memory = InMemoryStore(model: model)
    func new(_ entity: String, _ number: UInt64) -> ObjectID {
      ObjectID(storeIdentifier: "", entityName: entity, key: .temporary(number))
    }
    let ids = try memory.save(
      SaveRequest(
        inserted: [("Person", 1, "Ann"), ("Team", 2, "Red"), ("Team", 3, "Blue")].map {
          RowChange(id: new($0, $1), values: ChangedValues(["name": .string($2)]))
        })
    ).permanentIDs
    let linked = try [2, 3].map {
      ObjectLink(
        "members", from: try #require(ids[new("Team", $0)]),
        to: try #require(ids[new("Person", 1)]))
    }
    _ = try memory.save(SaveRequest(linked: linked))
    _ = try Exporter(memory).write(to: folder.path("export"))
    let json = try JSONStore.create(path: folder.path("store.json"), model: model)
    _ = try FolderImporter(folder.path("export"), into: json).run()
    #expect(try differences(memory, json) == [])
    let tables = try SQLiteStore.create(
      path: folder.path("store.sqlite"), model: model, layout: .coreData(CoreDataCreation()))
    let error = try #require(throws: TransferError.self) {
      try FolderImporter(folder.path("export"), into: tables).run()
    }
    #expect("\(error)".contains("members"), "\(error)")
    #expect(try tables.fetch(FetchPlan(entityName: "Person"), control: nil).ids.count == 0)
  }

  @Test func `values that JSON has no form for come back as they were`() throws {
    let path = folder.path("odd.sqlite")
    let schema = """
      CREATE TABLE odd(id INTEGER PRIMARY KEY, n INTEGER, r REAL, t TEXT, b BLOB, x, d DATE,
        s BOOLEAN);
      """
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: schema + """
          INSERT INTO odd VALUES
            (1, 'text', 'more', 5, 'not bytes', x'00', 'no date', 7),
            (2, x'01', 9e999, CAST(x'ff41' AS TEXT), x'', '007', 12.5, 'yes'),
            (3, 9223372036854775807, -0.0, '="x"', zeroblob(100000), 1e300, '2001-02-03', 1),
            (-4, 1.5, -9e999, '', NULL, '', NULL, NULL),
            (5, '', 1, 'a' || char(0) || 'b', x'7b', 'é', '2001-02-03T04:05:06.789Z', 0);
          """)
    }
    let store = try SQLiteStore.open(path: path)
    let result = try Exporter(store).write(to: folder.path("export"))
    #expect(result.counts == ["odd": 5] && result.fileCount == 1)
    let new = folder.path("new.sqlite")
    try DatabaseQueue(path: new).writeWithoutTransaction { try $0.execute(sql: schema) }
    let other = try SQLiteStore.open(path: new)
    #expect(try FolderImporter(folder.path("export"), into: other).run().inserted == 5)
    let dump =
      "SELECT id, quote(n), quote(r), quote(t), hex(t), quote(b), quote(x), quote(d), quote(s) FROM odd"
    let before = try queue.read { try Row.fetchAll($0, sql: dump) }
    let after = try DatabaseQueue(path: new).read { try Row.fetchAll($0, sql: dump) }
    #expect(before == after)
  }

  @Test func `a difference names objects and properties, by key or by an attribute`() throws {
    let schema =
      "PRAGMA foreign_keys = OFF; CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, q INTEGER REFERENCES p(id));"
    func store(_ name: String, _ rows: String) throws -> SQLiteStore {
      try DatabaseQueue(path: folder.path(name)).writeWithoutTransaction {
        try $0.execute(sql: schema + "INSERT INTO p VALUES " + rows)
      }
      return try SQLiteStore.open(path: folder.path(name))
    }
    let first = try store("a.sqlite", "(1, 'Ana', 1, NULL), (2, 'Bo', 2, 1), (4, 'Di', 4, NULL)")
    let second = try store("b.sqlite", "(1, 'Ana', 7, NULL), (2, 'Bo', 2, 4), (3, 'Di', 4, NULL)")
    func lines(_ keys: [String: [String]] = [:]) throws -> [String] {
      var lines: [String] = []
      try StoreDifference(from: first, to: second, keys: keys).report { _, change in
        switch change {
        case .added(let row): lines.append("+ \(row.id)")
        case .removed(let row): lines.append("- \(row.id)")
        case .changed(let id, let changes):
          lines.append("~ \(id) " + changes.map { "\($0.name) \($0.old) \($0.new)" }.joined())
        }
      }
      return lines
    }
    #expect(
      try lines() == [
        "~ p 1 age value(1) value(7)", "~ p 2 q value(1) value(4)", "+ p 3", "- p 4",
      ])
    #expect(
      try lines(["p": ["name"]]) == [
        "~ p 1 age value(1) value(7)", "~ p 2 q value(1) value(4)",
        "~ p 3 id value(4) value(3)",
      ])
    #expect(throws: TransferError.self) { try lines(["p": ["nam"]]) }
    #expect(throws: TransferError.self) { try lines(["x": ["name"]]) }
  }

  @Test func `objects of stores that were created apart are the same by a unique constraint`()
    throws
  {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "P",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("age", .integer64),
        ],
        relationships: [
          RelationshipDescription("boss", to: "P", inverse: "staff"),
          RelationshipDescription("staff", to: "P", inverse: "boss", isToMany: true),
        ], uniquenessConstraints: [["name"]])
    ])
    func store(_ name: String, _ lines: String) throws -> any PersistentStore {
      let store = try SQLiteStore.create(
        path: folder.path(name), model: model, layout: .coreData(CoreDataCreation()))
      try Data(lines.utf8).write(to: folder.url("people.csv"))
      _ = try Importer(
        folder.path("people.csv"), as: #require(model.entity(named: "P")), into: store
      ).run { _ in }
      return store
    }
    let first = try store("a.sqlite", "name,age,boss.name\nAna,1,\nBo,2,Ana\nDi,4,Ana\n")
    let second = try store("b.sqlite", "name,age,boss.name\nDi,4,Ana\nCy,9,\nBo,2,Cy\nAna,7,\n")
    var lines: [String] = []
    try StoreDifference(from: first, to: second).report { _, change in
      switch change {
      case .added(let row): lines.append("+ \(row.values[1])")
      case .removed(let row): lines.append("- \(row.values[1])")
      case .changed(_, let changes): lines += changes.map { "~ \($0.name)" }
      }
    }
    #expect(lines.sorted() == ["+ Cy", "~ age", "~ boss"], "\(lines)")
    // A copy has the same objects, whatever of them was changed.
    try DatabaseQueue(path: folder.path("a.sqlite")).writeWithoutTransaction {
      try $0.execute(sql: "VACUUM INTO ?", arguments: [folder.path("c.sqlite")])
    }
    try DatabaseQueue(path: folder.path("c.sqlite")).writeWithoutTransaction {
      try $0.execute(sql: "UPDATE ZP SET ZNAME = 'Anne' WHERE ZNAME = 'Ana'")
    }
    lines = []
    try StoreDifference(from: first, to: SQLiteStore.open(path: folder.path("c.sqlite")))
      .report { _, change in
        if case .changed(_, let changes) = change { lines += changes.map { "~ \($0.name)" } }
      }
    #expect(lines == ["~ name"])
  }

  /// Two entities, of which one leads to the other.
  private static let linked = ManagedObjectModel(entities: [
    EntityDescription(
      name: "P", attributes: [AttributeDescription("objectID", .string)],
      relationships: [
        RelationshipDescription("boss", to: "P", inverse: "staff"),
        RelationshipDescription("staff", to: "P", inverse: "boss", isToMany: true, isOrdered: true),
      ],
      details: EntityDetails(userInfo: ["relatedByAttribute": "objectID"])),
    EntityDescription(name: "Q", attributes: [AttributeDescription("n", .integer64)]),
  ])

  /// A JSON store, which has keys of every kind.
  private func linkedStore(_ keys: [ObjectKey], _ other: ObjectKey) throws -> JSONStore {
    let store = try JSONStore.create(path: folder.path("a.json"), model: Self.linked)
    func id(_ name: String, _ key: ObjectKey) -> ObjectID {
      ObjectID(storeIdentifier: store.identifier, entityName: name, key: key)
    }
    var request = SaveRequest()
    for key in keys {
      var change = RowChange(id: id("P", key))
      change.values["objectID"] = .string("\(key)")
      change.toOne["boss"] = .some(id("P", keys[keys.count - 1]))
      request.inserted.append(change)
    }
    var change = RowChange(id: id("Q", other))
    change.values["n"] = .integer(7)
    request.inserted.append(change)
    _ = try store.save(request)
    return store
  }

  @Test func `objects whose keys a database cannot have are numbered after the last one`() throws {
    let first = try linkedStore(
      [.composite([.string("a b")]), .integer(7), .composite([.string("x"), .integer(1)])],
      .integer(1))
    _ = try Exporter(first).write(to: folder.path("export"))
    let second = try SQLiteStore.create(
      path: folder.path("b.sqlite"), model: Self.linked, layout: .coreData(CoreDataCreation()))
    _ = try FolderImporter(folder.path("export"), into: second).run()
    let rows = try DatabaseQueue(path: folder.path("b.sqlite")).read {
      try Row.fetchAll($0, sql: "SELECT Z_PK, ZBOSS FROM ZP ORDER BY 1").map {
        "\($0[0]!) \($0[1]!)"
      }
    }
    // Integers stay; of the others the one with the larger key is the last.
    #expect(rows == ["7 9", "8 9", "9 9"])
    #expect(try second.check().filter { $0.severity == .error }.isEmpty)
  }

  @Test func `keys that two entities have are different ones in an XML store`() throws {
    let first = try linkedStore(
      [.integer(1), .composite([.string("a b")]), .integer(2)], .integer(2))
    _ = try Exporter(first).write(to: folder.path("export"))
    let second = try XMLStore.create(path: folder.path("b.xml"), model: Self.linked)
    _ = try FolderImporter(folder.path("export"), into: second).run()
    let reopened = try XMLStore(path: folder.path("b.xml"), expectedModel: Self.linked)
    let people = try reopened.fetch(FetchPlan(entityName: "P"), control: nil).ids.map(\.key)
    #expect(people == [.integer(1), .integer(2), .integer(3)])
    #expect(
      try reopened.fetch(FetchPlan(entityName: "Q"), control: nil).ids.map(\.key) == [.integer(4)])
    #expect(try contents(of: first) == contents(of: reopened))
  }

  @Test func `a folder of another store, or with a damaged record, changes nothing`() throws {
    let path = folder.path("a.sqlite")
    try DatabaseQueue(path: path).writeWithoutTransaction {
      try $0.execute(
        sql:
          "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO p VALUES (1, 'x'), (2, 'y')"
      )
    }
    let store = try SQLiteStore.open(path: path)
    _ = try Exporter(store).write(to: folder.path("export"))
    #expect(throws: TransferError.self) { try Exporter(store).write(to: folder.path("export")) }
    // Its objects are there already.
    #expect(throws: TransferError.self) {
      try FolderImporter(folder.path("export"), into: store).run()
    }
    let other = folder.path("b.sqlite")
    try DatabaseQueue(path: other).writeWithoutTransaction {
      try $0.execute(sql: "CREATE TABLE q(id INTEGER PRIMARY KEY, name TEXT)")
    }
    #expect(throws: TransferError.self) {
      try FolderImporter(folder.path("export"), into: SQLiteStore.open(path: other))
    }
    try Data("{\"objectID\":\"x-coredata://a/p/p7\",\"name\":\"z\"}\n{\"objectID\":".utf8)
      .write(to: folder.url("export/objects/p.jsonl"))
    #expect(throws: TransferError.self) {
      try FolderImporter(folder.path("export"), into: store).run()
    }
    #expect(try store.count(FetchPlan(entityName: "p"), control: nil) == 2)
  }
}

extension PersistentStore {
  /// Whether an object has a key that is no number.
  fileprivate var hasTextKeys: Bool {
    get throws {
      guard self is XMLStore else { return false }
      return try model.entities.contains { entity in
        try fetch(
          FetchPlan(entityName: entity.name, includesSubentities: false), control: nil
        ).ids.contains { if case .composite = $0.key { true } else { false } }
      }
    }
  }
}
