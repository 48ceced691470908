import Foundation
import ManagedObjects
import ObjectModel

/// The store of the design's pictures: people with pets, orders and invoices.
enum Contacts {
  static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("city", .string)
      Attribute("born", .date, encoding: .isoText)
      Attribute("email", .string)
      Attribute("notes", .string)
      Attribute("photo", .binaryData)
      ToOne("employer", "Company", inverse: "employees")
      ToMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)
      ToMany("orders", "Order", inverse: "customer", deleteRule: .nullify)
      ToMany("invoices", "Invoice", inverse: "customer", deleteRule: .deny)
    }
    Entity("Company") {
      Attribute("name", .string)
      ToMany("employees", "Person", inverse: "employer")
    }
    Entity("Pet") {
      Attribute("name", .string)
      ToOne("owner", "Person", inverse: "pets")
    }
    Entity("Order") {
      Attribute("placed", .date, encoding: .isoText)
      ToOne("customer", "Person", inverse: "orders")
    }
    Entity("Invoice") {
      Attribute("number", .integer64)
      ToOne("customer", "Person", inverse: "invoices")
    }
    Entity("Tag") { Attribute("name", .string) }
  }

  private static let people: [(name: String, city: String?, born: String, email: String?)] = [
    ("Hansen, Ingrid", "Oslo", "1961-04-02", "ingrid.hansen@example.com"),
    ("Horváth, Noah", "Brno", "1954-01-08", "noah.horvath@example.net"),
    ("Ibrahim, Yasmin", "東京", "1977-11-20", "yasmin.ibrahim@example.org"),
    ("Ito, さくら", "大阪", "1990-10-07", "sakura.ito@example.com"),
    ("Ito, 太郎", "東京", "1938-02-26", "taro.ito@example.com"),
    ("Jensen, Søren", "Tromsø", "1942-07-09", "soren.jensen@example.net"),
    ("Jensen, Viktor", "Kraków", "1996-03-20", "viktor.jensen@example.com"),
    ("Jónsdóttir, Þór", "Reykjavík", "1963-12-17", "thor.jons@example.com"),
    ("Jónsdóttir-Adams, María", "Zürich", "1941-05-10", "maria.ja@example.net"),
    ("Kim, José", "Boston", "1991-08-11", "jose.kim@example.org"),
    ("Kowalski, Łukasz", "Łódź", "2004-07-14", "lukasz.kowalski@example.com"),
    ("Kowalski, Quentin", "Lyon", "1973-07-20", "quentin.kowalski@example.com"),
    ("Larsen, Siân", "London", "1950-09-07", "sian.larsen@example.org"),
    ("Larsen, 伟", "北京", "1948-07-22", "wei.larsen@example.com"),
    ("Łuczak, Ruth", "Zürich", "2005-09-09", "ruth.luczak@example.com"),
    ("Éluard, Paul", nil, "1895-12-14", nil),
    ("Øster, Ida", "Århus", "1988-02-29", "ida.oster@example.org"),
    ("4711", "Köln", "1792-10-08", nil),
    ("Zappa, \u{1B}[31mFrank", "Baltimore", "1940-12-21", "zappa@example.com"),
    ("Abe, 👩‍👩‍👧", "京都", "1999-01-01", "abe@example.jp"),
  ]

  /// A new store with everybody in it.
  static func store(tagCount: Int = 38) throws -> InMemoryStore {
    let store = InMemoryStore(
      model: model, identifier: "9C1F22B0", name: "contacts.sqlite", cutLength: 4_000)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let company = try context.insert(entityName: "Company")
    company["name"] = "Nordic Fish ehf."
    for (place, person) in people.enumerated() {
      let object = try context.insert(entityName: "Person")
      object["name"] = .string(person.name)
      object["city"] = person.city.map { .string($0) } ?? .null
      object["email"] = person.email.map { .string($0) } ?? .null
      object["born"] = try object.entity.attribute(named: "born")?.value(from: person.born) ?? .null
      if place % 3 == 1 { try object.setObject(company, forKey: "employer") }
      try give(to: object, place: place, in: context)
    }
    for number in 0..<tagCount {
      try context.insert(entityName: "Tag")["name"] = .string("tag \(number + 1)")
    }
    try context.save()
    return store
  }

  private static func give(
    to person: ManagedObject, place: Int, in context: ManagedObjectContext
  ) throws {
    switch place {
    case 6:
      for number in 1...4 {
        let invoice = try context.insert(entityName: "Invoice")
        invoice["number"] = .integer(Int64(number))
        try invoice.setObject(person, forKey: "customer")
      }
    case 7:
      person["photo"] = .data(Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 7, count: 48_210))
      person["notes"] = .string(
        "follow up after launch, likes jazz and coffee; moved to a new flat in May")
      for name in ["Rex", "Tom"] { try addPet(name, to: person, in: context) }
    case 9:
      for name in ["Ace", "Bo", "Cy", "Di", "Ed"] { try addPet(name, to: person, in: context) }
      for day in ["2026-11-01", "2026-11-02"] {
        let order = try context.insert(entityName: "Order")
        order["placed"] = try order.entity.attribute(named: "placed")?.value(from: day) ?? .null
        try order.setObject(person, forKey: "customer")
      }
    default: break
    }
  }

  private static func addPet(
    _ name: String, to person: ManagedObject, in context: ManagedObjectContext
  ) throws {
    let pet = try context.insert(entityName: "Pet")
    pet["name"] = .string(name)
    try pet.setObject(person, forKey: "owner")
  }
}
