import GRDB
import ManagedObjects
import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

@Suite struct `A store with subentities` {
  private static let model = ManagedObjectModel {
    Entity("Book") {
      Attribute("title", .string)
      ToOne("sequelOf", "Book", inverse: "sequels")
      ToMany("sequels", "Book", inverse: "sequelOf")
      ToOne("cover", "Cover", inverse: "book")
    }
    Entity("Novel", extends: "Book") {
      Attribute("hero", .string)
    }
    Entity("Cover") {
      Attribute("title", .string)
      ToOne("book", "Book", inverse: "cover")
    }
  }

  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func makeStore(_ kind: StoreKind) throws -> any PersistentStore {
    kind == .memory
      ? InMemoryStore(model: Self.model)
      : try SQLiteStore.create(path: database.path, model: Self.model)
  }

  @Test(arguments: [StoreKind.memory, .created])
  func `returns every object with its own entity`(kind: StoreKind) throws {
    let store = try makeStore(kind)
    let book = ObjectID(storeIdentifier: "", entityName: "Book", key: .temporary(1))
    let novel = ObjectID(storeIdentifier: "", entityName: "Novel", key: .temporary(2))
    let cover = ObjectID(storeIdentifier: "", entityName: "Cover", key: .temporary(3))
    let saved = try store.save(
      SaveRequest(
        inserted: [
          RowChange(
            id: novel, values: ["title": "b", "hero": "Ida"],
            toOne: ["sequelOf": book, "cover": cover]),
          RowChange(id: book, values: ["title": "a"], toOne: ["sequelOf": novel]),
          RowChange(id: cover, values: ["title": "c"], toOne: ["book": novel]),
        ])
    ).permanentIDs
    let (savedBook, savedNovel) = (try #require(saved[book]), try #require(saved[novel]))
    let savedCover = try #require(saved[cover])
    #expect(savedNovel.entityName == "Novel")

    var plan = FetchPlan(entityName: "Book", sortDescriptors: [.init("title")])
    #expect(try Array(store.fetch(plan, control: nil).ids) == [savedBook, savedNovel])
    plan.includesSubentities = false
    #expect(try Array(store.fetch(plan, control: nil).ids) == [savedBook])
    #expect(try store.count(plan, control: nil) == 1)
    plan = FetchPlan(
      entityName: "Novel",
      predicate: try FetchPredicate(format: "hero == 'Ida'")
        .validated(forEntity: "Novel", in: store.model))
    #expect(try Array(store.fetch(plan, control: nil).ids) == [savedNovel])

    let snapshots = try store.snapshots(of: [savedBook, savedNovel, savedCover])
    #expect(snapshots[savedBook]?.toOne.first == savedNovel)
    #expect(snapshots[savedCover]?.toOne == [savedNovel])
    #expect(try store.destinations(of: "sequels", from: [savedBook]) == [savedBook: [savedNovel]])
    #expect(try store.destinations(of: "cover", from: [savedNovel]) == [savedNovel: [savedCover]])

    for format in [
      "sequelOf == %@", "ANY sequels == %@", "TERNARY(TRUEPREDICATE, sequelOf, nil) == %@",
    ] {
      let predicate = try FetchPredicate(format: format, savedNovel)
        .validated(forEntity: "Book", in: store.model)
      let found = try store.fetch(FetchPlan(entityName: "Book", predicate: predicate), control: nil)
      #expect(Array(found.ids) == [savedBook], "\(format)")
    }
  }

  // Core Data: a Z_ENT that the model does not have, as after another version of the app.
  @Test func `leaves out rows of entities that the model does not have`() throws {
    let store = try SQLiteStore.create(
      path: database.path, model: Self.model, layout: .coreData(CoreDataCreation()))
    // Enough for two readers.
    let count: Int64 = 20_000
    try database.connect().write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO ZBOOK (Z_PK, Z_OPT, ZTITLE, Z_ENT) SELECT i, 1, i * 7919 % 10007, CASE i % 5
            WHEN 0 THEN 99 WHEN 1 THEN NULL WHEN 2 THEN -1
            WHEN 3 THEN (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel')
            ELSE (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book') END FROM n
          """)
    }
    let known = (1...count).filter { $0 % 5 >= 3 }
    func keys(_ plan: FetchPlan) throws -> [Int64] {
      try store.fetch(plan, control: nil).ids.map { id in
        guard case .integer(let key) = id.key else { return 0 }
        #expect(id.entityName == (key % 5 == 3 ? "Novel" : "Book"))
        return key
      }
    }
    var plan = FetchPlan(entityName: "Book")
    #expect(try store.count(plan, control: nil) == known.count)
    #expect(try keys(plan) == known)
    plan.sortDescriptors = [FetchSortDescriptor("title", comparison: .localized)]
    let sorted = known.sorted {
      ("\($0 * 7919 % 10007)", $0) < ("\($1 * 7919 % 10007)", $1)
    }
    #expect(try keys(plan) == sorted)
    plan.limit = 50
    #expect(try keys(plan) == Array(sorted.prefix(50)))
    plan.isFromEnd = true
    #expect(try keys(plan) == Array(sorted.suffix(50)))
    plan = FetchPlan(
      entityName: "Book",
      predicate: try FetchPredicate(format: "title CONTAINS[cd] '77'")
        .validated(forEntity: "Book", in: store.model), limit: 50)
    let found = known.filter { "\($0 * 7919 % 10007)".contains("77") }
    #expect(try keys(plan) == Array(found.prefix(50)))
  }
}
