import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Each rule of Core Data's layout, on a handwritten store with handwritten expectations.
struct GardenTests {
  let fixture: Fixture
  let store: SQLiteStore

  init() throws {
    fixture = try Fixture("garden", model: Fixture.garden)
    try fixture.putExternal(
      Data([0xCA, 0xFE]), named: "33333333-4444-4555-8666-777777777777")
    store = try fixture.open()
  }

  @Test func `the summary has the store's kind, and the source of its model`() {
    let summary = store.summary
    #expect(summary.kind == "Core Data store")
    #expect(summary.generation == "macOS 14, iOS 17")
    #expect(
      summary.notes == [
        "The store's model cache is empty.",
        "The model is Garden.xcdatamodeld, which is beside the store.",
      ])
    #expect(store.identifier == "0A1B2C3D-0000-4000-8000-00000000CAFE")
    #expect(
      summary.otherTables.map { "\($0.name): \($0.purpose)" } == [
        "Z_2SEENAT: links of Animal.seenAt, Being.seenAt, Bird.seenAt, Cat.seenAt, Place.seen"
          + " and Plant.seenAt",
        "Z_9FRIENDS: links of Person.friends",
        "Z_9KEPTPLACES: links of Person.keptPlaces and Place.keepers",
        "Z_9KEPTWALKS: links of Person.keptWalks and Walk.keepers",
        "Z_9TEACHERS: links of Person.pupils and Person.teachers",
        "Z_9WALKS: links of Person.walks and Walk.guides",
        "Z_METADATA: what the store says of itself",
        "Z_MODELCACHE: the model",
        "Z_PRIMARYKEY: the numbers of entities and their last keys",
      ])
  }

  @Test func `subentities share a table, with clashing names and a renamed entity`()
    throws
  {
    #expect(
      try store.picture(of: "Being", "Animal", "Bird", "Cat", "Plant") == """
        Animal 4: home=pond, name=Newt
        Bird 1: _note=small, born=@0.0, home=hedge, label=red, name=Robin, text=tik; \
        seenAt=[Place 1], visits=[Visit 1]
        Cat 2: Text=meow, born=@1.5, home=house, label=grey, name=Tom; seenAt=[Place 2], \
        visits=[Visit 2]
        Plant 3: label=12, name=Oak; home=Place 1, seenAt=[Place 1]
        Plant 6: label=13, name=Elm
        """)
  }

  @Test func `an entity has the objects of its subentities in key order, each with its own entity`()
    throws
  {
    func ids(_ name: String) throws -> String {
      "\(Array(try store.fetch(FetchPlan(entityName: name), control: nil).ids))"
    }
    #expect(try ids("Being") == "[Bird 1, Cat 2, Plant 3, Animal 4, Plant 6]")
    #expect(try ids("Animal") == "[Bird 1, Cat 2, Animal 4]")
    #expect(try ids("Cat") == "[Cat 2]")
    #expect(try store.count(FetchPlan(entityName: "Being"), control: nil) == 5)
    #expect(
      try store.count(
        FetchPlan(entityName: "Being", includesSubentities: false), control: nil) == 0)
  }

  @Test func `many-to-many relationships are read from join tables`() throws {
    #expect(
      try store.picture(of: "Person", "Photo", "Place") == """
        Person 1: name=Anna; friends=[Person 2], post=Place 1, pupils=[Person 2, Person 3], \
        walks=[Walk 1]
        Person 2: name=Ben; friends=[Person 1, Person 4], keptPlaces=[Place 1], pupils=[Person 3], \
        teachers=[Person 1], walks=[Walk 1, Walk 2]
        Person 3: name=Cleo; keptPlaces=[Place 1], post=Place 2, teachers=[Person 1, Person 2], \
        walks=[Walk 1]
        Person 4: name=Dan; friends=[Person 2], keptWalks=[Walk 2]
        Photo 1: title=gate
        Photo 2: title=pond
        Photo 3: title=lost
        Place 1: address.city=Ulm, address.street=Ring 1, name=Park; keepers=[Person 2, Person 3], \
        photos=[Photo 1, Photo 2], plants=[Plant 3], seen=[Bird 1, Plant 3], visits=[Visit 1, \
        Visit 2], \
        warden=Person 1
        Place 2: name=Wood; seen=[Cat 2], visits=[Visit 3]
        """)
  }

  @Test func `ordered relationships are in order, and destinations have their own entity`() throws {
    #expect(
      try store.picture(of: "Stop", "Visit", "Walk") == """
        Stop 1: title=end; walk=Walk 1
        Stop 2: title=start; walk=Walk 1
        Stop 3: title=middle; walk=Walk 1
        Stop 4: title=only; walk=Walk 2
        Visit 1: ; guest=Bird 1, place=Place 1
        Visit 2: ; guest=Cat 2, place=Place 1
        Visit 3: ; guest=Being 99, place=Place 2
        Visit 4:\u{20}
        Walk 1: title=short; guides=[Person 2, Person 1, Person 3], stops=[Stop 2, Stop 3, Stop 1]
        Walk 2: title=long; guides=[Person 2], keepers=[Person 4], stops=[Stop 4]
        """)
  }

  @Test func `values of every type are decoded`() throws {
    #expect(
      try store.picture(of: "Sample") == """
        Sample 1: bytes=x'0001ff', day=@700000000.5, flag=true, large=9223372036854775807, \
        link=https://example.org/a?b=c, picture=x'aabbcc', price=3.25, ratio=0.1, share=0.5, \
        small=-32768, \
        straße=Ring, stuff=x'62706c6973743030', token=00112233-4455-6677-8899-AABBCCDDEEFF
        Sample 2: bytes=x'', day=@0.0, flag=false, large=-9223372036854775808, link=about:blank, \
        picture=x'cafe', \
        price=12, ratio=0.0, share=1e+30, small=32767, straße=ß
        Sample 3: day=@-63114076800.0, \
        picture=x'0244444444444444442d343434342d343535352d383636362d37373737373737373737373700', \
        price=-0.005
        Sample 4: day=@123456789012345.0, \
        picture=x'022e2e2f2e2e2f2e2e2f2e2e2f2e2e2f2e2e2f6574632f7061737377642e2e2e2e2e2e2e2e00'
        Sample 5:\u{20}
        """)
  }

  @Test func `the companion columns of a to-one are found`() throws {
    let database = try fixture.database.connect()
    let layout = try database.read { database in
      try CoreDataLayout.read(from: database, model: Fixture.gardenModel).layout
    }
    #expect(layout.tables["Visit"]?.toOne["guest"]?.entityColumn == "Z2_GUEST")
    #expect(layout.tables["Visit"]?.toOne["place"]?.entityColumn == nil)
    #expect(layout.tables["Stop"]?.toOne["walk"]?.orderColumn == "Z_FOK_WALK")
    #expect(
      layout.tables["Person"]?.toMany["walks"]
        == .join(
          EntityTable.JoinTable(
            name: "Z_9WALKS", sourceColumns: ["Z_9GUIDES"], sourceReferenced: ["Z_PK"],
            destinationColumns: ["Z_20WALKS"], destinationReferenced: ["Z_PK"],
            inverseOrderColumn: "Z_FOK_9GUIDES")))
    #expect(
      layout.tables["Place"]?.toMany["photos"]
        == .foreignKey(
          EntityTable.ForeignKey(columns: ["Z11PHOTOS"], referenced: ["Z_PK"], isHidden: true)))
    #expect(
      layout.coreData?.entityNumbers == [
        "Being": 2, "Animal": 3, "Bird": 4, "Cat": 6, "Plant": 7, "Person": 9, "Photo": 10,
        "Place": 11, "Sample": 12, "Stop": 13, "Visit": 14, "Walk": 20,
      ])
    #expect(layout.coreData?.rootNames["Cat"] == "Being")
  }

  @Test(arguments: [
    ("Visit", "guest.name == 'Robin'", "[Visit 1]"),
    ("Visit", "guest == nil", "[Visit 4]"),
    ("Visit", "guest.name == nil", "[Visit 3, Visit 4]"),
    ("Walk", "ANY guides.name BEGINSWITH 'C'", "[Walk 1]"),
    ("Walk", "guides.@count == 3", "[Walk 1]"),
    ("Being", "ANY visits.place.name == 'Park'", "[Bird 1, Cat 2]"),
    ("Being", "seenAt.@count > 0 AND name < 'S'", "[Bird 1, Plant 3]"),
    ("Person", "ANY friends.name == 'Ben'", "[Person 1, Person 4]"),
    ("Place", "`address.city` == 'Ulm'", "[Place 1]"),
    ("Place", "SUBQUERY(photos, $p, $p.title == 'pond').@count == 1", "[Place 1]"),
    ("Sample", "flag == YES", "[Sample 1]"),
  ])
  func `predicates follow every kind of relationship`(entity: String, format: String, ids: String)
    throws
  {
    let predicate = try FetchPredicate(format: format).validated(
      forEntity: entity, in: store.model)
    let plan = FetchPlan(entityName: entity, predicate: predicate)
    #expect("\(Array(try store.fetch(plan, control: nil).ids))" == ids)
  }

  @Test func `a row's version changes with Z_OPT, order keys and entity columns`()
    throws
  {
    func version(_ entity: String, _ key: Int64) throws -> UInt64? {
      let id = ObjectID(
        storeIdentifier: store.identifier, entityName: entity, key: .integer(key))
      return try store.snapshots(of: [id])[id]?.version
    }
    let changes = [
      ("Stop", Int64(1), "UPDATE ZSTOP SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1"),
      ("Stop", 1, "UPDATE ZSTOP SET Z_FOK_WALK = 1536 WHERE Z_PK = 1"),
      ("Visit", 3, "UPDATE ZVISIT SET Z2_GUEST = 6 WHERE Z_PK = 3"),
    ]
    for (entity, key, statement) in changes {
      let before = try #require(try version(entity, key))
      #expect(try version(entity, key) == before)
      try fixture.database.run(statement)
      #expect(try version(entity, key) != before, "\(statement)")
    }
  }

  @Test func `external values are truncated in a snapshot, and read in full on demand`() throws {
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    try fixture.putExternal(bytes, named: "33333333-4444-4555-8666-777777777777")
    let id = ObjectID(storeIdentifier: store.identifier, entityName: "Sample", key: .integer(2))
    let snapshot = try #require(try store.snapshots(of: [id])[id])
    let place = try #require(store.model.entity(named: "Sample")?.attributeIndex("picture"))
    #expect(snapshot.cutLengths == [place: 200_001])
    #expect(snapshot.values[place] == .data(Data([1]) + bytes.prefix(65_535)))
    #expect(try store.value(of: "picture", for: id) == .data(Data([1]) + bytes))
  }
}
