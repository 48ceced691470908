import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores

/// The same people in a store of any kind, with a value of every type, composites, and
/// relationships of every kind.
struct PeopleStore {
  static let count = 24

  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person",
      attributes: [
        AttributeDescription("n", .integer64), AttributeDescription("name", .string),
        AttributeDescription("nick", .string), AttributeDescription("age", .integer16),
        AttributeDescription("height", .double), AttributeDescription("price", .decimal),
        AttributeDescription("born", .date), AttributeDescription("flag", .boolean),
        AttributeDescription("token", .uuid), AttributeDescription("photo", .binaryData),
        AttributeDescription("link", .uri), leaf("home.city", .string),
        leaf("home.zip", .integer32),
        leaf("author.id", .integer64), leaf("author.name.first", .string),
        leaf("author.name.last", .string),
      ],
      relationships: [
        RelationshipDescription("boss", to: "Person", inverse: "reports"),
        RelationshipDescription("reports", to: "Person", inverse: "boss", isToMany: true),
        RelationshipDescription("pets", to: "Pet", inverse: "owner", isToMany: true),
        RelationshipDescription("clubs", to: "Club", inverse: "people", isToMany: true),
      ]),
    EntityDescription(
      name: "Pet",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("weight", .double),
        AttributeDescription("born", .date),
      ],
      relationships: [
        RelationshipDescription("owner", to: "Person", inverse: "pets"),
        RelationshipDescription("toys", to: "Toy", inverse: "pet", isToMany: true),
      ]),
    EntityDescription(
      name: "Toy",
      attributes: [
        AttributeDescription("label", .string), AttributeDescription("cost", .integer64),
      ],
      relationships: [RelationshipDescription("pet", to: "Pet", inverse: "toys")]),
    EntityDescription(
      name: "Club", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("people", to: "Person", inverse: "clubs", isToMany: true)
      ]),
  ])

  private static func leaf(_ name: String, _ type: AttributeType) -> AttributeDescription {
    let composite = name.split(separator: ".").dropLast().joined(separator: ".")
    return AttributeDescription(name, type, details: AttributeDetails(compositeName: composite))
  }

  private let store: any PersistentStore
  private let database: TemporaryDatabase
  private var numbers: [ObjectID: Int] = [:]

  init(_ kind: TestedStore) throws {
    let database = try TemporaryDatabase()
    self.database = database
    store = try kind.makeStore(Self.model, at: database.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try Self.fill(context)
    try context.save()
    for id in try context.fetchIDs(FetchPlan(entityName: "Person")).ids {
      if case .integer(let number) = context.object(with: id)["n"] { numbers[id] = Int(number) }
    }
  }

  /// The numbers of the people that a predicate finds.
  func numbers(where format: String) throws -> [Int] {
    guard let person = store.model.entity(named: "Person") else { return [] }
    let typed = try TypedPredicate(format, as: .predicate, for: person, in: store.model)
    let plan = FetchPlan(entityName: "Person", predicate: typed.predicate)
    return try store.fetch(plan, control: nil).ids.compactMap { numbers[$0] }.sorted()
  }

  private static func fill(_ context: ManagedObjectContext) throws {
    let names: [Value] = [
      .string("Ada"), .string("ada"), .string("Éva"), .null, .string("Zoë 🙂"), .string(""),
      .string("it's"), .string("a\"b'c"), .string("100% \\ real"), .string("ADAM"),
      .string("李"), .string("Chad"),
    ]
    let clubs = try ["Chess", "Go", "Éclair"].map { name in
      let club = try context.insert(entityName: "Club")
      club["name"] = .string(name)
      return club
    }
    var people: [ManagedObject] = []
    for n in 0..<count {
      let person = try context.insert(entityName: "Person")
      func set(_ key: String, _ value: Value, _ missing: Int) {
        person[key] = n % missing == missing - 1 ? .null : value
      }
      person["n"] = .integer(Int64(n))
      person["name"] = names[n % names.count]
      set("nick", n % 4 == 0 ? .string(String(n % 7)) : names[(n * 5 + 2) % names.count], 6)
      set("age", .integer(Int64(n % 8)), 5)
      set("height", .double(Double(n % 5) + 0.5 * Double(n % 2)), 7)
      set("price", .decimal(Decimal(n % 6) / 2), 8)
      set("born", .date(Date(timeIntervalSinceReferenceDate: Double(n) * 4_000_000.25)), 9)
      set("flag", .bool(n % 2 == 0), 3)
      set("token", .uuid(try token(n)), 4)
      set("photo", .data(Data([UInt8(n), 0, 255])), 3)
      set("link", .url(try url("https://a.example/x?y=\(n % 3)")), 5)
      set("home.city", names[(n * 3) % names.count], 4)
      set("home.zip", .integer(Int64(n % 12)), 4)
      set("author.id", .integer(Int64(n % 3)), 3)
      set("author.name.first", .string("A"), 3)
      set("author.name.last", names[(n + 4) % names.count], 3)
      if n % 5 != 0 { try person.setObject(people[n / 3], forKey: "boss") }
      for club in clubs.prefix(n % 4) { try person.add(club, forKey: "clubs") }
      for index in 0..<(n % 4) { try addPet(index, to: person, n, names) }
      people.append(person)
    }
  }

  private static func addPet(
    _ index: Int, to person: ManagedObject, _ n: Int, _ names: [Value]
  ) throws {
    guard let context = person.managedObjectContext else { return }
    let pet = try context.insert(entityName: "Pet")
    pet["title"] = [.string("Rex"), .string("Tom"), .null, names[n % names.count]][(n + index) % 4]
    pet["weight"] = (n + index) % 6 == 5 ? .null : .double(Double(index) + Double(n % 3))
    pet["born"] =
      (n + index) % 5 == 4
      ? .null : .date(Date(timeIntervalSinceReferenceDate: Double(index * n) * 3_000_000))
    try pet.setObject(person, forKey: "owner")
    for number in 0..<((n + index) % 3) {
      let toy = try context.insert(entityName: "Toy")
      toy["label"] = .string(["ball", "bone", "Éponge"][number])
      toy["cost"] = number == 1 && n % 2 == 0 ? .null : .integer(Int64(number + n % 3))
      try toy.setObject(pet, forKey: "pet")
    }
  }

  private static func token(_ n: Int) throws -> UUID {
    guard n % 2 == 1, let token = UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA") else {
      return UUID(uuid: (UInt8(n), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }
    return token
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw CocoaError(.fileReadUnknown) }
    return url
  }
}
