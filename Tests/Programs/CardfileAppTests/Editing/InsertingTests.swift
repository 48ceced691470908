import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// New objects and copies.
@MainActor @Suite struct InsertingTests {
  /// Required and unique values, a required to-one, tags, and chapters that belong to a book.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Author",
      attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true)
      ]),
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription("title", .string),
        AttributeDescription("isbn", .string, isOptional: false),
        AttributeDescription("pages", .integer32, isOptional: false, defaultValue: 100),
        AttributeDescription("bought", .date),
      ],
      relationships: [
        RelationshipDescription("author", to: "Author", inverse: "books", isOptional: false),
        RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
        RelationshipDescription(
          "chapters", to: "Chapter", inverse: "book", isToMany: true, deleteRule: .cascade),
      ],
      uniquenessConstraints: [["isbn"]]),
    EntityDescription(
      name: "Chapter", attributes: [AttributeDescription("title", .string)],
      relationships: [RelationshipDescription("book", to: "Book", inverse: "chapters")]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
      ]),
  ])

  private func store() throws -> InMemoryStore {
    let store = InMemoryStore(model: Self.model, identifier: "B0", name: "books.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let author = try context.insert(entityName: "Author")
    author["name"] = "Ursula"
    let book = try context.insert(entityName: "Book")
    (book["title"], book["isbn"], book["pages"]) = ("Dispossessed", "111", 387)
    try book.setObject(author, forKey: "author")
    for name in ["sf", "utopia"] {
      let tag = try context.insert(entityName: "Tag")
      tag["name"] = .string(name)
      try book.add(tag, forKey: "tags")
    }
    try context.insert(entityName: "Chapter").setObject(book, forKey: "book")
    try context.save()
    return store
  }

  private func inserted(_ stage: Stage) throws -> ManagedObject {
    let objects = stage.app.session.context.insertedObjects
    #expect(objects.count == 1)
    return try #require(objects.first)
  }

  @Test func `o asks for what is required, and the row is new, not saved`() throws {
    let stage = try Stage("Book", store: store())
    stage.type("o")
    #expect(stage.text.contains("title of the new Book (1 of 3)"))
    stage.type("Lathe")
    stage.press(.enter)
    #expect(stage.text.contains("isbn of the new Book (2 of 3)"))
    stage.press(.enter)
    #expect(stage.text.contains("! isbn is required"))
    stage.type("111")
    stage.press(.enter)
    #expect(stage.text.contains("! isbn must be unique: Dispossessed has it"))
    stage.press(.control("u"))
    stage.type("222")
    stage.press(.enter)
    #expect(stage.title.contains("choose author of the new Book (3 of 3)"))
    stage.press(.control("n"))
    #expect(stage.status.contains("author is required: choose one"))
    stage.press(.enter)
    let book = try inserted(stage)
    #expect(stage.cursorLine.contains("+ Lathe"))
    #expect(stage.status.contains("Lathe is new, not saved"))
    #expect(book["pages"] == 100 && book.object(forKey: "author")?.displayName == "Ursula")
    stage.type("u")
    #expect(stage.status.contains("undo: insert Lathe"))
    #expect(!stage.app.session.hasUnsavedChanges)
    stage.press(.control("r"))
    stage.type("W")
    #expect(stage.keys(of: "Book").count == 2)
  }

  @Test(arguments: ["o", "olathe\n", "olathe\n222\n"])
  func `Esc at any question makes nothing`(_ keys: String) throws {
    let stage = try Stage("Book", store: store())
    for key in keys { stage.press(key == "\n" ? .enter : .character(key)) }
    stage.press(.escape)
    #expect(stage.status.contains("No Book was made"))
    #expect(stage.app.overlays.isEmpty && stage.app.screens.count == 1)
    #expect(!stage.app.session.context.hasChanges)
    #expect(!stage.app.session.context.undoHistory.canUndo)
  }

  @Test func `the entity is chosen among sub-entities`() throws {
    let stage = try Stage("Book", store: Library.store())
    stage.type("o")
    #expect(stage.text.contains("New object of"))
    stage.press(.down, .enter)
    stage.type("C")
    stage.press(.enter)
    #expect(try inserted(stage).entity.name == "Novel")
  }

  @Test func `an object made in the list of a relationship is in it`() throws {
    let stage = try Stage("Author", store: store())
    stage.press(.enter)
    stage.move(to: "books")
    stage.press(.enter)
    stage.type("o")
    stage.type("New")
    stage.press(.enter)
    #expect(stage.text.contains("isbn of the new Book (2 of 2)"))
    stage.type("333")
    stage.press(.enter)
    #expect(stage.cursorLine.contains("New"))
    #expect(try inserted(stage).object(forKey: "author")?.displayName == "Ursula")
  }

  @Test func `O copies attributes, to-one and many-to-many relationships, and asks what is unique`()
    throws
  {
    let stage = try Stage("Book", store: store())
    stage.type("O")
    #expect(stage.text.contains("isbn: 111"))
    stage.press(.enter)
    #expect(stage.text.contains("! isbn must be unique: Dispossessed has it"))
    stage.type("2")
    stage.press(.enter)
    let copy = try inserted(stage)
    #expect(copy["title"] == "Dispossessed" && copy["isbn"] == "1112" && copy["pages"] == 387)
    #expect(copy.object(forKey: "author")?.displayName == "Ursula")
    #expect(copy.count(forKey: "tags") == 2)
    #expect(copy.count(forKey: "chapters") == 0)
    #expect(stage.app.message?.text.contains("chapters stay with the original") == true)
    stage.type("W")
    #expect(stage.keys(of: "Book").count == 2)
  }

  @Test func `a copy keeps values as they are stored`() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel {
      Entity("Note") {
        Attribute("name", .string)
        Attribute("day", .date, encoding: .isoText)
      }
    }
    let store = try SQLiteStore.create(path: folder.path("n.sqlite"), model: model)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let note = try context.insert(entityName: "Note")
    note["name"] = "a"
    try context.save()
    let stage = try Stage("Note", opened: store)
    let object = stage.app.session.context.object(with: note.objectID)
    try object.setValue(.date(Date(timeIntervalSince1970: 0)), forKey: "day")
    stage.type("O")
    let copy = try inserted(stage)
    #expect(copy.storedValue(forKey: "day") == object.storedValue(forKey: "day"))
    stage.type("W")
    #expect(try context.count(for: FetchPlan(entityName: "Note")) == 2)
  }

  @Test(arguments: ["o", "O", "e", "a"])
  func `a read-only store is refused before anything is asked`(_ key: String) throws {
    let stage = try Stage("Tag", options: AppOptions(isReadOnly: true))
    stage.type(key)
    #expect(stage.app.overlays.isEmpty && stage.app.screens.count == 1)
    #expect(
      stage.status.contains("opened with --read-only") || stage.status.contains("adds objects"))
  }

  @Test func `with save after edit a new object is saved at once`() throws {
    let stage = try Stage("Tag", options: AppOptions(saveAfterEdit: true))
    stage.type("onew")
    stage.press(.enter)
    #expect(stage.keys(of: "Tag").count == 39)
    #expect(stage.cursorLine.contains("new"))
  }

  private static let tokens = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Token",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("id", .uuid, isOptional: false),
        AttributeDescription("archive", .transformable, isOptional: false),
      ], uniquenessConstraints: [["id"]])
  ])

  @Test func `a UUID is made, and all that is required is asked for, an archive too`() throws {
    let store = InMemoryStore(model: Self.tokens, identifier: "B1", name: "tokens.sqlite")
    let stage = try Stage("Token", store: store)
    stage.type("o")
    #expect(stage.text.contains("name of the new Token (1 of 2)"))
    stage.type("first")
    stage.press(.enter)
    #expect(stage.text.contains("archive of the new Token (2 of 2)"))
    stage.press(.enter)
    stage.type("6162")
    stage.press(.enter)
    let token = try inserted(stage)
    #expect(token["archive"] == .data(Data("ab".utf8)))
    let id = token["id"]
    #expect(!id.isNull)
    stage.type("W")
    #expect(stage.status.contains("Saved: 1 inserted (first)"))
    stage.type("O")
    let copy = try inserted(stage)
    #expect(copy["name"] == "first" && copy["id"] != id && !copy["id"].isNull)
    stage.type("W")
    #expect(stage.keys(of: "Token").count == 2)
  }

  /// A team needs two members, who can be of several teams, and an event that is its own.
  private static let teams = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Event", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("team", to: "Team", inverse: "events")]),
    EntityDescription(
      name: "Member", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("teams", to: "Team", inverse: "members", isToMany: true)
      ]),
    EntityDescription(
      name: "Team", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription(
          "members", to: "Member", inverse: "teams", isToMany: true,
          details: RelationshipDetails(minCount: 2)),
        RelationshipDescription(
          "events", to: "Event", inverse: "team", isToMany: true,
          details: RelationshipDetails(minCount: 1)),
      ]),
  ])

  private func teams(members: [String]) throws -> Stage {
    let store = InMemoryStore(model: Self.teams, identifier: "B2", name: "teams.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for name in members { try context.insert(entityName: "Member")["name"] = .string(name) }
    try context.save()
    return try Stage("Team", width: 100, store: store)
  }

  @Test func `the objects that a to-many needs are asked for, or said to be missing`() throws {
    let stage = try teams(members: ["Ann", "Bo", "Cy"])
    stage.type("oRed")
    stage.press(.enter)
    #expect(stage.title.contains("add to members of the new Team (2 of 2)"))
    stage.press(.enter)
    #expect(stage.status.contains("members needs at least 2 objects — Space selects"))
    stage.press(.character(" "), .character(" "), .enter)
    // No event is taken from another team.
    #expect(stage.status.contains("Red is new, not saved; to be saved events needs 1 Event"))
    #expect(stage.status.contains("— ⏎ opens it, u undo"))
    #expect(try inserted(stage).count(forKey: "members") == 2)
    stage.type("O")
    let copies = stage.app.session.context.insertedObjects
    #expect(copies.count == 2 && copies.allSatisfy { $0.count(forKey: "members") == 2 })
  }

  @Test func `where there are too few objects for a to-many it is only said`() throws {
    let stage = try teams(members: ["Ann"])
    stage.type("oRed")
    stage.press(.enter)
    #expect(
      stage.status.contains(
        "Red is new, not saved; to be saved members needs 2 Member, events needs 1"))
  }

  @Test func `e replaces an archive by the bytes of a file`() throws {
    let stage = try Stage("Book", store: Library.store())
    stage.press(.enter)
    stage.move(to: "cover")
    stage.type("e")
    #expect(stage.text.contains("hex digits, or @ and the path of a file"))
    stage.type("'x'")
    #expect(!stage.text.contains("text instead of bytes"))
    stage.press(.control("u"))
    stage.type("62 70 6c 69 73 74 30 30")
    #expect(stage.text.contains("8 bytes, property list"))
    stage.press(.control("u"))
    stage.type("61")
    #expect(stage.text.contains("1 byte, no archive"))
    stage.press(.enter)
    #expect(
      stage.app.session.context.updatedObjects.first?["cover"] == .data(Data("a".utf8)))
  }
}
