import GRDB
import ObjectModel
import SQLiteStore
import Testing

struct PlainCreationTests {
  @Test func `a store of plain tables keeps the details of its model`() throws {
    let details = EntityDetails(
      className: "Walker", userInfo: ["icon": "boot"],
      fetchedProperties: [], compoundIndexes: [["name", "age"]])
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            AttributeDescription("name", .string), AttributeDescription("age", .integer64),
          ],
          details: details)
      ], details: ModelDetails(versionIdentifiers: ["2"]))
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(path: database.path, model: model)
    let store = try database.open()
    #expect(store.model.entity(named: "Person")?.details == details)
    #expect(store.model.details == model.details)
  }

  @Test func `indexes of a model are made, unless a constraint or a foreign key has one`() throws {
    let model = ManagedObjectModel {
      Entity("Item") {
        Attribute("name", .string, isIndexed: true)
        Attribute("code", .string, isUnique: true, isIndexed: true)
        ToOne("box", "Box")
        FetchIndex("box")
      }
      Entity("Book", extends: "Item") {
        Attribute("pages", .integer64)
        FetchIndex("pages", "name")
      }
      Entity("Box") { Attribute("label", .string) }
    }
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(path: database.path, model: model)
    let statements = try database.connect().read { database in
      try String.fetchAll(
        database,
        sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql != '' ORDER BY rowid")
    }
    #expect(
      statements == [
        #"CREATE INDEX "index Item box 1" ON "Item"("box")"#,
        #"CREATE UNIQUE INDEX "index Item code 2" ON "Item"("code")"#,
        #"CREATE INDEX "index Item name 3" ON "Item"("name")"#,
        #"CREATE INDEX "index Item pages name 4" ON "Item"("pages", "name")"#,
      ])
  }
}
