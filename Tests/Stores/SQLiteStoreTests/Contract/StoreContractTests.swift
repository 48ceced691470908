import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

@Suite struct `Every store` {
  @Test(arguments: StoreKind.allCases)
  func `returns saved values and relationships`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    let ada = try library.id("Author", "Ada")
    #expect(!ada.isTemporary)
    #expect(try library.value(of: "age", ada) == 36)
    #expect(try library.value(of: "born", ada) == "1815-12-10")
    #expect(try library.value(of: "age", library.id("Author", "Çy")) == .null)
    let books = try library.store.destinations(of: "books", from: [ada])[ada]
    #expect(try library.names("Book", books) == ["zebra", "Émile"])
    let book = try #require(books?.first)
    #expect(try library.snapshot(book)?.toOne == [ada])
    #expect(try library.store.destinations(of: "author", from: [book]) == [book: [ada]])
    let red = try library.id("Tag", "red")
    let authors = try library.store.destinations(of: "authors", from: [red])[red]
    #expect(try library.names("Author", authors) == ["Ada", "bo"])
    let alone = try library.id("Book", "10 ways")
    #expect(try library.snapshot(alone)?.toOne == [ObjectID?.none])
    #expect(try library.store.destinations(of: "author", from: [alone]).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `evaluates predicates in the same way`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    let answers: [(String, [String])] = [
      ("name CONTAINS[cd] 'C'", ["Çy"]), ("name CONTAINS 'C'", []), ("age > 20", ["Ada"]),
      ("NOT age > 20", ["bo", "Çy"]), ("age == nil", ["Çy"]), ("age != 20", ["Ada", "Çy"]),
      ("born < '1900-01-01'", ["Ada"]), ("name LIKE[c] 'B?'", ["bo"]),
      ("name IN {'Ada', 'bo'}", ["Ada", "bo"]), ("name MATCHES '[A-Z].*'", ["Ada"]),
      ("ANY books.title BEGINSWITH[c] 'z'", ["Ada", "bo"]),
      ("ALL books.pages > 10", ["Ada", "Çy"]),
      ("books.@count == 0", ["Çy"]), ("books.@sum.pages > 300", ["Ada"]),
      ("ANY tags.label == 'green'", ["Ada"]), ("tags.@count >= 1", ["Ada", "bo"]),
      ("SUBQUERY(books, $b, $b.pages > 100).@count > 0", ["Ada"]),
      ("uppercase(name) == 'BO' OR length(name) == 3", ["Ada", "bo"]), ("age + 1 == 21", ["bo"]),
    ]
    for (format, names) in answers {
      let plan = FetchPlan(entityName: "Author", predicate: try library.predicate(format))
      #expect(try library.names(plan) == names, "\(format)")
      #expect(try library.store.count(plan, control: nil) == names.count, "\(format)")
    }
    let ada = try library.id("Author", "Ada")
    let ofAda = try FetchPredicate(format: "author == %@", ada)
      .validated(forEntity: "Book", in: library.store.model)
    let books = FetchPlan(entityName: "Book", predicate: ofAda)
    #expect(try library.names(books) == ["Émile", "zebra"])
  }

  @Test(arguments: StoreKind.allCases)
  func `sorts and divides into sections in the same way`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    var plan = FetchPlan(
      entityName: "Book", sortDescriptors: [.init("title", comparison: .localized)],
      sectionKey: SectionKey("title", .initial))
    #expect(try library.names(plan) == ["10 ways", "Émile", "zebra", "Zoo"])
    let sections = try library.store.fetch(plan, control: nil).sections
    #expect(sections.map(\.name) == ["#", "E", "Z"])
    #expect(sections.map(\.count) == [1, 1, 2])
    plan.sortDescriptors = [.init("author.name"), .init("pages", ascending: false)]
    plan.sectionKey = SectionKey("author.name")
    #expect(try library.names(plan) == ["10 ways", "zebra", "Émile", "Zoo"])
    #expect(try library.store.fetch(plan, control: nil).sections.map(\.name) == ["", "Ada", "bo"])
    (plan.limit, plan.offset) = (2, 1)
    #expect(try library.names(plan) == ["zebra", "Émile"])
    plan.isFromEnd = true
    plan.limit = 1
    #expect(try library.names(plan) == ["Émile"])
    plan.offset = 0
    #expect(try library.names(plan) == ["Zoo"])
  }

  @Test(arguments: [StoreKind.created, .plain])
  func `refuses an order that does not keep sections together`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    let plan = FetchPlan(
      entityName: "Book", sortDescriptors: [.init("title", comparison: .caseInsensitive)],
      sectionKey: SectionKey("author.name"))
    #expect(throws: StoreError.self) { try library.store.fetch(plan, control: nil) }
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses to save an object that was changed meanwhile`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    let id = try library.id("Author", "Ada")
    let stale = try library.snapshot(id)?.version
    let change = RowChange(id: id, version: stale, values: ["age": 37])
    let result = try library.store.save(SaveRequest(updated: [change]))
    #expect(result.snapshots[id]?.version != stale)
    #expect(try library.value(of: "age", id) == 37)
    let update = #expect(throws: StoreError.self) {
      try library.store.save(SaveRequest(updated: [change]))
    }
    #expect(update?.reason == .conflict)
    #expect(update?.objectIDs == [id])
    let delete = #expect(throws: StoreError.self) {
      try library.store.save(SaveRequest(deleted: [RowDeletion(id: id, version: stale)]))
    }
    #expect(delete?.reason == .conflict)
  }

  @Test(arguments: StoreKind.allCases)
  func `changes an object's version with its to-one relationship`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    let (book, bo) = (try library.id("Book", "zebra"), try library.id("Author", "bo"))
    let before = try library.snapshot(book)?.version
    let change = RowChange(id: book, version: before, toOne: ["author": bo])
    let result = try library.store.save(SaveRequest(updated: [change]))
    #expect(result.snapshots[book]?.toOne == [bo])
    #expect(result.snapshots[book]?.version != before)
    let none = RowChange(id: book, version: result.snapshots[book]?.version, toOne: ["author": nil])
    _ = try library.store.save(SaveRequest(updated: [none]))
    #expect(try library.snapshot(book)?.toOne == [ObjectID?.none])
  }

  @Test(arguments: StoreKind.allCases)
  func `inserts deleted objects again with their keys`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    try library.fill()
    let (store, ada) = (library.store, try library.id("Author", "Ada"))
    let books = try #require(try store.destinations(of: "books", from: [ada])[ada])
    let pairs = try pairs(of: ada, in: store)
    let result = try store.save(
      SaveRequest(deleted: ([ada] + books + pairs).map { RowDeletion(id: $0) }))
    #expect(try store.snapshots(of: [ada] + books).isEmpty)
    #expect(try library.names(FetchPlan(entityName: "Author")) == ["bo", "Çy"])

    let back = result.deletedRows.map { row in
      let entity = store.model.entity(named: row.id.entityName)
      var change = RowChange(id: row.id)
      for (attribute, value) in zip(entity?.attributes ?? [], row.values) where !value.isNull {
        change.values[attribute.name] = value
      }
      for (relationship, end) in zip(entity?.toOneRelationships ?? [], row.toOne) {
        if let end { change.toOne[relationship.name] = end }
      }
      return change
    }
    _ = try store.save(SaveRequest(inserted: back, linked: result.deletedLinks))
    #expect(try store.destinations(of: "books", from: [ada])[ada]?.sorted() == books.sorted())
    let tags = try store.destinations(of: "tags", from: [ada])[ada]
    #expect(try library.names("Tag", tags) == ["green", "red"])
    let taken = #expect(throws: StoreError.self) {
      try store.save(SaveRequest(inserted: back.filter { $0.id == ada }))
    }
    #expect(taken?.reason == .keyTaken)
    #expect(taken?.objectIDs == [ada])
  }

  /// The objects of an author's join table, in a store that has one as an entity.
  private func pairs(of author: ObjectID, in store: any PersistentStore) throws -> [ObjectID] {
    guard store.model.entity(named: "AuthorTag") != nil else { return [] }
    let predicate = try FetchPredicate(format: "author == %@", author)
      .validated(forEntity: "AuthorTag", in: store.model)
    return Array(
      try store.fetch(FetchPlan(entityName: "AuthorTag", predicate: predicate), control: nil).ids)
  }

  @Test(arguments: [StoreKind.created, .plain])
  func `names an unknown entity or attribute in its error`(kind: StoreKind) throws {
    let library = try StoreUnderTest(kind)
    let entity = #expect(throws: StoreError.self) {
      try library.store.fetch(FetchPlan(entityName: "Nobody"), control: nil)
    }
    #expect(entity?.reason == .unknownName)
    let other = ManagedObjectModel(entities: [
      EntityDescription(name: "Author", attributes: [AttributeDescription("nothing", .integer64)])
    ])
    let key = try FetchPredicate(format: "nothing == 1").validated(forEntity: "Author", in: other)
    let attribute = #expect(throws: StoreError.self) {
      try library.store.fetch(FetchPlan(entityName: "Author", predicate: key), control: nil)
    }
    #expect(attribute?.reason == .unknownName)
  }
}
