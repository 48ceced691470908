import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

/// Links of a to-many relationship without an inverse, whose ends are deleted, moved and restored.
struct UndoneLinksTests {
  private static func group(_ name: String, _ superentityName: String?) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: superentityName,
      attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("members", to: "Person", isToMany: true, deleteRule: .nullify)
      ])
  }

  private static func person(_ name: String, _ superentityName: String?) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: superentityName,
      attributes: [AttributeDescription("name", .string)])
  }

  private static let model = ManagedObjectModel(entities: [
    group("Group", nil), group("Club", "Group"), person("Person", nil), person("Child", "Person"),
  ])

  private func members(_ store: ObjectStore, _ name: String, _ entity: String) throws -> [String] {
    let context = store.context()
    return context.names(try context.named(name, entity), "members").sorted()
  }

  private func store(_ kind: TestedStore) throws -> (ObjectStore, ManagedObjectContext) {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let club = try context.make("Club", "Chess")
    for (entity, name) in [("Person", "Ann"), ("Child", "Bo"), ("Person", "Cy")] {
      try club.add(try context.make(entity, name), forKey: "members")
    }
    try context.make("Group", "Other")
    try context.save()
    return (store, store.context())
  }

  @Test(arguments: TestedStore.allCases, [["Ann"], ["Bo"], ["Ann", "Bo", "Cy"]])
  func `undoing the saved deletion of members brings the links back`(
    kind: TestedStore, names: [String]
  ) throws {
    let (store, context) = try store(kind)
    try context.delete(names.map { try context.named($0, "Person").objectID })
    try context.save()
    #expect(
      try members(store, "Chess", "Club") == ["Ann", "Bo", "Cy"].filter { !names.contains($0) })
    context.undoHistory.undo()
    try context.save()
    #expect(try members(store, "Chess", "Club") == ["Ann", "Bo", "Cy"])
    context.undoHistory.redo()
    try context.save()
    context.undoHistory.undo()
    try context.save()
    #expect(try members(store, "Chess", "Club") == ["Ann", "Bo", "Cy"])
  }

  @Test(arguments: TestedStore.allCases, [[], ["Ann"]])
  func `undoing the saved deletion of an owner, alone or with a member, brings the links back`(
    kind: TestedStore, names: [String]
  ) throws {
    let (store, context) = try store(kind)
    let club = try context.named("Chess", "Club").objectID
    try context.delete([club] + names.map { try context.named($0, "Person").objectID })
    try context.save()
    context.undoHistory.undo()
    try context.save()
    #expect(try members(store, "Chess", "Club") == ["Ann", "Bo", "Cy"])
  }

  @Test func `the former owner of a moved object is named by its own entity`() throws {
    let (store, context) = try store(.coreData)
    let club = try context.named("Chess", "Club")
    let other = try context.named("Other", "Group")
    let watching = store.context()
    let watched = try watching.named("Chess", "Club")
    #expect(watching.names(watched, "members").count == 3)
    var changed: [ObjectID: Set<String>] = [:]
    let observation = watching.observe { event in
      if case .changed(let change) = event { changed.merge(change.changedKeys) { $0.union($1) } }
    }
    try other.add(try context.named("Bo", "Child"), forKey: "members")
    try context.save()
    watching.processPendingChanges()
    observation.cancel()
    #expect(changed[club.objectID]?.contains("members") == true, "\(changed)")
    #expect(!changed.keys.contains { $0.key == club.objectID.key && $0.entityName == "Group" })
    #expect(watching.names(watched, "members").sorted() == ["Ann", "Cy"])
    // Both owners have changed once.
    let counters = try store.database?.connect().read {
      try Int.fetchAll($0, sql: "SELECT Z_OPT FROM ZGROUP ORDER BY Z_PK")
    }
    #expect(counters == [2, 2])
  }
}
