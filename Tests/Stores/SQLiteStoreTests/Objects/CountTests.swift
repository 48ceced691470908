import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct CountTests {
  /// Books need one to three pages and at most two readers; readers belong to any number of books.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Book", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription(
          "pages", to: "Page", inverse: "book", isToMany: true, deleteRule: .cascade,
          details: RelationshipDetails(minCount: 1, maxCount: 3)),
        RelationshipDescription(
          "readers", to: "Reader", inverse: "books", isToMany: true,
          details: RelationshipDetails(maxCount: 2)),
      ]),
    EntityDescription(
      name: "Page", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("book", to: "Book", inverse: "pages")]),
    EntityDescription(
      name: "Reader", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "readers", isToMany: true,
          details: RelationshipDetails(minCount: 1))
      ]),
  ])

  /// Emma with two pages and a reader, saved.
  private func store(_ kind: TestedStore) throws -> (ObjectStore, ManagedObjectContext) {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let book = try context.make("Book", "Emma")
    for name in ["1", "2"] { try book.add(context.make("Page", name), forKey: "pages") }
    try book.add(context.make("Reader", "Ada"), forKey: "readers")
    try context.save()
    return (store, store.context())
  }

  private func expectRefusal(
    _ code: ManagedObjectError.Problem.Code, _ key: String, of name: String,
    saving context: ManagedObjectContext, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: ManagedObjectError.self, sourceLocation: sourceLocation) {
      try context.save()
    }
    #expect(error?.reason == .validation, sourceLocation: sourceLocation)
    #expect(error?.problems.map(\.code) == [code], sourceLocation: sourceLocation)
    #expect(error?.problems.map(\.key) == [key], sourceLocation: sourceLocation)
    #expect(error?.problems.map(\.name) == [name], sourceLocation: sourceLocation)
  }

  @Test func `the codes are those of Core Data`() {
    typealias Code = ManagedObjectError.Problem.Code
    #expect(Code.missing.rawValue == 1570 && Code.tooFew.rawValue == 1580)
    #expect(Code.tooMany.rawValue == 1590 && Code.deleteDenied.rawValue == 1600)
  }

  @Test(arguments: TestedStore.allCases)
  func `deleting what a relationship needs is refused, whoever is read`(kind: TestedStore)
    throws
  {
    let (store, context) = try store(kind)
    let pages = try context.fetch(FetchRequest<ManagedObject>(entityName: "Page"))
    try context.delete(pages.map(\.objectID))
    let rehearsed = #expect(throws: ManagedObjectError.self) { try context.rehearseSave() }
    #expect(rehearsed?.problems.map(\.code) == [.tooFew])
    expectRefusal(.tooFew, "pages", of: "Emma", saving: context)
    context.rollback()
    try context.delete([pages[0].objectID])
    try context.save()
    // In another context, which has read nothing but the ID.
    let other = store.context()
    try other.delete([pages[1].objectID])
    expectRefusal(.tooFew, "pages", of: "Emma", saving: other)
    let plan = try context.deletionPlan(for: [pages[1].objectID])
    let error = #expect(throws: ManagedObjectError.self) { try context.save(deleting: plan) }
    #expect(error?.problems.map(\.code) == [.tooFew])
    let planned = #expect(throws: ManagedObjectError.self) {
      try context.rehearseSave(deleting: plan)
    }
    #expect(planned?.problems.map(\.key) == ["pages"])
    // With the book the pages go too.
    try other.delete(other.named("Emma", "Book"))
    let refused = #expect(throws: ManagedObjectError.self) { try other.save() }
    #expect(refused?.problems.map(\.name) == ["Ada"])  // a reader needs a book
  }

  @Test(arguments: TestedStore.allCases)
  func `taking an object away or giving one too many from the to-one side is refused`(
    kind: TestedStore
  ) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    let emma = try context.named("Emma", "Book")
    for page in try context.fetch(FetchRequest<ManagedObject>(entityName: "Page")) {
      try page.setObject(nil, forKey: "book")
    }
    expectRefusal(.tooFew, "pages", of: "Emma", saving: context)
    context.rollback()
    for name in ["3", "4"] { try context.make("Page", name).setObject(emma, forKey: "book") }
    expectRefusal(.tooMany, "pages", of: "Emma", saving: context)
    context.rollback()
    try context.make("Page", "3").setObject(emma, forKey: "book")
    try context.save()
    #expect(emma.count(forKey: "pages") == 3)
  }

  @Test(arguments: TestedStore.allCases)
  func `links are counted at both ends`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    let emma = try context.named("Emma", "Book")
    let ada = try context.named("Ada", "Reader")
    try ada.remove(emma, forKey: "books")
    expectRefusal(.tooFew, "books", of: "Ada", saving: context)
    context.rollback()
    for name in ["Bo", "Cy"] { try context.make("Reader", name).add(emma, forKey: "books") }
    expectRefusal(.tooMany, "readers", of: "Emma", saving: context)
    context.rollback()
    let other = try context.make("Book", "Other")
    try other.add(context.make("Page", "9"), forKey: "pages")
    try other.add(context.make("Reader", "Dee"), forKey: "readers")
    try context.save()
    try context.delete(other)
    expectRefusal(.tooFew, "books", of: "Dee", saving: context)
  }

  @Test(arguments: TestedStore.allCases)
  func `a new object needs what the model says, even in an optional relationship`(
    kind: TestedStore
  ) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    let book = try context.make("Book", "Empty")
    expectRefusal(.tooFew, "pages", of: "Empty", saving: context)
    try book.add(context.make("Page", "1"), forKey: "pages")
    try context.save()
  }

  @Test(arguments: TestedStore.allCases)
  func `all problems are reported together`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    try context.make("Book", "Empty")
    try context.make("Reader", "Alone")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.problems.map(\.name).sorted() == ["Alone", "Empty"])
    #expect(error?.description.contains("needs at least one object") == true)
  }
}
