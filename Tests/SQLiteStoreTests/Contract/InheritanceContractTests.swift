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
}
