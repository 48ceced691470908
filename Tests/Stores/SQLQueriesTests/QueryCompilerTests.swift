import ObjectModel
import Testing

@testable import SQLQueries

/// The SQL of predicates and orders; what it returns is tested with a database.
@Suite struct QueryCompilerTests {
  private static let layout: StoreLayout = {
    let artist = EntityDescription(
      name: "Artist", attributes: [.init("name", .string, declaredType: "TEXT")],
      relationships: [.init("albums", to: "Album", inverse: "artist", isToMany: true)])
    let album = EntityDescription(
      name: "Album",
      attributes: [
        .init("title", .string, declaredType: "TEXT"),
        .init("year", .integer64, declaredType: "INTEGER"),
      ], relationships: [.init("artist", to: "Artist", inverse: "albums")])
    return StoreLayout(
      model: ManagedObjectModel(entities: [artist, album]),
      tables: [
        "Artist": EntityTable(
          name: "artist", key: .rowid(name: "id"), columns: ["name"],
          toMany: ["albums": .foreignKey(.init(columns: ["artist_id"], referenced: ["id"]))]),
        "Album": EntityTable(
          name: "album", key: .rowid(name: "id"), columns: ["title", "year"],
          toOne: [
            "artist": .init(columns: ["artist_id"], referenced: ["id"], referencesKey: true)
          ]),
      ])
  }()

  private func compile(_ format: String, entity: String = "Album") throws -> (SQL, from: SQL) {
    let compiler = QueryCompiler(layout: Self.layout, storeIdentifier: "store")
    let scope = try QueryScope(entityName: entity, layout: Self.layout)
    let predicate = try FetchPredicate(format: format)
    let condition = try compiler.condition(predicate.node, in: .init(scope), exact: false)
    return (condition, scope.from)
  }

  @Test func `a comparison becomes SQL that an index can serve`() throws {
    let (sql, from) = try compile("title == 'Blue'")
    #expect(from.text == #""album" t0"#)
    #expect(sql.text == #"t0."title" COLLATE BINARY = ?"#)
    #expect(sql.bindings == [.value("Blue")])
  }

  @Test func `a key path across a to-one relationship joins its table once`() throws {
    let (sql, from) = try compile("artist.name == 'X' OR artist.name == 'Y'")
    #expect(from.text == #""album" t0 LEFT JOIN "artist" t1 ON t1."id" = t0."artist_id""#)
    #expect(
      sql.text
        == #"(t1."name" COLLATE BINARY = ? OR t1."name" COLLATE BINARY = ?)"#)
  }

  @Test func `ANY over a to-many relationship becomes EXISTS`() throws {
    let (sql, _) = try compile("ANY albums.year > 1990", entity: "Artist")
    #expect(sql.text.hasPrefix(#"EXISTS (SELECT 1 FROM "album" t1 WHERE t0."id" = t1."artist_id""#))
    #expect(sql.bindings == [.value(1990)])
  }

  @Test func `what SQL cannot answer is handed to the evaluator`() throws {
    let (sql, _) = try compile("title MATCHES '[A-M].*'")
    #expect(sql.text == #"cardfile_evaluate(?, t0."title")"#)
    #expect(sql.bindings.count == 1)
  }

  @Test func `an order ends with the key`() throws {
    let compiler = QueryCompiler(layout: Self.layout, storeIdentifier: "store")
    let scope = try QueryScope(entityName: "Album", layout: Self.layout)
    let order = try compiler.order([.init("year", ascending: false)], in: scope)
    let last = #"typeof(+t0."year") IN ('text', 'blob')"#
    #expect(order.map(\.text) == [last, #"t0."year" COLLATE BINARY DESC"#, #"t0."id""#])
  }

  @Test func `a key path that does not exist is an error`() {
    #expect(throws: StoreError.self) { try compile("titel == 'Blue'") }
  }

  @Test func `rows are selected by key with few different statements`() throws {
    let scope = try QueryScope(entityName: "Artist", layout: Self.layout)
    let texts = (1...QueryScope.keysPerStatement).map { count in
      scope.condition(keys: (1...Int64(count)).map(ObjectKey.integer)).text
    }
    #expect(Set(texts).count == 10)
    #expect(texts[0] == #"t0."id" IN (?)"#)
    let three = scope.condition(keys: [.integer(5), .integer(6), .integer(7)])
    #expect(three.bindings == [5, 6, 7, 7].map { .value(.integer($0)) })
  }
}
