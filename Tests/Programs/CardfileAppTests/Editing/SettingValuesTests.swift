import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// A value is set for all selected objects, or for all that match.
@MainActor @Suite struct SettingValuesTests {
  private func run(_ line: String, on stage: Stage) {
    stage.type(":" + line)
    stage.press(.enter)
  }

  private func cities(_ stage: Stage) -> [String: Int] {
    let index = 1
    return stage.store.contents.values.filter { $0.id.entityName == "Person" }
      .reduce(into: [:]) { $0[$1.values[index].description, default: 0] += 1 }
  }

  private func unsavedCities(_ stage: Stage) -> [String] {
    stage.app.session.context.updatedObjects.map { $0["city"].description }
  }

  @Test func `e sets the value of all selected objects as one step, which the save shows`() throws {
    let stage = try Stage()
    run("columns city, name", on: stage)
    stage.type("   e")
    #expect(stage.text.contains("city of 3 Person"), "\(stage.text)")
    #expect(stage.text.contains("3 objects with different values"))
    stage.type("Bergen")
    stage.press(.enter)
    #expect(unsavedCities(stage) == ["Bergen", "Bergen", "Bergen"])
    #expect(stage.status.contains("change city of 3 Person — u undo"))
    stage.type("u")
    #expect(!stage.app.session.context.hasChanges)
    stage.press(.control("r"))
    stage.type("W")
    #expect(stage.text.contains("3 Person changed"), "\(stage.text)")
    #expect(cities(stage)["Bergen"] == nil)
    stage.type("y")
    #expect(cities(stage)["Bergen"] == 3 && !stage.app.session.hasUnsavedChanges)
  }

  @Test func `Enter leaves different values as they are, C-n and an emptied text set them`() throws
  {
    let stage = try Stage()
    run("columns city, name", on: stage)
    stage.type("   e")
    stage.press(.enter)
    #expect(stage.status.contains("city is unchanged"))
    stage.type("ex")
    stage.press(.backspace, .enter)
    #expect(unsavedCities(stage) == ["", "", ""])
    stage.type("e")
    stage.press(.control("n"), .enter)
    #expect(stage.app.session.context.updatedObjects.allSatisfy { $0["city"].isNull })
    stage.type("e")
    #expect(stage.text.contains("city: ∅"), "\(stage.text)")
  }

  @Test func `what is selected and not shown is said before it is edited`() throws {
    let stage = try Stage()
    run("columns city, name", on: stage)
    stage.typeKeys("  /kim⏎ e")
    #expect(stage.text.contains("2 of the 3 selected are not shown"), "\(stage.text)")
    #expect(stage.text.contains("Which: edit?"))
    stage.type("a")
    #expect(stage.text.contains("city of 3 Person"))
  }

  @Test func `marked and deleted objects are left as they are, which is said before and after`()
    throws
  {
    let stage = try Stage()
    run("columns city, name", on: stage)
    stage.type("dg   e")
    #expect(stage.text.contains("city of 2 Person (not 1 marked for deletion)"), "\(stage.text)")
    stage.type("Bergen")
    stage.press(.enter)
    #expect(unsavedCities(stage).count == 2)
    #expect(stage.status.contains("not 1 marked for deletion"))
  }

  @Test func `a number before e is that of the objects from the cursor on`() throws {
    let stage = try Stage()
    run("columns city, name", on: stage)
    stage.type("4e")
    #expect(stage.text.contains("city of 4 Person"))
  }

  @Test func `a to-one is chosen for all selected objects, a to-many takes one`() throws {
    let stage = try Stage()
    run("columns employer, name", on: stage)
    stage.type("   e")
    #expect(stage.title.contains("choose employer of 3 Person"), "\(stage.text)")
    stage.press(.enter)
    #expect(stage.status.contains("employer of 3 Person: Nordic Fish ehf."), "\(stage.status)")
    stage.type("e")
    stage.press(.control("n"))
    #expect(stage.status.contains("employer of 3 Person: NULL"))
    run("columns pets, name", on: stage)
    stage.type("e")
    #expect(stage.status.contains("pets of one Person, 3 are selected"), "\(stage.status)")
    stage.type("O")
    #expect(stage.status.contains("O copies one object, 3 are selected"))
  }

  @Test func `set-value sets what matches, after it has said how many`() throws {
    let stage = try Stage()
    stage.typeKeys("/kim⏎")
    run("set-value city = \"New York\" where name beginswith 'J'", on: stage)
    #expect(stage.text.contains("Set city of 4 Person?"), "\(stage.text)")
    #expect(stage.text.contains("city = New York"))
    #expect(stage.text.contains("where name beginswith 'J'"))
    stage.press(.enter)
    #expect(!stage.app.session.context.hasChanges)
    run("set-value city = New York where name beginswith 'J'", on: stage)
    stage.type("y")
    #expect(unsavedCities(stage) == Array(repeating: "New York", count: 4))
    stage.type("u")
    #expect(!stage.app.session.context.hasChanges)
    run("set-value city = NULL", on: stage)
    #expect(stage.app.session.context.updatedObjects.map { $0["city"] } == [.null])
    run("set-value city = 'NULL'", on: stage)
    #expect(unsavedCities(stage) == ["NULL"])
  }

  @Test(arguments: [
    ("city", "a value is missing"), ("city =", "'' is empty text, NULL is no value"),
    ("ctiy = x", "no “ctiy” in Person; Tab: city"), ("employer = x", "employer is a relationship"),
    ("born = soon", "a date is needed"), ("city = 'x", "the quote is not closed"),
    ("city = 'x' y", "neither a value nor “where”"), ("city = x where", "a predicate is missing"),
    ("city = x where nme = 1", "no attribute “nme”"),
  ])
  func `what is wrong with an assignment is said in its line`(line: String, note: String) throws {
    let stage = try Stage(width: 160)
    run("set-value \(line)", on: stage)
    #expect(stage.text.contains(note), "\(stage.text)")
    #expect(!stage.app.session.context.hasChanges)
  }

  @Test func `set-value completes attributes, values, where and what is in the predicate`() throws {
    let stage = try Stage()
    for (typed, completed) in [
      ("set-v", "set-value "), ("set-value ci", "set-value city = "),
      ("set-value city = x ", "set-value city = x where "),
      ("set-value city = x where bor", "set-value city = x where born"),
    ] {
      stage.type(":\(typed)")
      stage.press(.tab)
      #expect(stage.text.contains(" : \(completed.dropLast())"), "\(stage.text)")
      stage.press(.escape)
    }
  }

  @Test func `what must be unique is not set for several`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Word", attributes: [AttributeDescription("text", .string)],
        uniquenessConstraints: [["text"]])
    ])
    let store = InMemoryStore(model: model, identifier: "U", name: "words.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for text in ["a", "b", "c"] { try context.insert(entityName: "Word")["text"] = .string(text) }
    try context.save()
    let stage = try Stage("Word", store: store)
    stage.type("  ex")
    stage.press(.enter)
    #expect(
      stage.text.contains("text must be unique: only one object can have it"), "\(stage.text)")
    #expect(!stage.app.session.context.hasChanges)
  }

  @Test func `Esc takes back what was set so far`() throws {
    let stage = try Stage("Tag", store: Contacts.store(tagCount: 5_000))
    stage.type("*exy")
    // Each look at the clock is after the next look at the keyboard is due.
    var time = 0
    stage.app.clock = {
      time += 50
      return time
    }
    stage.terminal.stopRequest = { stage.app.session.context.updatedObjects.count > 1_000 }
    stage.press(.enter)
    #expect(stage.status.contains("Cancelled — nothing was changed"), "\(stage.status)")
    #expect(!stage.app.session.context.hasChanges)
  }
}
