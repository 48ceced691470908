import Foundation
import GRDB
import GRDBSQLite
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// GRDB has a type with this name too.
typealias SQL = SQLQueries.SQL

/// A small database with values of every storage class in every column, and its layout.
struct Library {
  static let storeIdentifier = "library"

  let queue: DatabaseQueue
  let layout: StoreLayout

  static let schema = """
    CREATE TABLE author (
      id INTEGER PRIMARY KEY, name TEXT, nick TEXT COLLATE NOCASE, age INTEGER, score REAL,
      born DATETIME, seen REAL, misc, flag BOOLEAN, price NUMERIC, exact TEXT, token BLOB,
      code TEXT, link TEXT, mentor_id INTEGER REFERENCES author(id));
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT, pages INTEGER,
      author_id INTEGER REFERENCES author(id) ON DELETE CASCADE);
    CREATE INDEX book_author ON book(author_id);
    CREATE INDEX author_name ON author(name);
    CREATE INDEX author_age ON author(age);
    CREATE TABLE tag (key TEXT PRIMARY KEY, label TEXT NOT NULL UNIQUE) WITHOUT ROWID;
    CREATE TABLE author_tag (
      author_id INTEGER NOT NULL REFERENCES author(id), tag_key TEXT NOT NULL REFERENCES tag(key),
      PRIMARY KEY (author_id, tag_key)) WITHOUT ROWID;
    """

  init(encoding: String = "UTF-8") throws {
    queue = try DatabaseQueue()
    layout = Self.makeLayout()
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA encoding = '\(encoding)'")
      if let connection = database.sqliteConnection { try SQLFunctions.register(on: connection) }
      try database.execute(sql: Self.schema)
    }
  }

  /// A library on an existing database, with another layout.
  init(queue: DatabaseQueue, layout: StoreLayout) {
    self.queue = queue
    self.layout = layout
  }

  static let authorAttributes: [AttributeDescription] = [
    .init("id", .integer64, declaredType: "INTEGER"),
    .init("name", .string, declaredType: "TEXT"),
    .init("nick", .string, declaredType: "TEXT"),
    .init("age", .integer64, declaredType: "INTEGER"),
    .init("score", .double, declaredType: "REAL"),
    .init("born", .date, encoding: .isoText, declaredType: "DATETIME"),
    .init("seen", .date, encoding: .unixSeconds, declaredType: "REAL"),
    .init("misc", .undefined),
    .init("flag", .boolean, declaredType: "BOOLEAN"),
    .init("price", .decimal, encoding: .decimalNumber, declaredType: "NUMERIC"),
    .init("exact", .decimal, encoding: .decimalText, declaredType: "TEXT"),
    .init("token", .uuid, encoding: .uuidData, declaredType: "BLOB"),
    .init("code", .uuid, encoding: .uuidText, declaredType: "TEXT"),
    .init("link", .uri, encoding: .urlText, declaredType: "TEXT"),
    .init("mentor_id", .integer64, declaredType: "INTEGER"),
  ]

  private static func makeLayout() -> StoreLayout {
    let author = EntityDescription(
      name: "Author", attributes: authorAttributes,
      relationships: [
        .init("mentor", to: "Author", inverse: "pupils", foreignKeyAttributes: ["mentor_id"]),
        .init("pupils", to: "Author", inverse: "mentor", isToMany: true),
        .init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade),
        .init("tags", to: "Tag", inverse: "authors", isToMany: true),
      ], keyAttributes: ["id"])
    let book = EntityDescription(
      name: "Book",
      attributes: [
        .init("id", .integer64, declaredType: "INTEGER"),
        .init("title", .string, declaredType: "TEXT"),
        .init("pages", .integer64, declaredType: "INTEGER"),
        .init("author_id", .integer64, declaredType: "INTEGER"),
      ],
      relationships: [
        .init("author", to: "Author", inverse: "books", foreignKeyAttributes: ["author_id"])
      ], keyAttributes: ["id"])
    let tag = EntityDescription(
      name: "Tag",
      attributes: [
        .init("key", .string, isOptional: false, declaredType: "TEXT"),
        .init("label", .string, isOptional: false, declaredType: "TEXT"),
      ],
      relationships: [.init("authors", to: "Author", inverse: "tags", isToMany: true)],
      keyAttributes: ["key"])
    let pairs = EntityTable.JoinTable(
      name: "author_tag", sourceColumns: ["author_id"], sourceReferenced: ["id"],
      destinationColumns: ["tag_key"], destinationReferenced: ["key"])
    let back = EntityTable.JoinTable(
      name: "author_tag", sourceColumns: ["tag_key"], sourceReferenced: ["key"],
      destinationColumns: ["author_id"], destinationReferenced: ["id"])
    return StoreLayout(
      model: ManagedObjectModel(entities: [author, book, tag]),
      tables: [
        "Author": EntityTable(
          name: "author", key: .rowid(name: "id"), columns: author.attributes.map(\.name),
          toOne: [
            "mentor": .init(columns: ["mentor_id"], referenced: ["id"], referencesKey: true)
          ],
          toMany: [
            "pupils": .foreignKey(.init(columns: ["mentor_id"], referenced: ["id"])),
            "books": .foreignKey(.init(columns: ["author_id"], referenced: ["id"])),
            "tags": .join(pairs),
          ]),
        "Book": EntityTable(
          name: "book", key: .rowid(name: "id"), columns: book.attributes.map(\.name),
          toOne: [
            "author": .init(columns: ["author_id"], referenced: ["id"], referencesKey: true)
          ]),
        "Tag": EntityTable(
          name: "tag", key: .columns(["key"]), columns: tag.attributes.map(\.name),
          toMany: ["authors": .join(back)]),
      ])
  }

  var reader: StoreReader { StoreReader(layout: layout, storeIdentifier: Self.storeIdentifier) }
  var writer: StoreWriter { StoreWriter(reader) }
  var compiler: QueryCompiler {
    QueryCompiler(layout: layout, storeIdentifier: Self.storeIdentifier)
  }

  func execute(_ sql: String) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  func id(_ entityName: String, _ key: Int64) -> ObjectID {
    ObjectID(
      storeIdentifier: Self.storeIdentifier, entityName: entityName, key: .integer(key))
  }

  func tag(_ key: String) -> ObjectID {
    ObjectID(
      storeIdentifier: Self.storeIdentifier, entityName: "Tag", key: .composite([.string(key)]))
  }

  /// The IDs of an entity's objects that satisfy a condition, sorted by key.
  func ids(_ entityName: String, where node: FetchPredicate.Node) throws -> [ObjectID] {
    let scope = try QueryScope(entityName: entityName, layout: layout)
    let condition = try compiler.condition(node, in: .init(scope), exact: false)
    let sql: SQL = """
      SELECT \(scope.keyColumns) FROM \(scope.from) WHERE \(condition) ORDER BY \(scope.keyColumns)
      """
    return try queue.writeWithoutTransaction { database in
      let statement = try Statement(sql, on: Connection(database), doing: "testing")
      var ids: [ObjectID] = []
      while try statement.step() {
        ids.append(
          ObjectID(
            storeIdentifier: Self.storeIdentifier, entityName: entityName,
            key: scope.table.hasRowid
              ? .integer(statement.integer(0)) : .composite([statement.value(0)])))
      }
      return ids
    }
  }

  /// The keys of the authors that satisfy a predicate.
  func keys(where format: String) throws -> [Int64] {
    try keys(plan(where: format))
  }

  /// A fetch of authors that fulfil a condition.
  func plan(where format: String) throws -> FetchPlan {
    FetchPlan(
      entityName: "Author",
      predicate: try FetchPredicate(format: format).validated(
        forEntity: "Author", in: layout.model))
  }

  /// The integer keys of a fetch.
  func keys(_ plan: FetchPlan) throws -> [Int64] {
    try fetch(plan).ids.withKeys(\.self) ?? []
  }

  func fetch(_ plan: FetchPlan, control: FetchControl? = nil) throws -> FetchedIDs {
    try queue.writeWithoutTransaction {
      try reader.fetch(plan, control: control, on: Connection($0))
    }
  }

  func snapshot(_ id: ObjectID) throws -> RowSnapshot? {
    try queue.writeWithoutTransaction { try reader.snapshots(of: [id], on: Connection($0))[id] }
  }

  func save(_ request: SaveRequest) throws -> SaveResult {
    try queue.writeWithoutTransaction { try writer.save(request, on: Connection($0)) }
  }

  func explain(_ request: SaveRequest) throws -> [String] {
    try queue.writeWithoutTransaction {
      try writer.rehearse(request, on: Connection($0)).statements
    }
  }

  /// The first column of a query, as text.
  func column(_ sql: String) throws -> [String] {
    try queue.writeWithoutTransaction { try String.fetchAll($0, sql: sql) }
  }

  /// SQLite's query plan for a fetch.
  func steps(of plan: FetchPlan) throws -> String {
    let query = try FetchQuery(plan, compiler: compiler)
    return try queue.writeWithoutTransaction { database in
      let statement = try Statement(
        "EXPLAIN QUERY PLAN \(query.sql)", on: Connection(database), doing: "testing")
      var steps: [String] = []
      while try statement.step() { steps.append(statement.value(3).description) }
      return steps.joined(separator: "\n")
    }
  }
}
