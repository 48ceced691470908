import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// A save of more objects than a context keeps the rows of.
struct ManyInsertionsTests {
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, data BLOB);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO t SELECT i, 'n' || i, i, zeroblob(CASE WHEN i = 7 THEN 100000 ELSE 3 END) FROM n;
    """

  private func request(
    inserting ids: [ObjectID], of store: SQLiteStore, returning returned: Set<ObjectID>?
  ) throws -> SaveRequest {
    let names = store.model.entity(named: "t")?.attributes.map(\.name) ?? []
    var request = SaveRequest()
    for case let row? in try store.rows(of: ids) {
      var values = Array(row.values)
      if row.cutLengths[3] != nil { values[3] = try store.value(of: "data", for: row.id) }
      let stored = row.cutLengths.isEmpty ? row.values : RowValues(values)
      request.inserted.append(
        RowChange(
          id: row.id, values: ChangedValues(row: stored, names: names, unset: [])))
    }
    request.returnedRows = returned
    return request
  }

  @Test func `rows that are as they were written are left out, if they are not wanted`() throws {
    let database = try TemporaryDatabase(Self.schema)
    let store = try database.open()
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    for returned in [nil, [ids[2], ids[50]], []] as [Set<ObjectID>?] {
      let request = try request(inserting: ids, of: store, returning: returned)
      let before = try store.rows(of: ids)
      _ = try store.save(SaveRequest(deleted: ids.map { RowDeletion(id: $0, version: nil) }))
      let result = try store.save(request)
      #expect(Set(result.snapshots.keys) == returned ?? Set(ids))
      for (id, row) in result.snapshots { #expect(row.id == id) }
      #expect(try store.rows(of: ids).map { $0?.version } == before.map { $0?.version })
    }
  }

  @Test func `a row that a trigger changes is returned`() throws {
    let database = try TemporaryDatabase(Self.schema)
    let store = try database.open()
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    let request = try request(inserting: ids, of: store, returning: [])
    try database.run(
      """
      DELETE FROM t;
      CREATE TRIGGER r AFTER INSERT ON t WHEN new.id IN (3, 4)
      BEGIN UPDATE t SET size = 0 WHERE id = new.id; END
      """)
    let result = try SQLiteStore.open(path: database.path).save(request)
    #expect(result.snapshots[ids[2]]?.values[2] == 0)
    #expect(Set(result.snapshots.keys).isSuperset(of: [ids[2], ids[3]]))
  }

  private static let types = [
    "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC", "", "DATE", "VARCHAR(9)", "BIGINT", "ANY",
    "DOUBLE", "BOOLEAN", "TEXT DEFAULT 'd'", "INTEGER DEFAULT 3", "AS (id + 1)",
  ]
  private static let values: [Value] = [
    .null, 0, 1, -1, .integer(.max), .integer(.min), .double(0), .double(-0.0), .double(1),
    .double(1.5), .double(1e300), .double(.infinity), .double(-9.223372036854775808e18),
    "", "a", "1", "1.0", " 2 ", "1e3", "+.5e-3", "1990-05-01", "5 000", "0x10", "a\0b", "é👍",
    .data(Data([0, 255])), .data(Data()),
  ]

  /// A value in a form that tells a negative zero from zero.
  private func bits(_ value: Value) -> [Value] {
    if case .double(let number) = value { [value, .string("\(number)")] } else { [value] }
  }

  @Test func `only rows that certainly are as they were written are left out`() throws {
    var generator = SeededGenerator(seed: 11)
    var (omitted, read) = (0, 0)
    for _ in 0..<60 {
      let columns = (1...Int.random(in: 1...2, using: &generator)).map {
        "c\($0) \(generator.pick(Self.types))"
      }
      let database = try TemporaryDatabase(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")));")
      let store = try database.open()
      let attributes = store.model.entity(named: "t")?.attributes ?? []
      var request = SaveRequest()
      for number in 1...30 as ClosedRange<UInt64> {
        var row = [Value.null]
        for _ in columns { row.append(generator.pick(Self.values)) }
        request.inserted.append(
          RowChange(
            id: ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(number)),
            values: ChangedValues(
              row: RowValues(row), names: attributes.map(\.name),
              unset: Set(row.indices.filter { row[$0].isNull }))))
      }
      request.returnedRows = []
      let result = try store.save(request)
      var expected: [ObjectID: [Value]] = [:]
      for change in request.inserted {
        let id = try #require(result.permanentIDs[change.id])
        if result.snapshots[id] != nil {
          read += 1
        } else {
          omitted += 1
          expected[id] = Array(try #require(change.values.row).values)
        }
      }
      try expect(expected, in: store, but: [0])

      // Then other values, of which some columns have the old ones.
      let before = try store.snapshots(of: Array(result.permanentIDs.values))
      request = SaveRequest()
      for (id, row) in before {
        var changed: [String: Value] = [:]
        for attribute in attributes.dropFirst() where !attribute.isReadOnly {
          if Bool.random(using: &generator) {
            changed[attribute.name] = generator.pick(Self.values)
          }
        }
        request.updated.append(
          RowChange(id: id, version: row.version, values: ChangedValues(changed)))
      }
      request.returnedRows = []
      let returned = try store.save(request).snapshots
      read += returned.count
      omitted += before.count - returned.count
      expected = [:]
      for change in request.updated where returned[change.id] == nil {
        expected[change.id] = try attributes.enumerated().map { index, attribute in
          try change.values[attribute.name] ?? #require(before[change.id]).values[index]
        }
      }
      try expect(expected, in: store, but: [])
    }
    #expect(omitted > 500 && read > 500)
  }

  /// Compares rows with what the table has, but for some columns.
  private func expect(
    _ expected: [ObjectID: [Value]], in store: SQLiteStore, but left: Set<Int>
  ) throws {
    let rows = try store.snapshots(of: Array(expected.keys))
    for (id, values) in expected {
      let row = try #require(rows[id])
      for index in values.indices where !left.contains(index) {
        #expect(bits(values[index]) == bits(row.values[index]), "\(id) \(values[index])")
      }
    }
  }

  @Test(arguments: [
    "CREATE TRIGGER r AFTER UPDATE ON t BEGIN UPDATE t SET size = 0 WHERE id = new.id; END",
    "CREATE TABLE u (id INTEGER PRIMARY KEY, n TEXT REFERENCES t(name) ON UPDATE CASCADE)",
    "CREATE TABLE u (id INTEGER PRIMARY KEY, n TEXT UNIQUE ON\nCONFLICT  REPLACE)",
  ])
  func `updated rows of a database that may change others are returned`(more: String) throws {
    let database = try TemporaryDatabase(Self.schema + "CREATE UNIQUE INDEX i ON t(name);")
    func save() throws -> (SaveResult, [ObjectID]) {
      let store = try SQLiteStore.open(path: database.path)
      let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
      var request = SaveRequest(
        updated: ids.map { RowChange(id: $0, values: ["name": .string("x\($0.key)")]) })
      request.returnedRows = [ids[4]]
      return (try store.save(request), ids)
    }
    let (result, ids) = try save()
    #expect(Set(result.snapshots.keys) == [ids[4]])
    try database.run(more)
    #expect(try Set(save().0.snapshots.keys) == Set(ids))
  }

  @Test func `after very many are restored, each is read right, and those in use without a query`()
    throws
  {
    let database = try TemporaryDatabase(Self.schema)
    let store = InstrumentedStore(try database.open())
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: store), rowCapacity: 10)
    func fetched() throws -> (names: [Value], held: ManagedObject, ids: [ObjectID]) {
      let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: "t"))
      return (objects.map { $0["name"] }, objects[20], objects.map(\.objectID))
    }
    let (names, held, ids) = try fetched()
    let plan = try context.deletionPlan(for: ids)
    try context.save(deleting: plan)
    context.undoHistory.undo()
    try context.save()
    let before = store.counts
    #expect(held["name"] == "n21")
    #expect(store.counts == before)
    #expect(ids.map { context.object(with: $0)["name"] } == names)
    #expect(!context.hasChanges)
    // They can be changed and deleted as any others.
    context.object(with: ids[30])["name"] = "changed"
    try context.delete(context.object(with: ids[31]))
    try context.save()
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "t")) == 59)
    #expect(
      try context.fetchOne(
        FetchRequest<ManagedObject>(
          entityName: "t", predicate: FetchPredicate(format: "name == 'changed'")))?.objectID
        == ids[30])
  }

  @Test func `very many new objects are undone and redone after their save`() throws {
    let database = try TemporaryDatabase(Self.schema)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()), rowCapacity: 10)
    func names() throws -> [Value] {
      try context.fetch(
        FetchRequest<ManagedObject>(
          entityName: "t", sortDescriptors: [FetchSortDescriptor("id")])
      ).map { $0["name"] }
    }
    let before = try names()
    let held = try (0..<100).map { number in
      let object = try context.insert(entityName: "t")
      object["name"] = .string("new \(number)")
      return number % 40 == 0 ? object : nil
    }
    try context.save()
    #expect(held.compactMap { $0?["id"] } == [61, 101, 141])
    let after = try names()
    #expect(after == before + (0..<100).map { .string("new \($0)") })
    context.undoHistory.undo()
    #expect(try names() == before)
    try context.save()
    #expect(try names() == before)
    context.undoHistory.redo()
    #expect(try names() == after)
    try context.save()
    #expect(try names() == after)
    #expect(held.compactMap { $0?["name"] } == ["new 0", "new 40", "new 80"])
  }
}
