import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import Testing

@testable import CardfileApp

/// The columns and the order that a list has until a person chooses others.
@MainActor @Suite struct ListDefaultsTests {
  /// Objects of one entity, each with some values.
  private func defaults(
    _ attributes: [AttributeDescription], _ rows: [[String: Value]], keys: [String] = []
  ) throws -> ListDefaults {
    let entity = EntityDescription(name: "Part", attributes: attributes, keyAttributes: keys)
    let store = InMemoryStore(
      model: ManagedObjectModel(entities: [entity]), identifier: "A0", name: "parts.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for row in rows {
      let object = try context.insert(entityName: "Part")
      for (name, value) in row { object[name] = value }
    }
    try context.save()
    return ListDefaults(entity, store: store)
  }

  private func names(_ defaults: ListDefaults) -> [String] {
    ListColumn.defaults(defaults, hiding: nil).map(\.name)
  }

  /// The names of some sections' values and how often each is there.
  private func texts(_ count: Int, of kinds: Int) -> [Value] {
    (0..<count).map { .string("\(["Ash", "Birch", "Cedar", "Elm", "Fir"][$0 % kinds]) wood") }
  }

  @Test func `an object that no text tells from others is known by date, amount and owner`() throws
  {
    let model = ManagedObjectModel {
      Entity("Customer") { Attribute("name", .string) }
      Entity("Invoice") {
        Attribute("street", .string)
        Attribute("city", .string)
        Attribute("sentAt", .date)
        Attribute("updatedAt", .date)
        Attribute("lines", .integer64)
        Attribute("total", .decimal)
        ToOne("customer", "Customer")
      }
    }
    let store = InMemoryStore(model: model, identifier: "A0", name: "shop.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let customers = try ["Ada", "Bob"].map { name in
      let customer = try context.insert(entityName: "Customer")
      customer["name"] = .string(name)
      return customer
    }
    for number in 0..<30 {
      let invoice = try context.insert(entityName: "Invoice")
      invoice["street"] = .string("\(number % 7) Elm Street")
      invoice["city"] = .string(["Oslo", "Rome"][number % 2])
      let day = Date(timeIntervalSince1970: Double(number) * 86_400)
      (invoice["sentAt"], invoice["updatedAt"]) = (.date(day), .date(day + 86_400))
      invoice["lines"] = .integer(Int64(number % 5))
      invoice["total"] = .decimal(Decimal(number * 3))
      try invoice.setObject(customers[number % 2], forKey: "customer")
    }
    try context.save()
    let entity = try #require(model.entity(named: "Invoice"))
    let defaults = ListDefaults(entity, store: store)
    #expect(defaults.display == nil)
    #expect(
      names(defaults) == ["sentAt", "total", "customer", "lines", "street", "city", "updatedAt"])
    #expect(defaults.sortDescriptors == [FetchSortDescriptor("sentAt")])
    // Two openings choose the same.
    #expect(names(ListDefaults(entity, store: store)) == names(defaults))
    let id = try #require(
      try store.fetch(FetchPlan(entityName: "Invoice", limit: 1), control: FetchControl()).ids.first
    )
    #expect(context.displayName(of: id) == "Invoice 1 · 1970-01-01")
  }

  @Test func `texts that repeat, addresses and codes come after what tells objects apart`() throws {
    let defaults = try defaults(
      [
        AttributeDescription("sku", .string), AttributeDescription("state", .string),
        AttributeDescription("email", .string), AttributeDescription("flags", .integer64),
        AttributeDescription("maker", .string), AttributeDescription("name", .string),
        AttributeDescription("note", .string), AttributeDescription("price", .decimal),
      ],
      (1...20).map { number in
        [
          "sku": .string("SKU-\(number)"), "state": .string(["new", "old"][number % 2]),
          "email": .string("part\(number)@example.org"), "flags": .integer(Int64(number)),
          "maker": .string(["Abel", "Cain"][number % 2]), "name": .string("Part \(number)"),
          "note": .string("note of \(["bolt", "nut", "rod"][number % 3]) \(number) there"),
          "price": .decimal(Decimal(number)),
        ]
      })
    #expect(
      names(defaults) == ["name", "price", "note", "maker", "state", "sku", "email", "flags"])
  }

  @Test func `a first name follows the last name, and the number of an order is its title`() throws
  {
    let people = try defaults(
      [
        AttributeDescription("born", .date), AttributeDescription("firstName", .string),
        AttributeDescription("lastName", .string),
      ],
      (1...9).map { number in
        [
          "born": .date(Date(timeIntervalSince1970: Double(number))), "firstName": "Ada",
          "lastName": .string("Byron \(number)"),
        ].merging(["firstName": .string("Ada \(number % 3)")]) { $1 }
      })
    #expect(names(people) == ["lastName", "firstName", "born"])
    let orders = try defaults(
      [AttributeDescription("placed", .date), AttributeDescription("number", .string)],
      (1...9).map { number in
        [
          "placed": .date(Date(timeIntervalSince1970: Double(number))),
          "number": .string("R10\(number)"),
        ]
      })
    #expect(names(orders) == ["number", "placed"])
    #expect(orders.sortDescriptors == [FetchSortDescriptor("placed")])
  }

  @Test func `bytes neither title nor sort a list`() throws {
    let defaults = try defaults(
      [AttributeDescription("image", .binaryData), AttributeDescription("camera", .string)],
      (1...9).map { ["image": .data(Data([UInt8($0)])), "camera": "X100"] })
    #expect(names(defaults) == ["Part"])
    #expect(defaults.sortDescriptors.map(\.keyPath) == ["camera"])
  }

  @Test func `a title that some objects lack does not sort the list where there is a date`() throws
  {
    let rows: [[String: Value]] = (1...20).map { number in
      [
        "title": number % 5 == 0 ? .null : .string("Page \(number)"),
        "seen": .date(Date(timeIntervalSince1970: Double(number))),
      ]
    }
    let attributes = [AttributeDescription("title", .string), AttributeDescription("seen", .date)]
    let defaults = try defaults(attributes, rows)
    #expect(names(defaults) == ["title", "seen"])
    #expect(defaults.sortDescriptors == [FetchSortDescriptor("seen")])
  }

  @Test(arguments: [
    // Not 12 for 12 people, not one a row; all rows on a screen need none.
    (rows: 12, kinds: 5, section: nil), (rows: 60, kinds: 5, section: SectionKey("name", .value)),
    (rows: 30, kinds: 5, section: SectionKey("name", .initial)), (rows: 30, kinds: 1, section: nil),
  ])
  func `a list has sections where they help`(rows: Int, kinds: Int, section: SectionKey?) throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string)], texts(rows, of: kinds).map { ["name": $0] })
    #expect(defaults.sectionKey(for: [FetchSortDescriptor("name")]) == section)
  }

  @Test func `dates that are each in a month of their own are divided by year, or not at all`()
    throws
  {
    func section(daysApart: Double) throws -> SectionKey? {
      try defaults(
        [AttributeDescription("made", .date)],
        (0..<20).map {
          ["made": .date(Date(timeIntervalSince1970: Double($0) * daysApart * 86_400))]
        }
      ).sectionKey(for: [FetchSortDescriptor("made")])
    }
    #expect(try section(daysApart: 10) == SectionKey("made", .month))
    #expect(try section(daysApart: 40) == SectionKey("made", .year))
    #expect(try section(daysApart: 400) == nil)
  }

  @Test func `bytes, UUIDs, copies, constants and columns without values are left out`() throws {
    let defaults = try defaults(
      [
        AttributeDescription("uuid", .string), AttributeDescription("photo", .binaryData),
        AttributeDescription("kind", .string), AttributeDescription("empty", .string),
        AttributeDescription("size", .integer64), AttributeDescription("sortName", .string),
        AttributeDescription("label", .string), AttributeDescription("made", .date),
      ],
      (1...3).map { number in
        [
          "uuid": .string(UUID().uuidString), "photo": .data(Data([UInt8(number)])),
          "kind": "part", "size": .integer(Int64(number)),
          "sortName": .string("écrou \(number)"), "label": .string("Écrou \(number)"),
          "made": .date(Date(timeIntervalSince1970: Double(number) * 86_400)),
        ]
      })
    #expect(defaults.display == "label")
    #expect(names(defaults) == ["label", "made", "size"])
    #expect(defaults.sortDescriptors.first?.keyPath == "label")
    #expect(defaults.sortDescriptors.first?.comparison == .localized(numeric: true))
  }

  @Test func `numbers in texts are in their own order, if any text has one`() throws {
    let attributes = [AttributeDescription("name", .string)]
    for (names, isNumeric) in [(["Ada", "Bob", "Cy"], false), (["Ada", "Bob", "Flat 10"], true)] {
      let found = try defaults(attributes, names.map { ["name": .string($0)] })
      #expect(found.sortDescriptors.first?.comparison == .localized(numeric: isNumeric))
    }
  }

  @Test func `without texts the order is by a date, or else by a number`() throws {
    let attributes = [
      AttributeDescription("size", .integer64), AttributeDescription("made", .date),
      AttributeDescription("name", .string),
    ]
    let dates = try defaults(
      attributes,
      (1...2).map {
        ["size": .integer($0), "made": .date(Date(timeIntervalSince1970: Double($0)))]
      })
    #expect(names(dates) == ["made", "size"])
    #expect(dates.sortDescriptors == [FetchSortDescriptor("made")])
    let numbers = try defaults(attributes, (1...2).map { ["size": .integer($0)] })
    #expect(names(numbers) == ["Part", "size"])
    #expect(numbers.sortDescriptors == [FetchSortDescriptor("size")])
  }

  @Test func `an entity without objects has all its readable columns`() throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string), AttributeDescription("photo", .binaryData)], [])
    #expect(names(defaults) == ["name"])
  }

  @Test func `one object is no evidence for a constant`() throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string), AttributeDescription("size", .integer64)],
      [["name": "bolt", "size": 4]])
    #expect(names(defaults) == ["name", "size"])
  }

  @Test func `texts without digits keep the plain localized order`() throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string)], [["name": "bolt"], ["name": "nut"]])
    #expect(defaults.sortDescriptors == [FetchSortDescriptor("name", comparison: .localized)])
  }

  @Test func `an object without a title is named by what it joins, or by its number`() throws {
    let model = ManagedObjectModel {
      Entity("Song") { Attribute("title", .string) }
      Entity("List") { Attribute("name", .string) }
      Entity("Entry") {
        Attribute("position", .integer64)
        ToOne("song", "Song")
        ToOne("list", "List")
      }
    }
    let store = InMemoryStore(model: model, identifier: "A0", name: "songs.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let song = try context.insert(entityName: "Song")
    song["title"] = "Blue"
    let list = try context.insert(entityName: "List")
    list["name"] = "Evening"
    let entry = try context.insert(entityName: "Entry")
    try entry.setObject(song, forKey: "song")
    try entry.setObject(list, forKey: "list")
    let lonely = try context.insert(entityName: "Entry")
    try context.save()
    #expect(context.displayName(of: entry.objectID) == "Blue · Evening")
    #expect(context.displayName(of: lonely.objectID) == "Entry 2")
    song["title"] = .string(UUID().uuidString)
    #expect(context.displayName(of: song.objectID) == "Song 1")
  }

  /// Joins of songs with lists: each list has hundreds of songs; hardly any entry has a cover.
  private func entries() throws -> ListDefaults {
    let model = ManagedObjectModel {
      Entity("Song") { Attribute("title", .string) }
      Entity("List") { Attribute("name", .string) }
      Entity("Cover") { Attribute("name", .string) }
      Entity("Entry") {
        ToOne("cover", "Cover")
        ToOne("list", "List")
        ToOne("song", "Song")
      }
    }
    let store = InMemoryStore(model: model, identifier: "A0", name: "songs.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let lists = try (0..<2).map { number in
      let list = try context.insert(entityName: "List")
      list["name"] = .string("List \(number)")
      return list
    }
    for number in 0..<400 {
      let song = try context.insert(entityName: "Song")
      song["title"] = .string("Song \(number)")
      let entry = try context.insert(entityName: "Entry")
      try entry.setObject(song, forKey: "song")
      try entry.setObject(lists[number / 300], forKey: "list")
      if number % 50 == 0 {
        try entry.setObject(context.insert(entityName: "Cover"), forKey: "cover")
      }
    }
    try context.save()
    return ListDefaults(try #require(model.entity(named: "Entry")), store: store)
  }

  @Test func `the ends of a join are shown even if the first rows have the same, rare ones last`()
    throws
  {
    #expect(names(try entries()) == ["song", "list", "cover"])
  }

  @Test func `a key is the title of what has no other name, and not shown twice`() throws {
    let logs = try defaults(
      [AttributeDescription("id", .integer64), AttributeDescription("ease", .integer64)],
      (1...9).map { ["id": .integer($0), "ease": .integer($0 % 3)] }, keys: ["id"])
    #expect(names(logs) == ["id", "ease"])
    #expect(logs.sortDescriptors == [FetchSortDescriptor("id")])
  }

  @Test func `a text that repeats is no title, and random identifiers are no order`() throws {
    let splits = try defaults(
      ["guid", "state", "value"].map {
        AttributeDescription($0, $0 == "value" ? .integer64 : .string)
      },
      (1...30).map {
        [
          "guid": .string(UUID().uuidString), "state": .string(["c", "n", "y"][Int($0) % 3]),
          "value": .integer($0 * 7),
        ]
      }, keys: ["guid"])
    #expect(names(splits) == ["value", "state"])
    #expect(splits.sortDescriptors == [FetchSortDescriptor("value")])
  }

  @Test func `objects without any value to sort by are listed in the order of their keys`() throws {
    let model = ManagedObjectModel {
      Entity("Image") { Attribute("bytes", .binaryData) }
      Entity("Node") { ToMany("nodes", "Node") }
    }
    let store = InMemoryStore(model: model, identifier: "A0", name: "images.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for number in 1...3 {
      try context.insert(entityName: "Image")["bytes"] = .data(Data([UInt8(4 - number)]))
      _ = try context.insert(entityName: "Node")
    }
    try context.save()
    for name in ["Image", "Node"] {
      let stage = try Stage(name, store: store)
      #expect(stage.title.contains("3 objects"), "\(stage.text)")
      let list = try #require(stage.app.screen as? ListScreen)
      #expect(
        list.controller.results.map { Array($0.ids) }
          == Array(try context.fetchIDs(FetchPlan(entityName: name)).ids))
      stage.type("S")
      #expect(stage.status.contains("There is nothing to sort by"))
      stage.type("o")
      #expect(stage.title.contains("4 objects"), "\(stage.text)")
      stage.type("GgfxdW")
    }
  }
}
