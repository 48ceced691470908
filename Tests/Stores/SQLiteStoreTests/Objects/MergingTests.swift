import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct MergingTests {
  /// How my context learns of the other save.
  enum Notice: CaseIterable, Sendable { case before, byProcessing, bySaving }

  @Test(arguments: TestedStore.allCases, Notice.allCases)
  func `changes of different properties of an object are merged`(
    kind: TestedStore, notice: Notice
  ) throws {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    let (ada, other) = (try mine.named("Ada", "Person"), try theirs.named("Ada", "Person"))
    if notice == .bySaving { ada["salary"] = 20 }
    other["name"] = "Ada Lovelace"
    try other.setObject(theirs.named("Acme", "Company"), forKey: "employer")
    try theirs.save()
    if notice == .before { mine.processPendingChanges() }
    if notice != .bySaving { ada["salary"] = 20 }
    if notice == .byProcessing { mine.processPendingChanges() }
    try mine.save()
    #expect(mine.conflicts.isEmpty && !mine.hasChanges)
    let saved = try store.context().named("Ada Lovelace", "Person")
    #expect(saved["salary"] == 20 && saved.object(forKey: "employer") != nil)
    #expect(ada["name"] == "Ada Lovelace" && ada["salary"] == 20)
    mine.undoHistory.undo()
    #expect(ada["name"] == "Ada Lovelace" && ada["salary"] == 10)
  }

  @Test(arguments: TestedStore.allCases)
  func `what others changed beside an unsaved change is reported`(kind: TestedStore) throws {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    defer { withExtendedLifetime(store) {} }
    let ada = try mine.named("Ada", "Person")
    ada["salary"] = 20
    mine.processPendingChanges()
    try theirs.named("Ada", "Person")["name"] = "Lovelace"
    try theirs.save()
    let change = try #require(mine.processPendingChanges())
    #expect(change.refreshed == [ada.objectID])
    #expect(change.changedKeys == [ada.objectID: ["name"]])
    #expect(ada.changedKeys == ["salary"] && ada["name"] == "Lovelace")
  }

  @Test(arguments: [TestedStore.plain, .coreData])
  func `what a user's trigger changes in an owner is reported to other contexts`(
    kind: TestedStore
  ) throws {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    let acme = try mine.named("Acme", "Company").objectID
    let (person, company, name) =
      kind == .plain ? ("Person", "Company", "name") : ("ZPERSON", "ZCOMPANY", "ZNAME")
    try #require(store.database).run(
      """
      CREATE TRIGGER grow AFTER INSERT ON \(person) BEGIN UPDATE \(company) SET \(name) = 'A'; END
      """)
    let bob = try theirs.make("Person", "Bob")
    try bob.setObject(theirs.named("Acme", "Company"), forKey: "employer")
    // A list of mine may depend on the name without having read it.
    mine.trim(keeping: [])
    try theirs.save()
    let change = try #require(mine.processPendingChanges())
    #expect(change.changedKeys[acme]?.contains("name") == true)
    #expect(mine.object(with: acme)["name"] == "A")
  }

  @Test(arguments: TestedStore.allCases)
  func `a change of one property on both sides is a conflict`(kind: TestedStore) throws {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    let (ada, other) = (try mine.named("Ada", "Person"), try theirs.named("Ada", "Person"))
    (ada["salary"], other["salary"]) = (30, 40)
    other["name"] = "theirs"
    try theirs.save()
    let error = #expect(throws: ManagedObjectError.self) { try mine.save() }
    #expect(error?.reason == .conflict)
    #expect(mine.conflicts[ada.objectID]?.myKeys == ["salary"])
    #expect(mine.conflicts[ada.objectID]?.theirKeys == ["name", "salary"])
    #expect(try store.context().named("theirs", "Person")["salary"] == 40)
    try mine.resolveConflicts(.keepMine, of: [ada.objectID])
    try mine.save()
    #expect(try store.context().named("theirs", "Person")["salary"] == 30)
  }

  @Test(arguments: TestedStore.allCases)
  func `a to-one that both sides set differently is a conflict`(kind: TestedStore) throws {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    defer { withExtendedLifetime(store) {} }
    let ada = try mine.named("Ada", "Person")
    try theirs.named("Ada", "Person")
      .setObject(theirs.named("Acme", "Company"), forKey: "employer")
    try theirs.save()
    mine.processPendingChanges()
    try ada.setObject(mine.make("Company", "Mine"), forKey: "employer")
    try mine.save()
    theirs.processPendingChanges()
    let company = try theirs.make("Company", "Theirs")
    try theirs.named("Ada", "Person").setObject(company, forKey: "employer")
    try ada.setObject(nil, forKey: "employer")
    try theirs.save()
    let error = #expect(throws: ManagedObjectError.self) { try mine.save() }
    #expect(error?.reason == .conflict)
    #expect(mine.conflicts[ada.objectID]?.myKeys == ["employer"])
  }

  @Test(arguments: TestedStore.allCases)
  func `a deletion of an object that others changed is a conflict`(kind: TestedStore) throws {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    defer { withExtendedLifetime(store) {} }
    let ada = try mine.named("Ada", "Person")
    try mine.delete(ada)
    mine.processPendingChanges()
    try theirs.named("Ada", "Person")["name"] = "Lovelace"
    try theirs.save()
    let error = #expect(throws: ManagedObjectError.self) { try mine.save() }
    #expect(error?.reason == .conflict)
  }

  @Test(arguments: [TestedStore.plain, .coreData])
  func `the commit of another process is merged by the save`(kind: TestedStore) throws {
    let (store, mine, _) = try ObjectStore.withAda(kind)
    let ada = try mine.named("Ada", "Person")
    ada["salary"] = 20
    try store.database?.run(
      kind == .plain
        ? "UPDATE Person SET name = 'Lovelace'"
        : "UPDATE ZPERSON SET ZNAME = 'Lovelace', Z_OPT = Z_OPT + 1")
    try mine.save()
    #expect(try store.context().named("Lovelace", "Person")["salary"] == 20)
    #expect(ada["name"] == "Lovelace")
  }
}
