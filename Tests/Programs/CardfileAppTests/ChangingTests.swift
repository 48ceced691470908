import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

@MainActor @Suite struct ChangingTests {
  /// A stage whose cursor is on a person.
  private func stage(on name: String, options: AppOptions = AppOptions()) throws -> Stage {
    let stage = try Stage(options: options)
    stage.type("/\(name)")
    stage.press(.enter)
    return stage
  }

  @Test func `marking changes only the flag and the message`() throws {
    let stage = try Stage()
    let before = stage.store.contents
    stage.type("d")
    #expect(stage.status.hasPrefix(" 4711 marked — u undo"))
    #expect(stage.status.contains("D1"))
    #expect(stage.lines[3].hasPrefix(" D 4711"))
    #expect(stage.cursorLine.contains("Abe"))
    #expect(stage.store.contents == before)
    #expect(!stage.app.session.context.hasChanges)
  }

  @Test func `marks can be removed, undone and redone`() throws {
    let stage = try Stage()
    stage.type("dkx")
    #expect(stage.app.session.marks.isEmpty)
    stage.type("u")
    #expect(stage.app.session.marks.count == 1)
    stage.type("u")
    #expect(stage.app.session.marks.isEmpty)
    stage.press(.control("r"))
    #expect(stage.app.session.marks.count == 1)
    #expect(stage.status.hasPrefix(" redo: mark 4711"))
  }

  @Test func `d marks all selected objects`() throws {
    let stage = try Stage()
    stage.type("  d")
    #expect(stage.app.session.marks.count == 2)
    #expect(stage.status.hasPrefix(" 2 Person marked — u undo"))
    stage.type("u")
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test(arguments: [[Key.enter], [.escape], [.character("n")]])
  func `the save dialog cancels with Enter, Esc and n`(_ keys: [Key]) throws {
    let stage = try stage(on: "kim")
    let before = stage.store.contents
    stage.type("dW")
    #expect(stage.text.contains("5 Pet deleted"))
    for key in keys { stage.press(key) }
    #expect(stage.app.overlays.isEmpty)
    #expect(stage.store.contents == before)
    #expect(stage.app.session.marks.count == 1)
  }

  @Test func `y deletes the marked objects and their cascades`() throws {
    let stage = try stage(on: "kim")
    let kim = try #require(stage.person("Kim, José"))
    stage.type("dWy")
    #expect(stage.status.hasPrefix(" Saved: 6 deleted, 2 set to ∅"))
    #expect(stage.store.contents[kim] == nil)
    #expect(stage.keys(of: "Pet").count == 2)
    #expect(stage.keys(of: "Order").count == 2)
    #expect(!stage.app.session.hasUnsavedChanges)
  }

  @Test func `undo after a save restores deleted objects with their keys, and can be saved`() throws
  {
    let stage = try stage(on: "kim")
    let before = stage.store.contents
    stage.type("dWy")
    stage.press(.escape)
    stage.type("u")
    #expect(stage.text.contains(" + Kim, José"))
    #expect(stage.status.contains("undo: delete Kim, José: 5 Pet, 1 Person come back"))
    #expect(stage.status.contains("+6"))
    stage.type("W")
    #expect(stage.store.contents.mapValues(\.values) == before.mapValues(\.values))
    #expect(Set(stage.store.contents.keys) == Set(before.keys))
    #expect(!stage.app.session.hasUnsavedChanges)
  }

  @Test func `undo after a save scrolls to what comes back`() throws {
    let stage = try stage(on: "kim")
    stage.type("dWy")
    stage.press(.escape)
    stage.resize(width: 80, height: 12)
    stage.type("g")
    #expect(!stage.text.contains("Kim, José"))
    stage.type("u")
    #expect(stage.cursorLine.contains("Kim, José"))
  }

  @Test func `objects that a deny rule protects stay marked, the others are deleted`() throws {
    let stage = try Stage()
    stage.type("/jensen")
    stage.press(.enter)
    stage.type("*dW")
    #expect(stage.text.contains("! Jensen, Viktor has 4 Invoice (deny): refused"))
    stage.type("y")
    #expect(stage.text.contains("y does nothing here"))
    stage.type("s")
    #expect(stage.person("Jensen, Søren") == nil)
    #expect(stage.person("Jensen, Viktor") != nil)
    #expect(stage.app.session.marks.count == 1)
    #expect(stage.status.contains("still marked: Jensen, Viktor has 4 Invoice"))
  }

  @Test func `the save dialog has no y if every deletion is denied`() throws {
    let stage = try stage(on: "viktor")
    let before = stage.store.contents
    stage.type("dW")
    #expect(!stage.text.contains("y save"))
    stage.type("y")
    stage.press(.escape)
    #expect(stage.store.contents == before)
  }

  @Test func `deleting all objects of an entity requires typing their number`() throws {
    let stage = try Stage("Tag")
    stage.type("*dWy")
    #expect(stage.text.contains("Type 38 to go on"))
    stage.press(.enter)
    #expect(stage.keys(of: "Tag").count == 38)
    stage.type("W38")
    stage.press(.enter)
    #expect(stage.keys(of: "Tag").isEmpty)
    #expect(stage.text.contains("There are no Tag objects"))
  }

  @Test func `showing the statements of a save changes nothing`() throws {
    let stage = try stage(on: "kim")
    stage.type("dWv")
    #expect(stage.text.contains("no statements"))
    stage.press(.escape, .escape)
    #expect(!stage.app.session.context.hasChanges)
    #expect(stage.app.session.marks.count == 1)
    stage.type("u")
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test func `discarding asks for confirmation, and can be undone`() throws {
    let stage = try Stage()
    stage.type("dZ")
    stage.press(.enter)
    #expect(stage.app.session.marks.count == 1)
    stage.type("Zd")
    #expect(stage.app.session.marks.isEmpty)
    stage.type("u")
    #expect(stage.app.session.marks.count == 1)
  }

  @Test func `quitting with changes asks, and Cancel is the default`() throws {
    let stage = try Stage()
    stage.type("dq")
    #expect(stage.text.contains("There are unsaved changes: D1"))
    stage.press(.enter)
    #expect(stage.app.exitStatus == nil)
    stage.type("Qd")
    #expect(stage.app.exitStatus == 0)
  }

  @Test func `quitting can save first`() throws {
    let stage = try stage(on: "kim")
    stage.type("dQs")
    #expect(stage.app.exitStatus == nil)
    stage.type("y")
    #expect(stage.app.exitStatus == 0)
    #expect(stage.person("Kim, José") == nil)
  }

  @Test func `with save after edit a deletion asks and is saved at once`() throws {
    let stage = try stage(on: "kim", options: AppOptions(saveAfterEdit: true))
    stage.type("d")
    #expect(stage.text.contains("Delete Kim, José?"))
    stage.press(.enter)
    #expect(stage.person("Kim, José") != nil)
    stage.type("dy")
    #expect(stage.person("Kim, José") == nil)
  }

  @Test(arguments: ["d", "u", "W"])
  func `a read-only store refuses changes before they start`(_ key: String) throws {
    let stage = try Stage(options: AppOptions(isReadOnly: true))
    stage.type(key)
    #expect(stage.status.contains("opened with --read-only"))
    #expect(stage.title.contains("[RO]"))
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test func `a conflict asks, and mine can be kept`() throws {
    let stage = try stage(on: "kim")
    let kim = try #require(stage.person("Kim, José"))
    stage.app.session.context.object(with: kim)["city"] = "Mine"
    stage.app.session.context.processPendingChanges()
    try stage.changeOutside { $0.object(with: kim)["city"] = "Theirs" }
    #expect(stage.status.contains("changed outside"))
    stage.type("W")
    #expect(stage.text.contains("Changed here and elsewhere"))
    stage.type("k")
    #expect(stage.store.contents[kim]?.values[1] == "Mine")
  }

  @Test func `a conflict asks, and theirs can be taken`() throws {
    let stage = try stage(on: "kim")
    let kim = try #require(stage.person("Kim, José"))
    stage.app.session.context.object(with: kim)["city"] = "Mine"
    stage.app.session.context.processPendingChanges()
    try stage.changeOutside { $0.object(with: kim)["city"] = "Theirs" }
    stage.type("Wt")
    #expect(stage.store.contents[kim]?.values[1] == "Theirs")
    #expect(!stage.app.session.hasUnsavedChanges)
  }
}
