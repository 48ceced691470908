import Foundation
import ManagedObjects
import ModelFiles
import ObjectModel
import Testing

/// Uses the generated classes with an in-memory store.
struct GeneratedClassesTests {
  private let context: ManagedObjectContext

  init() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let model = try ModelFile.read(path: folder.appendingPathComponent("Library.xcdatamodel").path)
    context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: InMemoryStore(model: model.model)))
    context.register(MOEntityClasses.all)
  }

  private func label() throws -> MOLabel {
    let label = try MOLabel.insert(into: context)
    label.url = try #require(URL(string: "https://example.com/"))
    label.uuid = UUID()
    label.made = Date(timeIntervalSinceReferenceDate: 7)
    return label
  }

  private func book(_ title: String) throws -> MOBook {
    let book = try MOBook.insert(into: context)
    book.title = title
    book.weight = 1.5
    book.shelf = 3
    return book
  }

  @Test func `a fetched property is an array of the class of its entity`() throws {
    let (book, other) = (try book("Atlas"), try book("Atlas"))
    _ = try self.book("Bible")
    #expect(book.alike == [other])
    other.title = "Zoo"
    #expect(book.alike == [other], "until it is refreshed")
    context.refresh(book, mergeChanges: true)
    #expect(book.alike.isEmpty)
  }

  @Test func `properties return the values that were set, before and after a save`() throws {
    let book = try book("Atlas")
    #expect((book.isRead, book.isLent, book.price) == (false, nil, 9.5))
    #expect((book.date, book.code, book.rating) == (nil, nil, nil))
    book.isRead = true
    book.isLent = false
    book.price = try #require(Decimal(string: "0.10"))
    book.date = Date(timeIntervalSinceReferenceDate: 0.5)
    book.code = -7
    book.rating = 0.1
    book.class = "maps"
    book.addressStreet = "Ring 1"
    book.draft = "not saved"
    let label = try label()
    label._1st = "first"
    label.entity_ = "none"
    label.colourCode = "red"
    label.data = Data([1, 2])
    label.shape = Data([3])
    label.anything = 4
    label.string = "text"
    label.integer = 5
    let (uuid, url) = (label.uuid, label.url)
    try context.save()
    context.trim(keeping: [])
    #expect((book.title, book.weight, book.shelf) == ("Atlas", 1.5, 3))
    #expect((book.isRead, book.isLent, book.price) == (true, false, Decimal(string: "0.10")))
    #expect(book.date == Date(timeIntervalSinceReferenceDate: 0.5))
    #expect((book.code, book.rating, book.class) == (-7, 0.1, "maps"))
    #expect((book.addressStreet, book.draft) == ("Ring 1", "not saved"))
    #expect((label._1st, label.entity_, label.colourCode) == ("first", "none", "red"))
    #expect((label.data, label.shape) == (Data([1, 2]), Data([3])))
    #expect((label.anything, label.string, label.integer) == (4, "text", 5))
    #expect((label.uuid, label.url) == (uuid, url))
    book.isLent = nil
    #expect(book.isLent == nil)
  }

  @Test func `relationships are changed from both sides, with one object or several`() throws {
    let (book, label) = (try book("Atlas"), try label())
    label.colourCode = "red"
    book.addToLabels(label)
    #expect(label.items == [book])
    #expect(book.spine == "Atlas red")
    let others = [try self.book("Bible"), try self.book("Codex")]
    label.addToItems(others)
    #expect(label.items == [book, others[0], others[1]])
    label.removeFromItems(others)
    label.removeFromItems(book)
    #expect(book.labels == [])
    book.labels = [label]
    book.sequel = others[0]
    #expect(others[0].prequel === book)
    book.sequel = nil
    #expect(others[0].prequel == nil)
    label.items = Set(others)
    #expect(book.labels == [])
    let page = try MOPage.insert(into: context)
    page.number = 1
    label.addToObjects(page)
    #expect(label.objects == [page])
    try context.save()
    #expect(label.items == Set(others))
  }

  @Test func `an ordered relationship keeps its order`() throws {
    let book = try book("Atlas")
    let pages = try (1...4).map { number in
      let page = try MOPage.insert(into: context)
      page.number = Int64(number)
      return page
    }
    book.addToPages([pages[0], pages[2]])
    book.insertIntoPages(pages[1], at: 1)
    #expect(book.pages == [pages[0], pages[1], pages[2]])
    #expect(pages[1].book === book)
    book.pages = [pages[3], pages[2], pages[0]]
    #expect(book.pages == [pages[3], pages[2], pages[0]])
    #expect(pages[1].book == nil)
    book.removeFromPages(pages[2])
    try context.save()
    #expect(book.pages.map(\.number) == [4, 1])
  }

  @Test func `a fetch request returns instances of each object's own class, subclasses included`()
    throws
  {
    _ = try book("Atlas")
    try context.save()
    #expect(MOItem.fetchRequest().entityName == "Item")
    let items = try context.fetch(MOItem.fetchRequest())
    #expect(items.map(\.title) == ["Atlas"])
    #expect(items.first is MOBook)
    let books: [MOBook] = try context.fetch(MOBook.fetchRequest())
    #expect(books == items)
    #expect(throws: ManagedObjectError.self) { try MOItem.insert(into: context) }
  }

  @Test func `an invalid assignment is reported to the context's error handler`() throws {
    let book = try book("Atlas")
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    other.register(MOEntityClasses.all)
    var errors: [any Error] = []
    context.onError = { errors.append($0) }
    book.sequel = try MOBook.insert(into: other)
    #expect(book.sequel == nil)
    #expect(errors.count == 1)
  }
}
