import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Predicates, sorting and sections by attributes whose values may be in external files.
final class ExternalValuesTests {
  private let database: TemporaryDatabase
  private let context: ManagedObjectContext

  private static let missing = "11111111-2222-4333-8444-555555555555"
  private static let folder = "22222222-2222-4333-8444-555555555555"

  private static let attributes = [
    AttributeDescription("name", .string),
    AttributeDescription(
      "photo", .binaryData, encoding: .externalData,
      details: AttributeDetails(allowsExternalBinaryDataStorage: true)),
    AttributeDescription(
      "other", .binaryData, encoding: .externalData,
      details: AttributeDetails(allowsExternalBinaryDataStorage: true)),
    AttributeDescription("small", .binaryData),
  ]

  /// Bytes with the same beginning, longer than any row holds in memory.
  private static func long(_ end: UInt8) -> Data { Data(repeating: 7, count: 150_000) + [end] }

  private static let photos: [(String, Data?)] = [
    ("none", nil), ("empty", Data()), ("short", Data([1, 2, 3])), ("high", Data([0xFF])),
    ("mark", Data([2]) + Data(missing.utf8) + [0]), ("long1", long(1)), ("long2", long(2)),
    ("file0", Data(repeating: 0, count: 120_000)), ("fileff", Data(repeating: 255, count: 120_000)),
    ("text", Data(("Ärger " + String(repeating: "x", count: 110_000)).utf8)),
  ]

  init() throws {
    database = try TemporaryDatabase()
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Album", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("pictures", to: "Picture", inverse: "album", isToMany: true)
        ]),
      EntityDescription(
        name: "Picture", attributes: Self.attributes,
        relationships: [RelationshipDescription("album", to: "Album", inverse: "pictures")]),
    ])
    let made = try SQLiteStore.create(
      path: database.path, model: model, layout: .coreData(CoreDataCreation()))
    let maker = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: made))
    let album = try maker.make("Album", "all")
    for (name, photo) in Self.photos {
      let picture = try maker.make("Picture", name)
      picture["photo"] = photo.map(Value.data) ?? .null
      picture["other"] = .data(Self.long(1))
      picture["small"] = photo.map { .data($0.prefix(3)) } ?? .null
      try picture.setObject(album, forKey: "album")
    }
    for name in ["missing", "folder", "odd"] {
      try maker.make("Picture", name).setObject(album, forKey: "album")
    }
    try maker.save()
    let files = database.folder.appendingPathComponent(".test_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(
      at: files.appendingPathComponent(Self.folder), withIntermediateDirectories: true)
    func reference(_ name: String) -> String {
      "CAST(x'02' || '\(name)' || x'00' AS BLOB)"
    }
    try database.run(
      """
      UPDATE ZPICTURE SET ZPHOTO = \(reference(Self.missing)) WHERE ZNAME = 'missing';
      UPDATE ZPICTURE SET ZPHOTO = \(reference(Self.folder)) WHERE ZNAME = 'folder';
      UPDATE ZPICTURE SET ZPHOTO = 'text' WHERE ZNAME = 'odd';
      """)
    context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  private func names(_ format: String, _ arguments: any PredicateArgument...) throws -> [String] {
    let predicate = try FetchPredicate(format: format, argumentArray: arguments)
    let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Picture"))
    let inSQL = try context.fetch(
      FetchRequest<ManagedObject>(entityName: "Picture", predicate: predicate))
    let validated = try predicate.validated(forEntity: "Picture", in: context.model)
    let inMemory = try all.filter { try validated.matches($0) }
    #expect(inSQL.map(\.objectID) == inMemory.map(\.objectID), "\(format)")
    return inSQL.map { $0.string("name") }.sorted()
  }

  @Test func `a comparison sees the bytes of a file, in SQL as in memory`() throws {
    #expect(try names("photo == nil") == ["none"])
    #expect(try names("photo != nil").count == 12)
    #expect(try names("photo == %@", Value.data(Self.long(1))) == ["long1"])
    #expect(try names("photo != %@", Value.data(Self.long(1))).count == 12)
    #expect(try names("NOT (photo == %@)", Value.data(Self.long(2))).count == 12)
    #expect(try names("photo == other") == ["long1"])
    #expect(try names("other == photo") == ["long1"])
    #expect(try names("photo == small") == ["empty", "high", "none", "short"])
    #expect(
      try names("photo IN {%@, %@}", Value.data(Self.long(2)), Value.data(Data([1, 2, 3])))
        == ["long2", "short"])
    #expect(try names("photo == %@", Value.data(Data())) == ["empty"])
  }

  @Test func `a file is ordered by its bytes`() throws {
    #expect(
      try names("photo > %@", Value.data(Self.long(1))) == ["fileff", "high", "long2", "text"])
    #expect(
      try names("photo <= %@", Value.data(Data(repeating: 0, count: 120_000)))
        == ["empty", "file0"])
    #expect(
      try names("photo BETWEEN {%@, %@}", Value.data(Self.long(1)), Value.data(Self.long(2)))
        == ["long1", "long2"])
  }

  @Test func `a path through relationships and collections sees the bytes of a file`() throws {
    let long = Value.data(Self.long(2))
    #expect(try names("ANY album.pictures.photo == %@", long).count == 13)
    #expect(
      try names("SUBQUERY(album.pictures, $p, $p.photo == %@).@count == 1", long).count == 13)
    #expect(try names("TERNARY(photo == %@, 1, 2) == 1", long) == ["long2"])
    #expect(try names("photo == %@ OR name == 'none'", long) == ["long2", "none"])
  }

  @Test(arguments: [
    "photo CONTAINS 'x'", "photo BEGINSWITH 'Ärger'", "photo LIKE '*'", "photo MATCHES '.*'",
    "photo.length > 3", "length(photo) > 3", "photo == 'text'", "photo > 3",
  ])
  func `a condition on text is refused for bytes, or the same in SQL as in memory`(format: String)
    throws
  {
    do {
      _ = try names(format)
    } catch let error as FetchPredicateError {
      #expect(!error.description.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `a list is sorted by the bytes of files, in SQL as in memory`(isAscending: Bool) throws {
    let order = [FetchSortDescriptor("photo", ascending: isAscending), FetchSortDescriptor("name")]
    let request = FetchRequest<ManagedObject>(entityName: "Picture", sortDescriptors: order)
    let sorted = try context.fetch(request).map { $0.string("name") }
    let sections = try context.fetchIDs(
      FetchPlan(
        entityName: "Picture", sortDescriptors: order, sectionKey: SectionKey("photo", .value))
    ).sections.map { "\($0.name) \($0.count)" }
    #expect(
      sections == (isAscending ? [" 1", "BLOB 11", "≠ bytes 1"] : ["BLOB 11", " 1", "≠ bytes 1"]))
    var expected = [
      "none", "empty", "file0", "short", "mark", "missing", "folder", "long1", "long2", "text",
      "high", "fileff",
    ]
    // What only differs after the beginning that is compared is ordered by name.
    if !isAscending {
      expected = [
        "fileff", "high", "text", "long1", "long2", "folder", "mark", "missing", "short", "file0",
        "empty", "none",
      ]
    }
    #expect(sorted == expected + ["odd"])
    // A changed object is placed among the others in memory.
    for name in Self.photos.map(\.0) {
      let object = try context.named(name, "Picture")
      object["small"] = .data(Data([9]))
      #expect(try context.fetch(request).map { $0.string("name") } == sorted, "\(name)")
      context.discardChanges(of: [object.objectID])
    }
  }
}
