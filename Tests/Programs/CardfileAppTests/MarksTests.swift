import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import CardfileApp

/// What is marked for deletion.
@MainActor @Suite struct MarksTests {
  private let context: ManagedObjectContext
  private let ids: [ObjectID]

  init() throws {
    context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try Contacts.store(tagCount: 5)))
    ids = Array(try context.fetchIDs(FetchPlan(entityName: "Tag")).ids)
    try context.prefetch(ids)
  }

  @Test func `marks are in the order in which they were set, each once`() {
    var marks = Marks()
    marks.add([ids[3], ids[1]], in: context)
    marks.add([ids[0], ids[1]], in: context)
    #expect(Array(marks) == [ids[3], ids[1], ids[0]] && marks.elements == Array(marks))
    #expect(marks.contains(ids[1]) && !marks.contains(ids[2]))
    marks.remove([ids[1], ids[2]])
    #expect(Array(marks) == [ids[3], ids[0]])
    marks.remove(ids)
    #expect(marks.isEmpty)
  }

  @Test func `a row that another program changed since its mark is named`() throws {
    var marks = Marks()
    marks.add([ids[0], ids[1]], in: context)
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    other.object(with: ids[0])["name"] = "changed"
    try other.save()
    try context.refreshFromStore()
    let plan = try SavePlan(deleting: marks.elements, in: context).deletion
    let sentences = marks.changes(in: plan, context)
    #expect(sentences.count == 1 && sentences[0].hasSuffix("was changed since the mark"))
    marks.remove([ids[0]])
    #expect(marks.changes(in: plan, context).isEmpty)
  }
}
