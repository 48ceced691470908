import CoreDataNames
import Foundation
import ManagedObjects
import ObjectModel
import Testing

/// Values of transformable attributes by `value(forKey:)`.
struct TransformableTests {
  private struct PointCodec: AttributeCodec {
    struct NoPoint: Error {}

    func encode(_ content: [Int]) throws -> Data { Data(content.map { UInt8($0) }) }

    func decode(_ data: Data) throws -> [Int] {
      guard data.count == 2 else { throw NoPoint() }
      return data.map { Int($0) }
    }
  }

  @Test func `a registered codec makes values of the bytes`() throws {
    AttributeCodecs.set(PointCodec(), forName: "NamesPoint")
    let model = NSManagedObjectModel {
      Entity("Card") { Attribute("point", .transformable, valueTransformerName: "NamesPoint") }
    }
    let context = NSManagedObjectContext(
      coordinator: NSPersistentStoreCoordinator(store: InMemoryStore(model: model)))
    let card = try context.insert(entityName: "Card")
    card.setValue([3, 4], forKey: "point")
    try context.save()
    #expect(card["point"] == .data(Data([3, 4])))
    let read: Any? = card.value(forKey: "point")
    #expect(read as? [Int] == [3, 4])
    card["point"] = .data(Data([1]))
    var reported = 0
    context.onError = { _ in reported += 1 }
    let broken: Any? = card.value(forKey: "point")
    #expect(broken == nil)
    #expect(reported == 1)
    card.setValue("no point", forKey: "point")
    #expect(throws: ManagedObjectError.self) { try context.save() }
  }
}
