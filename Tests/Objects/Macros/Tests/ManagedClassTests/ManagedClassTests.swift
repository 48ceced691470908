import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import Testing

// sample
@Managed final class Person: ManagedObject {
  @Unique var username: String
  var name: String?
  @ToMany(inverse: \DVD.owner, .cascade) var dvds: Set<DVD>
}
// end of sample

// sample
@Managed final class DVD: ManagedObject {
  var title: String
  var copies: Int = 1
  @ToOne(isOptional: false) var owner: Person?
}
// end of sample

enum Format: String, AttributeValue {
  case paper, screen
  static let missingValue = Format.paper
}

@Managed(isAbstract: true, indexes: [["title", "made"]], userInfo: ["icon": "box"])
class Item: ManagedObject {
  @Indexed var title: String
  var made: Date?
  @Attribute(encoding: .unixSeconds, renamingIdentifier: "sold") var bought: Date?
  var shelf: Shelf?
  @Transient var draft = "empty"
  @Transient var checked: Date?
  @Transient var drafts: [String: Int] = [:]
  var shown: String { "\(title) on \(shelf?.label ?? "nothing")" }
  static let limit = 10
}

@Managed(entity: "Volume") final class Book: Item {
  var `class`: String?
  var format: Format = .screen
  @ToMany(minCount: 1, maxCount: 3) var pages: [Page]
  @Derived("pages.@count") var pageCount: Int
}

@Managed(unique: [["number", "book"]]) final class Page: ManagedObject {
  var number: Int16 = 1
  @ToOne(inverse: \Book.pages) var book: Book?
}

@Managed final class Shelf: ManagedObject {
  public private(set) var label: String
  @ToMany(inverse: \Item.shelf) var items: Set<Item>
}

/// Classes with the macro, in a store in memory and in a file.
@MainActor @Suite final class ManagedClassTests {
  enum Place: CaseIterable { case memory, file }

  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func container(
    _ place: Place, _ classes: [any EntityClass.Type]
  ) throws -> PersistentContainer {
    switch place {
    case .memory:
      return PersistentContainer(
        inMemory: try ManagedObjectModel(entityClasses: classes), entityClasses: classes)
    case .file:
      return try PersistentContainer(
        path: folder.appending(path: "objects.sqlite").path, entityClasses: classes)
    }
  }

  @Test(arguments: Place.allCases)
  func `objects are inserted, found, saved and deleted`(_ place: Place) throws {
    let context = try container(place, [Person.self, DVD.self]).viewContext
    let ada = try Person.insert(into: context)
    (ada.username, ada.name) = ("ada", "Ada")
    for title in ["Cube", "Alien"] {
      let dvd = try DVD.insert(into: context)
      (dvd.title, dvd.owner) = (title, ada)
    }
    try context.save()
    let found = try DVD.objects(
      where: DVD.owner.username == "ada", sortedBy: [DVD.title.ascending], in: context)
    #expect(found.map(\.title) == ["Alien", "Cube"])
    #expect(found.map(\.copies) == [1, 1])
    #expect(ada.dvds == Set(found))
    let twin = try Person.insert(into: context)
    twin.username = "ada"
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    let lost = try DVD.insert(into: context)
    lost.title = "Dune"
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.problems.map(\.key) == ["owner"])
    context.rollback()
    try context.delete(ada)
    try context.save()
    #expect(try context.count(for: FetchRequest<DVD>()) == 0)
  }

  @Test(arguments: Place.allCases)
  func `a subclass has the properties of its superclass and its own`(_ place: Place) throws {
    let classes: [any EntityClass.Type] = [Item.self, Book.self, Page.self, Shelf.self]
    let context = try container(place, classes).viewContext
    let book = try Book.insert(into: context)
    (book.title, book.class, book.draft) = ("Atlas", "maps", "kept")
    let page = try Page.insert(into: context)
    book.pages = [page]
    let shelf = try Shelf.insert(into: context)
    shelf[Shelf.label] = "A"
    book.shelf = shelf
    try context.save()
    #expect(book.shown == "Atlas on A" && book.draft == "kept")
    book.checked = Date()
    book.drafts["a"] = 1
    #expect(!context.hasChanges, "what is transient is no change")
    #expect((book.pageCount, book.format, page.number) == (1, .screen, 1))
    #expect(shelf.items == [book])
    #expect(try Item.objects(where: Item.title == "Atlas", in: context) == [book])
  }

  @Test func `the model is what the classes say`() throws {
    let model = try ManagedObjectModel(Item.self, Book.self, Page.self, Shelf.self)
    #expect(model.entities.map(\.name) == ["Item", "Volume", "Page", "Shelf"])
    let item = try #require(model.entity(named: "Item"))
    #expect(item.isAbstract && item.details.userInfo == ["icon": "box"])
    #expect(item.details.fetchIndexes.map(\.name) == ["byTitle", "byTitleAndMade"])
    let bought = try #require(item.attribute(named: "bought"))
    #expect(bought.encoding == .unixSeconds)
    #expect(bought.details.property.renamingIdentifier == "sold")
    #expect(item.relationship(named: "shelf")?.inverseName == "items")
    #expect(item.details.transientAttributes.map(\.name) == ["draft", "checked"])
    #expect(item.details.transientAttributes.map(\.type) == [.string, .date])
    #expect(item.details.transientAttributes.map(\.isOptional) == [false, true])
    let book = try #require(model.entity(named: "Volume"))
    #expect(book.superentityName == "Item")
    #expect(
      book.attributes.map(\.name)
        == ["title", "made", "bought", "class", "format", "pageCount"])
    let pages = try #require(book.relationship(named: "pages"))
    #expect(pages.isOrdered && !pages.isOptional && pages.inverseName == "book")
    #expect((pages.details.minCount, pages.details.maxCount) == (1, 3))
    #expect(model.entity(named: "Page")?.uniquenessConstraints == [["number", "book"]])
  }
}
