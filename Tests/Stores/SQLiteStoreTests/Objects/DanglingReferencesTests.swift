import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

/// To-one relationships without an inverse, whose destination is deleted.
struct DanglingReferencesTests {
  private static let model = ManagedObjectModel {
    Entity("Folder") { Attribute("name", .string) }
    Entity("Note") {
      Attribute("name", .string)
      ToOne("folder", "Folder")
      ToOne("copy", "Note")
    }
  }

  private func summary(_ context: ManagedObjectContext, deleting names: String...) throws
    -> [String]
  {
    let ids = try names.map { try context.named($0, "Folder").objectID }
    let plan = try context.deletionPlan(for: ids)
    return try SaveSummary(of: context, deleting: plan).dangling.map {
      "\($0.entityName) \($0.relationship) \($0.count)"
    }
  }

  @Test(arguments: TestedStore.allCases)
  func `the summary of a deletion names the objects that lead to nothing then`(
    kind: TestedStore
  ) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let folders = try ["A", "B"].map { try context.make("Folder", $0) }
    for name in ["1", "2", "3"] {
      try context.make("Note", name).setObject(folders[0], forKey: "folder")
    }
    try context.save()
    let queries = store.context()
    #expect(try summary(queries, deleting: "A") == ["Note Note.folder 3"])
    #expect(try summary(queries, deleting: "B") == [])
    // Unsaved changes count.
    let note = try queries.named("1", "Note")
    try note.setObject(try queries.named("B", "Folder"), forKey: "folder")
    try queries.delete(queries.named("2", "Note"))
    #expect(try summary(queries, deleting: "A") == ["Note Note.folder 1"])
    #expect(try summary(queries, deleting: "B") == ["Note Note.folder 1"])
    #expect(try summary(queries, deleting: "A", "B") == ["Note Note.folder 2"])
    try queries.delete(queries.named("B", "Folder"))
    #expect(try SaveSummary(of: queries).dangling.map(\.count) == [1])
  }

  @Test func `a store without a model names them before the deletion, and check after it`() throws {
    let fixture = try Fixture("bare")
    let store = try fixture.open(.init(makesBackup: false))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let authors = try context.fetch(FetchRequest<ManagedObject>(entityName: "Author"))
    for deleted in [Array(authors.prefix(1)), authors] {
      let plan = try context.deletionPlan(for: deleted.map(\.objectID))
      let dangling = try SaveSummary(of: context, deleting: plan).dangling
      #expect(!dangling.isEmpty)
      let count = dangling.reduce(0) { $0 + $1.count }
      try context.save(deleting: plan)
      // The reference is recognized although it leads to nothing.
      let opened = try fixture.open(.init(isReadOnly: true))
      #expect(opened.model == store.model)
      let findings = try opened.check().filter { $0.kind == .danglingToOne }
      #expect(findings.reduce(0) { $0 + $1.count } >= count, "\(findings)")
    }
  }
}
