import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

@Suite struct DerivedAttributeTests {
  private static func derived(
    _ name: String, _ type: AttributeType, _ expression: String, filter: String? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name, type, isReadOnly: true,
      details: AttributeDetails(derivation: .init(expression, filter: filter)))
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Author",
      attributes: [
        AttributeDescription("name", .string), derived("folded", .string, "canonical:(name)"),
        derived("upper", .string, "uppercase:(name)"),
        derived("lower", .string, "lowercase:(name)"), derived("size", .integer64, "length:(name)"),
        derived("bookCount", .integer64, "books.@count"),
        derived("counted", .integer64, "count:(books)"),
        derived("pageSum", .integer64, "books.@sum.pages"),
        derived("summed", .integer64, "sum:(books.pages)"),
        derived("longest", .integer64, "books.@max.pages"),
        derived("shortest", .integer64, "books.@min.pages"),
        derived("tagCount", .integer64, "tags.@count"),
        derived("noted", .integer64, "notes.@count"), derived("saved", .date, "now()"),
        derived("known", .string, "uppercase:(name)", filter: "name BEGINSWITH 'A'"),
      ],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade),
        RelationshipDescription("tags", to: "Tag", inverse: "authors", isToMany: true),
        RelationshipDescription("notes", to: "Tag", isToMany: true),
      ]),
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("pages", .integer64),
        derived("authorName", .string, "author.name"),
        derived("authorFolded", .string, "canonical:(author.name)"),
      ],
      relationships: [RelationshipDescription("author", to: "Author", inverse: "books")]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("authors", to: "Author", inverse: "tags", isToMany: true)
      ]),
  ])

  private func values(_ context: ManagedObjectContext, _ name: String, _ keys: String) throws
    -> String
  {
    let author = try context.named(name, "Author")
    return keys.split(separator: " ").map { author[String($0)].description }
      .joined(separator: " ")
  }

  private static let keys =
    "bookCount counted pageSum summed longest shortest tagCount noted"

  @Test(arguments: TestedStore.allCases)
  func `a filter whose regular expression gives up is an error of the save, not a NULL`(
    kind: TestedStore
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author",
        attributes: [
          AttributeDescription("name", .string),
          Self.derived(
            "known", .string, "uppercase:(name)", filter: "name MATCHES '(a+)+b|.*'"),
        ], relationships: [])
    ])
    let store = try ObjectStore(kind, model)
    let context = store.context()
    _ = try context.make("Author", "short")
    try context.save()
    #expect(try context.named("short", "Author")["known"] == .string("SHORT"))
    _ = try context.make("Author", String(repeating: "a", count: 40))
    let error = #expect(throws: (any Error).self) { try context.save() }
    #expect("\(error as Any)".contains("MATCHES"), "\(error as Any)")
    #expect(try store.context().fetch(FetchRequest(entityName: "Author")).count == 1)
  }

  @Test(arguments: TestedStore.allCases)
  func `derived attributes are computed at every save`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    /// The values in this context, and in another one.
    func expect(
      _ expected: String, of name: String, _ keys: String = Self.keys,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      try context.save()
      let (own, others) = try (values(context, name, keys), values(store.context(), name, keys))
      #expect(own == expected && others == expected, sourceLocation: sourceLocation)
    }
    let ada = try context.make("Author", "Ádá L")
    try expect("ada l ÁDÁ L ádá l 5", of: "Ádá L", "folded upper lower size")
    #expect(ada["known"] == .null)
    try expect("0 0 0 0   0 0", of: "Ádá L")
    let books = try [10, 20, 30].map { pages in
      let book = try context.make("Book", "\(pages)")
      book["pages"] = .integer(Int64(pages))
      try book.setObject(ada, forKey: "author")
      return book
    }
    try ada.add(context.make("Tag", "red"), forKey: "tags")
    try ada.add(context.make("Tag", "note"), forKey: "notes")
    try expect("3 3 60 60 30 10 1 1", of: "Ádá L")
    #expect(books[0]["authorName"] == "Ádá L" && books[0]["authorFolded"] == "ada l")
    books[0]["pages"] = 40
    try expect("3 3 90 90 40 20 1 1", of: "Ádá L")
    let bob = try context.make("Author", "Bob")
    try books[1].setObject(bob, forKey: "author")
    try expect("2 2 70 70 40 30 1 1", of: "Ádá L")
    try expect("1 1 20 20 20 20 0 0", of: "Bob")
    #expect(books[1]["authorFolded"] == "bob")
    try context.delete(books[0])
    try expect("1 1 30 30 30 30 1 1", of: "Ádá L")
    context.undoHistory.undo()
    try expect("2 2 70 70 40 30 1 1", of: "Ádá L")
    try context.delete(context.named("red", "Tag"))
    try context.delete(context.named("note", "Tag"))
    try expect("2 2 70 70 40 30 0 0", of: "Ádá L")
    ada["name"] = "Ada"
    try expect("ada ADA ada 3 ADA", of: "Ada", "folded upper lower size known")
    #expect(try store.context().named("10", "Book")["authorFolded"] == "ada")
    #expect(books[2]["authorName"] == "Ada" && books[2]["authorFolded"] == "ada")
    #expect(try store.context().names("Book", where: "authorFolded == 'ada'") == ["10", "30"])
    #expect(try store.context().names("Author", where: "bookCount == 2") == ["Ada"])
  }

  @Test(arguments: TestedStore.allCases)
  func `the time of the last save is its object's own`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let start = Date()
    let (ada, bob) = (try context.make("Author", "Ada"), try context.make("Author", "Bob"))
    try context.save()
    let first = try #require(ada.date("saved"))
    // SQLite's clock has milliseconds.
    #expect(first.timeIntervalSince(start) > -0.01 && first.timeIntervalSinceNow < 0.01)
    let bobs = bob.date("saved")
    ada["name"] = "Ada L"
    try context.save()
    let second = try #require(ada.date("saved"))
    #expect(second >= first && bob.date("saved") == bobs)
  }

  @Test(arguments: TestedStore.allCases)
  func `a derived attribute cannot be set`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let ada = try store.context().make("Author", "Ada")
    #expect(throws: ManagedObjectError.self) { try ada.setValue(7, forKey: "bookCount") }
  }

  @Test(arguments: [TestedStore.plain, .coreData])
  func `a derivation that cannot be computed is refused when the store is created`(
    kind: TestedStore
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book", attributes: [Self.derived("odd", .string, "nothing.at.all")])
    ])
    let error = #expect(throws: StoreError.self) { try ObjectStore(kind, model) }
    #expect(error?.subject == "Book.odd")
  }
}
