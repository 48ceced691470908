import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Changes that meet each other` {
  // Core Data: NSManagedObjectContext.count(for:) with fetchLimit and fetchOffset.
  @Test(arguments: stores) func `a count is limited like the fetch`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("New")
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    for (limit, offset, count) in [(2, 0, 2), (0, 3, 1), (3, 2, 2), (0, 9, 0)] {
      (request.fetchLimit, request.fetchOffset) = (limit, offset)
      #expect(try office.context.count(for: request) == count)
      #expect(try office.context.fetch(request).count == count)
    }
  }

  // Core Data: a change made by an observer of a save is not part of it.
  @Test(arguments: stores) func `what an observer changes after a save is unsaved`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let observation = office.context.observe {
      if case .didSave = $0, ada["code"].isNull { ada["code"] = "late" }
    }
    ada["age"] = 1
    try office.context.save()
    #expect(ada.changedKeys == ["code"] && office.context.hasChanges)
    #expect(try office.stored("Ada", "code").isNull && office.stored("Ada", "age") == 1)
    observation.cancel()
  }

  // Core Data: NSManagedObjectContext.save() in an observer.
  @Test(arguments: stores) func `an observer of a save may save again`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    var failure: (any Error)?
    let observation = office.context.observe { [context = office.context] event in
      guard case .didSave = event, ada["code"].isNull else { return }
      ada["code"] = "late"
      do { try context.save() } catch { failure = error }
    }
    ada["age"] = 1
    try office.context.save()
    #expect(failure == nil && !office.context.hasChanges)
    #expect(try office.stored("Ada", "code") == "late")
    observation.cancel()
  }

  // Core Data: NSDeleteRule.cascadeDeleteRule to a new object with NSDeleteRule.denyDeleteRule.
  @Test func `a deletion that cascades to a new object is not denied by it`() throws {
    let coordinator = PersistentStoreCoordinator(
      store: InMemoryStore(
        model: ManagedObjectModel {
          Entity("Shelf") { ToMany("boxes", "Box", inverse: "shelf", deleteRule: .cascade) }
          Entity("Box") {
            ToOne("shelf", "Shelf", inverse: "boxes")
            ToMany("things", "Thing", inverse: "box", deleteRule: .deny)
          }
          Entity("Thing") { ToOne("box", "Box", inverse: "things") }
        }))
    let context = ManagedObjectContext(coordinator: coordinator)
    let (shelf, box, thing) = (
      try context.insert(entityName: "Shelf"), try context.insert(entityName: "Box"),
      try context.insert(entityName: "Thing")
    )
    try box.setObject(shelf, forKey: "shelf")
    try thing.setObject(box, forKey: "box")
    context.processPendingChanges()
    try context.delete(shelf)
    context.processPendingChanges()
    #expect(!box.isInserted && thing.object(forKey: "box") == nil)
    try context.save()
  }

  // Core Data: a fetch with pending changes of an object that another context has deleted.
  @Test(arguments: stores)
  func `an object that was changed here and deleted elsewhere is fetched in every order`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.person("Cyd")["age"] = 1
    office.context.processPendingChanges()
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    office.context.processPendingChanges()
    for key in ["name", "age", "code"] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Person", sortDescriptors: [.init(key), .init("name")])
      #expect(try office.context.fetch(request).map { $0.string("name") }.contains("Cyd"))
    }
  }

  // Core Data: NSDeleteRule.denyDeleteRule is checked when a deletion is saved.
  @Test(arguments: stores)
  func `a new object is deleted whatever leads to it`(kind: Kind) throws {
    let office = try Office(kind)
    let (invoice, customer) = (
      try office.context.make("1", "Invoice"), try office.context.make("New")
    )
    try invoice.setObject(customer, forKey: "customer")
    office.context.processPendingChanges()
    try office.context.delete(customer)
    office.context.processPendingChanges()
    #expect(invoice.object(forKey: "customer") == nil)
    try office.context.save()
    #expect(try office.anotherContext().names("Invoice") == ["1"])
  }

  // Core Data: a relationship to an object that another context has deleted.
  @Test(arguments: stores)
  func `an object cannot be saved with a destination that was deleted elsewhere`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (bob, cyd) = (try office.person("Bob"), try office.person("Cyd"))
    try bob.setObject(cyd, forKey: "manager")
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    #expect(try office.anotherContext().named("Bob").names("manager") == ["Ada"])
    try bob.setObject(nil, forKey: "manager")
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("manager") == [])
  }

  // Core Data: NSDeleteRule.nullifyDeleteRule for objects that another context has added.
  @Test(arguments: stores) func `a deletion nullifies what another context has added`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let acme = try office.context.named("Acme", "Company")
    #expect(acme.count(forKey: "employees") == 2)
    try office.saveElsewhere {
      try $0.named("Cyd").setObject($0.named("Acme", "Company"), forKey: "employer")
    }
    try office.context.delete(acme)
    try office.context.save()
    #expect(try office.anotherContext().names(where: "employer != nil") == [])
    #expect(try office.anotherContext().named("Cyd").object(forKey: "employer") == nil)
  }

  // Core Data: NSDeleteRule.cascadeDeleteRule for objects that another context has added.
  @Test(arguments: stores) func `a deletion cascades to what another context has added`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let ada = try office.person("Ada")
    #expect(ada.names("pets") == ["Rex"])
    try office.saveElsewhere {
      try $0.make("Fido", "Pet").setObject($0.named("Ada"), forKey: "owner")
    }
    try office.context.delete(ada)
    try office.context.save()
    #expect(try office.anotherContext().names("Pet") == [])
  }

  // Core Data: NSManagedObjectContext.undo() after another context's save was merged.
  @Test(arguments: stores) func `undo keeps what was merged meanwhile`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.processPendingChanges()
    try office.saveElsewhere { try $0.named("Ada")["code"] = "theirs" }
    office.context.processPendingChanges()
    #expect(ada["code"] == "theirs" && ada["age"] == 1)
    office.context.undoHistory.undo()
    #expect(ada["code"] == "theirs" && ada["age"] == 36 && !ada.hasChanges)
  }

  // Core Data: NSManagedObjectContext.rollback() after a save that failed.
  @Test(arguments: stores) func `rollback after a save that failed leaves nothing`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["name"] = .null
    ada["age"] = "old"
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    office.context.rollback()
    try office.context.save()
    #expect(ada["name"] == "Ada" && !office.context.hasChanges)
  }

  // Not in Core Data: the changes of some objects are discarded.
  @Test(arguments: stores) func `the changes of one object are discarded`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    (ada["age"], bob["age"]) = (1, 2)
    office.context.discardChanges(of: [ada.objectID])
    #expect(ada["age"] == 36 && bob["age"] == 2)
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 36 && office.stored("Bob", "age") == 2)
  }

  // Core Data: NSManagedObjectContext.refresh(_:mergeChanges: true) of a new object keeps it.
  @Test(arguments: stores) func `refreshing a new object with merging keeps it`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    office.context.refresh(new, mergeChanges: true)
    #expect(new.isInserted && new["name"] == "New" && !new.isFault)
    try office.context.save()
    #expect(try office.anotherContext().names().contains("New"))
  }

  // Core Data: NSManagedObjectContext.refresh(_:mergeChanges: false) of a deleted object.
  @Test(arguments: stores) func `refreshing a deleted object without merging brings it back`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    try office.context.delete(cyd)
    office.context.refresh(cyd, mergeChanges: false)
    #expect(!cyd.isDeleted && cyd["name"] == "Cyd" && !office.context.hasChanges)
  }

  // Core Data: a new object that is related, then deleted, leaves no trace in relationships.
  @Test(arguments: stores) func `a new object that is deleted leaves its relationships`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (ada, acme) = (try office.person("Ada"), try office.context.named("Acme", "Company"))
    let new = try office.context.make("New")
    try new.setObject(acme, forKey: "employer")
    try new.add(ada, forKey: "friends")
    try ada.add(office.context.named("blue", "Tag"), forKey: "favourites")
    try office.context.delete(new)
    office.context.processPendingChanges()
    #expect(acme.names("employees").sorted() == ["Ada", "Bob"] && ada.names("friends") == [])
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("favourites").last == "blue")
  }

  // Core Data: both contexts change an ordered relationship; the order that is saved last holds.
  @Test(arguments: stores) func `two contexts add to an ordered relationship`(kind: Kind) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    let ada = try office.person("Ada")
    try ada.add(office.context.named("blue", "Tag"), forKey: "favourites")
    try other.named("Ada").add(other.make("pink", "Tag"), forKey: "favourites")
    try other.save()
    try office.context.save()
    let names = try office.anotherContext().named("Ada").names("favourites")
    #expect(names.sorted() == ["blue", "green", "pink", "red"])
    #expect(names.first == "red")
  }

  // Core Data: an object moves between owners in two contexts.
  @Test(arguments: stores) func `the owner of an object is a conflict if both have set it`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    let other = office.anotherContext()
    try office.context.named("Rex", "Pet").setObject(office.person("Bob"), forKey: "owner")
    try other.named("Rex", "Pet").setObject(other.named("Cyd"), forKey: "owner")
    try other.save()
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    office.context.mergePolicy = .mergeByPropertyStoreTrump
    try office.context.save()
    #expect(try office.context.named("Rex", "Pet").names("owner") == ["Cyd"])
    #expect(try office.person("Bob").names("pets") == [])
    #expect(try office.person("Cyd").names("pets") == ["Rex"])
  }

  // Core Data: undo of several steps across a save.
  @Test(arguments: stores) func `undo leads back across saves to the beginning`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    try office.context.save()
    new["age"] = 5
    try office.context.save()
    try office.context.delete(office.person("Ada"))
    try office.context.save()
    while office.context.undoHistory.canUndo { office.context.undoHistory.undo() }
    try office.context.save()
    let other = office.anotherContext()
    #expect(try other.names() == ["Ada", "Bob", "Cyd"] && other.names("Toy") == ["Ball", "Bone"])
    #expect(try other.named("Bob").names("manager") == ["Ada"])
    while office.context.undoHistory.canRedo { office.context.undoHistory.redo() }
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Bob", "Cyd", "New"])
    #expect(try office.stored("New", "age") == 5)
  }

  // Core Data: a sub-entity's object as destination is found by predicates of the super-entity.
  @Test(arguments: stores) func `an object keeps its entity through relationships`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.person("Ada").setObject(office.person("Cyd"), forKey: "manager")
    try office.context.save()
    let cyd = try #require(try office.anotherContext().named("Ada").object(forKey: "manager"))
    #expect(cyd.entity.name == "Student" && cyd["school"] == "MIT")
  }

  // Core Data: NSManagedObjectContext.reset() while another context's save waits to be merged.
  @Test(arguments: stores) func `a reset forgets saves that were not merged, and reads the store`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    try office.saveElsewhere { try $0.named("Ada")["age"] = 50 }
    office.context.reset()
    #expect(office.context.processPendingChanges() == nil && ada["age"] == 50)
    #expect(office.context.conflicts.isEmpty && !ada.hasChanges)
  }

  // Core Data: an object that was deleted and restored in one step is unchanged.
  @Test(arguments: stores) func `deleting and undoing at once is no change`(kind: Kind) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    try office.context.delete(cyd)
    office.context.undoHistory.undo()
    #expect(!cyd.isDeleted && !office.context.hasChanges)
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }
}
