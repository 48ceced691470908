import ObjectModel
import SQLiteStore
import Testing

struct JoinTableSaveTests {
  private func save(_ model: ManagedObjectModel, from source: String, to destination: String) throws
    -> StoreDump
  {
    let database = try TemporaryDatabase()
    let store = try SQLiteStore.create(
      path: database.path, model: model, layout: .coreData(CoreDataCreation()))
    let ids = [source, destination].enumerated().map { number, name in
      ObjectID(storeIdentifier: "", entityName: name, key: .temporary(UInt64(number)))
    }
    _ = try store.save(
      SaveRequest(
        inserted: ids.map { RowChange(id: $0) },
        linked: [ObjectLink("related", from: ids[0], to: ids[1])]))
    #expect(try store.check() == [])
    return try StoreDump(database)
  }

  @Test func `a relationship that is its own inverse gets a row for each direction`() throws {
    let model = ManagedObjectModel {
      Entity("Person") { ToMany("related", "Person", inverse: "related") }
    }
    let tables = try save(model, from: "Person", to: "Person").tables
    #expect(tables["Z_1RELATED"]?.count == 2)
  }

  @Test func `two relationships of one name get one row for both directions`() throws {
    let model = ManagedObjectModel {
      Entity("Article") { ToMany("related", "Recipe", inverse: "related") }
      Entity("Recipe") { ToMany("related", "Article", inverse: "related") }
    }
    let tables = try save(model, from: "Article", to: "Recipe").tables
    #expect(tables["Z_1RELATED"]?.count == 1)
  }
}
