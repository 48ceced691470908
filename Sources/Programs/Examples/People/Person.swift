import Cardfile

/// A person with an identifier, which new objects get by themselves.
final class Person: ManagedObject, EntityClass {
  static let entityName = "Person"
  static let name = AttributeKey<Person, String>("name")

  static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("objectId", .string, isOptional: false)
      Attribute("name", .string, isOptional: false)
      Unique("objectId")
    }
  }

  private static let names = ["Ada", "Björn", "Carla", "Dai", "Esmé", "Farid", "Greta", "Hana"]
  private static let surnames = ["Åkesson", "Brzozowska", "Duval", "Lovelace", "Novotná", "Wirth"]

  static func randomName() -> String {
    "\(names.randomElement() ?? "") \(surnames.randomElement() ?? "")"
  }
}
