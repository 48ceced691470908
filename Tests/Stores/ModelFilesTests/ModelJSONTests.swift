import Foundation
import ObjectModel
import Testing

struct ModelJSONTests {
  @Test(arguments: 0..<60)
  func `a random model with all Core Data features reads back equal from JSON`(
    seed: UInt64
  ) throws {
    var maker = ModelMaker(seed: seed)
    let model = try maker.model(namesComposites: true)
    let json = try model.json()
    let read = try ManagedObjectModel(json: json)
    expectEqual(read, model)
    #expect(try read.json() == json)
  }

  @Test func `default values are omitted from the JSON`() throws {
    let plain = EntityDescription(
      name: "Note", attributes: [.init("text", .string)],
      relationships: [.init("next", to: "Note")])
    let json = try ManagedObjectModel(entities: [plain]).json()
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {
          "entities" : [
            {
              "attributes" : [
                {
                  "name" : "text",
                  "type" : "string"
                }
              ],
              "name" : "Note",
              "relationships" : [
                {
                  "destination" : "Note",
                  "name" : "next"
                }
              ]
            }
          ],
          "version" : 2
        }
        """)
  }

  @Test func `JSON of version 1 is read`() throws {
    let json = """
      {"version": 1, "entities": [{"name": "Note", "attributes":
        [{"name": "text", "type": "string", "isOptional": false}]}]}
      """
    let model = try ManagedObjectModel(json: Data(json.utf8))
    let attributes = [AttributeDescription("text", .string, isOptional: false)]
    #expect(model.entities == [EntityDescription(name: "Note", attributes: attributes)])
    #expect(model.details == ModelDetails())
  }
}
