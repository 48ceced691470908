import Foundation
import ManagedObjects
import ObjectModel

/// The store of the pictures: people and the discs that they own.
enum DiscCollection {
  static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("city", .string)
      Attribute("born", .date, encoding: .isoText)
      Attribute("email", .string)
      ToMany("discs", "Disc", inverse: "owner", deleteRule: .cascade)
    }
    Entity("Disc") {
      Attribute("title", .string)
      Attribute("bought", .date, encoding: .isoText)
      Attribute("price", .decimal)
      Attribute("genre", .string)
      ToOne("owner", "Person", inverse: "discs")
    }
  }

  private static let people: [(name: String, city: String, born: String, email: String)] = [
    ("Andersson, Maja", "Uppsala", "1988-03-14", "maja.andersson@example.org"),
    ("Dubois, Camille", "Lyon", "1979-11-02", "camille.dubois@example.net"),
    ("Okafor, Chidi", "Lagos", "1991-06-27", "chidi.okafor@example.com"),
    ("Tanaka, Yuki", "Kyoto", "1985-01-19", "yuki.tanaka@example.jp"),
    ("Weber, Jonas", "Leipzig", "1972-09-08", "jonas.weber@example.de"),
  ]

  private static let titles = [
    "A Winter in Tromsø", "After the Ferry", "Amber Road", "Before the Harvest", "Black Swan Lake",
    "Bridges of Porto", "Café Nocturne", "City of Umbrellas", "Cloud Atlas of Home",
    "Dancing in the Archive", "Dust and Diamonds", "Eleven Lighthouses", "Evening Train",
    "Far from Valparaíso", "Five Small Rooms", "Glass Mountain", "Good Night, Reykjavík",
    "Harbour Lights", "High Water", "Invisible Orchestra", "Island of Clocks", "Jasmine and Rain",
    "Last Summer in Kyoto", "Letters to Nobody", "Lighthouse Keeper", "Midnight Gardeners",
    "Northern Line", "Night Bus to Oslo", "Once More, Slowly", "Paper Boats", "Quiet Machines",
    "Red Bicycle", "River of Names", "Salt and Snow", "Seven Bridges", "Silver Birch",
    "The Long Way Back", "The Mapmaker", "Three Cups of Tea", "Under the Elm", "White Nights",
    "Yesterday's Weather",
  ]
  private static let genres = ["Drama", "Comedy", "Documentary", "Crime"]

  /// A new store with everybody and all discs in it.
  static func store() throws -> InMemoryStore {
    let store = InMemoryStore(model: model, identifier: "D15C5", name: "collection.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    func day(_ text: String, _ name: String, of object: ManagedObject) throws -> Value {
      try object.entity.attribute(named: name)?.value(from: text) ?? .null
    }
    let owners = try people.map { person in
      let object = try context.insert(entityName: "Person")
      object["name"] = .string(person.name)
      object["city"] = .string(person.city)
      object["email"] = .string(person.email)
      object["born"] = try day(person.born, "born", of: object)
      return object
    }
    for (place, title) in titles.enumerated() {
      let disc = try context.insert(entityName: "Disc")
      disc["title"] = .string(title)
      disc["genre"] = .string(genres[place * 7 % 4])
      disc["price"] = .decimal(Decimal(599 + place * 137 % 1_900) / 100)
      let (month, date) = (place * 5 % 12 + 1, place * 11 % 28 + 1)
      disc["bought"] = try day(
        "20\(18 + place * 3 % 8)-\(month < 10 ? "0" : "")\(month)-\(date < 10 ? "0" : "")\(date)",
        "bought", of: disc)
      try disc.setObject(owners[place * 3 % owners.count], forKey: "owner")
    }
    try context.save()
    return store
  }
}
