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
}
