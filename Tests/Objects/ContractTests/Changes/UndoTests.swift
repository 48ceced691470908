import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Undo and redo` {
  // Core Data: NSManagedObjectContext.undo(): an insertion is undone.
  @Test(arguments: stores) func `undo removes a new object, redo inserts it again`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let context = office.context
    try context.make("New")["age"] = 7
    context.undoHistory.undo()
    #expect(!context.hasChanges)
    #expect(try context.names() == ["Ada", "Bob", "Cyd"])
    context.undoHistory.redo()
    #expect(try context.named("New")["age"] == 7)
    try context.save()
    #expect(try office.stored("New", "age") == 7)
  }

  // Core Data: NSManagedObjectContext.undo(): a changed attribute.
  @Test(arguments: stores) func `undo restores an attribute, redo changes it again`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 37
    office.context.undoHistory.undo()
    #expect(ada["age"] == 36 && !office.context.hasChanges)
    office.context.undoHistory.redo()
    #expect(ada["age"] == 37 && ada.hasChanges)
  }

  // Core Data: NSManagedObjectContext.undo(): a deletion with all that its rules did.
  @Test(arguments: stores) func `undo brings back a deleted object with its relationships`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    try office.context.delete(ada)
    office.context.processPendingChanges()
    office.context.undoHistory.undo()
    #expect(!ada.isDeleted && !office.context.hasChanges)
    #expect(bob.object(forKey: "manager") === ada && ada.names("pets") == ["Rex"])
    #expect(ada.names("favourites") == ["red", "green"] && ada.names("passport") == ["P1"])
  }

  // Core Data: NSManagedObjectContext.redo(): the deletion, rules included.
  @Test(arguments: stores) func `redo deletes again with the delete rules`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.delete(office.person("Ada"))
    office.context.undoHistory.undo()
    office.context.undoHistory.redo()
    try office.context.save()
    #expect(try office.anotherContext().names("Toy") == [])
    #expect(try office.anotherContext().names() == ["Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectContext.undo(): a relationship at both ends.
  @Test(arguments: stores) func `undo restores both ends of a relationship`(kind: Kind) throws {
    let office = try Office(kind)
    let (bob, acme) = (try office.person("Bob"), try office.context.named("Acme", "Company"))
    try bob.setObject(nil, forKey: "employer")
    office.context.undoHistory.undo()
    #expect(
      bob.names("employer") == ["Acme"] && acme.names("employees").sorted() == ["Ada", "Bob"])
    #expect(!office.context.hasChanges)
  }

  // Core Data: NSManagedObjectContext.undo(): links of many-to-many relationships.
  @Test(arguments: stores) func `undo removes an added link`(kind: Kind) throws {
    let office = try Office(kind)
    let (bob, red) = (try office.person("Bob"), try office.context.named("red", "Tag"))
    try bob.add(red, forKey: "tags")
    office.context.undoHistory.undo()
    #expect(bob.names("tags") == [] && red.names("people") == ["Ada"])
    #expect(!office.context.hasChanges)
  }

  // Core Data: NSManagedObjectContext.undo(): the order of an ordered relationship.
  @Test(arguments: stores) func `undo restores an order`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, green) = (try office.person("Ada"), try office.context.named("green", "Tag"))
    try ada.add(green, forKey: "favourites", at: 0)
    #expect(ada.names("favourites") == ["green", "red"])
    office.context.undoHistory.undo()
    #expect(ada.names("favourites") == ["red", "green"])
    office.context.undoHistory.redo()
    #expect(ada.names("favourites") == ["green", "red"])
  }

  // Core Data: UndoManager.groupsByEvent; NSManagedObjectContext.processPendingChanges() ends it.
  @Test(arguments: stores) func `changes until they are processed are one step`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    (ada["age"], bob["age"]) = (1, 2)
    office.context.undoHistory.undo()
    #expect(ada["age"] == 36 && bob["age"] == 20)
  }

  // Core Data: NSManagedObjectContext.processPendingChanges().
  @Test(arguments: stores) func `processing changes ends a step`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.processPendingChanges()
    ada["age"] = 2
    office.context.undoHistory.undo()
    #expect(ada["age"] == 1)
    office.context.undoHistory.undo()
    #expect(ada["age"] == 36 && !office.context.undoHistory.canUndo)
  }

  // Core Data: UndoManager.beginUndoGrouping(), endUndoGrouping().
  @Test(arguments: stores) func `a group is one step, however often changes are processed`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let history = office.context.undoHistory
    history.beginGroup()
    for age in 1...3 {
      ada["age"] = .integer(Int64(age))
      office.context.processPendingChanges()
    }
    history.endGroup()
    history.undo()
    #expect(ada["age"] == 36 && !history.canUndo && history.canRedo)
  }

  // Core Data: UndoManager.beginUndoGrouping(): nested groups are parts of the outer one.
  @Test(arguments: stores) func `nested groups are one step`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let history = office.context.undoHistory
    history.beginGroup()
    ada["age"] = 1
    history.beginGroup()
    ada["code"] = "c"
    history.endGroup()
    history.endGroup()
    history.undo()
    #expect(ada["age"] == 36 && ada["code"].isNull && !history.canUndo)
  }

  // Core Data: UndoManager.setActionName(_:), undoActionName.
  @Test(arguments: stores) func `a step has the name that it was given`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 1
    let history = office.context.undoHistory
    history.setActionName("Grow younger")
    #expect(history.undoActionName == "Grow younger")
    history.undo()
    #expect(history.redoActionName == "Grow younger" && history.undoActionName.isEmpty)
  }

  // Core Data: UndoManager.disableUndoRegistration().
  @Test(arguments: stores) func `without registration nothing can be undone`(kind: Kind) throws {
    let office = try Office(kind)
    office.context.undoHistory.isRegistrationEnabled = false
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.undoHistory.undo()
    #expect(ada["age"] == 1 && !office.context.undoHistory.canUndo)
  }

  // Core Data: UndoManager.redo(): a new change removes what could be redone.
  @Test(arguments: stores) func `a new change removes the redo stack`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.undoHistory.undo()
    #expect(office.context.undoHistory.canRedo)
    ada["age"] = 2
    #expect(!office.context.undoHistory.canRedo)
    office.context.undoHistory.redo()
    #expect(ada["age"] == 2)
  }

  // Core Data: UndoManager.levelsOfUndo.
  @Test(arguments: stores) func `no more steps are kept than levelsOfUndo`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, history) = (try office.person("Ada"), office.context.undoHistory)
    history.levelsOfUndo = 2
    for age in 1...4 {
      ada["age"] = .integer(Int64(age))
      office.context.processPendingChanges()
    }
    while history.canUndo { history.undo() }
    #expect(ada["age"] == 2)
  }

  // Core Data: UndoManager.removeAllActions().
  @Test(arguments: stores) func `removing all actions keeps the changes`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    office.context.processPendingChanges()
    office.context.undoHistory.removeAllActions()
    #expect(!office.context.undoHistory.canUndo && ada["age"] == 1 && ada.hasChanges)
  }

  // Core Data: NSManagedObjectContext.undo() after a save: the change back is unsaved.
  @Test(arguments: stores) func `undo after a save is a change to save`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 1
    try office.context.save()
    office.context.undoHistory.undo()
    #expect(ada["age"] == 36 && ada.isUpdated)
    try office.context.save()
    #expect(try office.stored("Ada", "age") == 36)
  }

  // Core Data: NSManagedObjectContext.undo() of a saved insertion deletes the object.
  @Test(arguments: stores) func `undo of a saved insertion deletes the object`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.make("New")
    try office.context.save()
    office.context.undoHistory.undo()
    try office.context.save()
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectContext.undo() of a saved deletion inserts the object again; here it
  // has its ID and its relationships again.
  @Test(arguments: stores) func `undo of a saved deletion brings back object, ID and relationships`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let id = try office.person("Ada").objectID
    try office.context.delete(office.person("Ada"))
    try office.context.save()
    office.context.undoHistory.undo()
    try office.context.save()
    let ada = try office.anotherContext().named("Ada")
    #expect(ada.objectID == id && ada["age"] == 36 && ada.names("passport") == ["P1"])
    #expect(ada.names("favourites") == ["red", "green"] && ada.names("reports") == ["Bob"])
    #expect(ada.names("pets") == ["Rex"] && ada.names("tags") == ["red"])
    #expect(ada.objects(forKey: "pets").flatMap { $0.names("toys") } == ["Ball", "Bone"])
  }

  // Core Data: NSManagedObjectContext.undo(), redo() may be repeated.
  @Test(arguments: stores) func `undo and redo lead back and forth any number of times`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    for age in 1...3 {
      ada["age"] = .integer(Int64(age))
      office.context.processPendingChanges()
    }
    for _ in 1...3 {
      for age in [2, 1, 36] {
        office.context.undoHistory.undo()
        #expect(ada["age"] == .integer(Int64(age)))
      }
      for age in [1, 2, 3] {
        office.context.undoHistory.redo()
        #expect(ada["age"] == .integer(Int64(age)))
      }
    }
  }

  // Core Data: NSManagedObjectContext.rollback().
  @Test(arguments: stores) func `rollback discards every unsaved change`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    ada["age"] = 1
    try ada.setObject(bob, forKey: "manager")
    try bob.add(office.context.named("blue", "Tag"), forKey: "tags")
    try office.context.make("New")
    try office.context.delete(office.person("Cyd"))
    office.context.rollback()
    #expect(!office.context.hasChanges && ada["age"] == 36 && ada.object(forKey: "manager") == nil)
    #expect(bob.names("tags") == [])
    #expect(try office.context.names() == ["Ada", "Bob", "Cyd"])
  }

  // Not in Core Data: a rollback can be undone.
  @Test(arguments: stores) func `undo brings back what a rollback has discarded`(kind: Kind) throws
  {
    let office = try Office(kind)
    try office.person("Ada")["age"] = 1
    try office.context.make("New")
    office.context.rollback()
    office.context.undoHistory.undo()
    #expect(try office.person("Ada")["age"] == 1)
    #expect(try office.context.names() == ["Ada", "Bob", "Cyd", "New"])
  }

  // Core Data: UndoManager.undo() with nothing to undo.
  @Test(arguments: stores) func `undo without anything to undo does nothing`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(office.context.undoHistory.undo() == nil && office.context.undoHistory.redo() == nil)
    #expect(!office.context.hasChanges)
  }
}
