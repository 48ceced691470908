import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// The stores that implement ``PersistentStore``.
enum StoreKind: CaseIterable {
  case memory, created, plain
}

/// A library of authors, books and tags in a store.
struct StoreUnderTest {
  let store: any PersistentStore
  /// The file, which is removed with the last reference.
  private let database: TemporaryDatabase?

  static let model = ManagedObjectModel {
    Entity("Author") {
      Attribute("name", .string)
      Attribute("age", .integer64)
      Attribute("born", .date)
      ToMany("books", "Book", inverse: "author", deleteRule: .cascade)
      ToMany("tags", "Tag", inverse: "authors")
    }
    Entity("Book") {
      Attribute("title", .string)
      Attribute("pages", .integer64)
      ToOne("author", "Author", inverse: "books")
    }
    Entity("Tag") {
      Attribute("label", .string)
      ToMany("authors", "Author", inverse: "tags")
    }
  }

  /// The same library as the database of another program.
  static let tables = """
    CREATE TABLE Author (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, born DATE);
    CREATE TABLE Book (
      id INTEGER PRIMARY KEY, title TEXT, pages INTEGER,
      author_id INTEGER REFERENCES Author(id) ON DELETE CASCADE);
    CREATE TABLE Tag (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE AuthorTag (
      author_id INTEGER NOT NULL REFERENCES Author(id), tag_id INTEGER NOT NULL REFERENCES Tag(id),
      PRIMARY KEY (author_id, tag_id));
    """

  init(_ kind: StoreKind) throws {
    switch kind {
    case .memory:
      database = nil
      store = InMemoryStore(model: Self.model)
    case .created:
      let database = try TemporaryDatabase()
      self.database = database
      store = try SQLiteStore.create(path: database.path, model: Self.model)
    case .plain:
      let database = try TemporaryDatabase(Self.tables)
      self.database = database
      store = try database.open()
    }
  }

  /// A predicate on authors, with literals of the attributes' types.
  func predicate(_ format: String) throws -> ValidatedPredicate {
    try FetchPredicate(format: format).validated(forEntity: "Author", in: store.model)
  }

  func temporary(_ entityName: String, _ number: UInt64) -> ObjectID {
    ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(number))
  }

  /// Inserts three authors with books and tags.
  func fill() throws {
    let (ada, bo, cy) = (temporary("Author", 1), temporary("Author", 2), temporary("Author", 3))
    let (red, green) = (temporary("Tag", 8), temporary("Tag", 9))
    let request = SaveRequest(
      inserted: [
        RowChange(
          id: temporary("Book", 4), values: ["title": "Émile", "pages": 12], toOne: ["author": ada]),
        RowChange(
          id: temporary("Book", 5), values: ["title": "zebra", "pages": 300], toOne: ["author": ada]
        ),
        RowChange(id: temporary("Book", 6), values: ["title": "Zoo"], toOne: ["author": bo]),
        RowChange(id: temporary("Book", 7), values: ["title": "10 ways", "pages": 7]),
        RowChange(id: ada, values: ["name": "Ada", "age": 36, "born": "1815-12-10"]),
        RowChange(id: bo, values: ["name": "bo", "age": 20, "born": "1999-01-02"]),
        RowChange(id: cy, values: ["name": "Çy"]),
        RowChange(id: red, values: ["label": "red"]),
        RowChange(id: green, values: ["label": "green"]),
      ],
      linked: [
        ObjectLink("tags", from: ada, to: red), ObjectLink("tags", from: ada, to: green),
        ObjectLink("tags", from: bo, to: red),
      ])
    _ = try store.save(request)
  }

  /// The first text attribute of each fetched object, in order.
  func names(_ plan: FetchPlan) throws -> [String] {
    let ids = try store.fetch(plan, control: nil).ids
    let attribute = ["Author": "name", "Book": "title", "Tag": "label"][plan.entityName] ?? ""
    return try ids.map { try value(of: attribute, $0)?.description ?? "gone" }
  }

  func names(_ entityName: String, _ ids: [ObjectID]?) throws -> [String] {
    let attribute = ["Author": "name", "Book": "title", "Tag": "label"][entityName] ?? ""
    return try (ids ?? []).map { try value(of: attribute, $0)?.description ?? "gone" }.sorted()
  }

  func snapshot(_ id: ObjectID) throws -> RowSnapshot? { try store.snapshots(of: [id])[id] }

  func value(of attribute: String, _ id: ObjectID) throws -> Value? {
    guard let place = store.model.entity(named: id.entityName)?.attributeIndex(attribute) else {
      return nil
    }
    return try snapshot(id)?.values[place]
  }

  /// The object whose first text attribute has a value.
  func id(_ entityName: String, _ name: String) throws -> ObjectID {
    let attribute = ["Author": "name", "Book": "title", "Tag": "label"][entityName] ?? ""
    let predicate = try FetchPredicate(format: "%K == %@", attribute, name)
      .validated(forEntity: entityName, in: store.model)
    let plan = FetchPlan(entityName: entityName, predicate: predicate)
    return try #require(try store.fetch(plan, control: nil).ids.first)
  }
}
