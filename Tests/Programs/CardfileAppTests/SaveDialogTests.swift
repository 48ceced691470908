import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// What the dialogs before a save offer, and what they promise.
@MainActor @Suite struct SaveDialogTests {
  @Test func `a deletes also the objects that deny the deletion`() throws {
    let stage = try Stage()
    stage.type("/viktor")
    stage.press(.enter)
    stage.type("dW")
    #expect(stage.text.contains("! Jensen, Viktor has 4 Invoice (deny): refused"))
    #expect(!stage.text.contains("save the rest"))
    stage.type("a")
    #expect(stage.text.contains("4 Invoice deleted"))
    #expect(stage.text.contains("1 Person deleted    Jensen, Viktor"))
    #expect(stage.text.contains("Type 5 to go on"))
    stage.type("5")
    stage.press(.enter)
    #expect(stage.person("Jensen, Viktor") == nil && stage.keys(of: "Invoice").isEmpty)
    stage.press(.escape, .escape)
    stage.type("uW")
    #expect(stage.person("Jensen, Viktor") != nil && stage.keys(of: "Invoice").count == 4)
  }

  @Test func `the objects that a has marked are unmarked as one step`() throws {
    let stage = try Stage()
    stage.type("/viktor")
    stage.press(.enter)
    stage.type("dWa")
    stage.press(.escape)
    #expect(stage.app.session.marks.count == 5)
    stage.type("u")
    #expect(stage.app.session.marks.count == 1)
  }

  @Test func `a key that does nothing in a dialog says so`() throws {
    let stage = try Stage("Tag")
    stage.type("dZy")
    #expect(stage.text.contains("y does nothing here"))
    stage.press(.escape)
    stage.type("*dWy")
    #expect(stage.text.contains("type 38 first"))
    stage.type("3")
    #expect(!stage.text.contains("type 38 first"))
  }

  @Test func `a save at the end does not promise an undo`() throws {
    let stage = try Stage()
    stage.type("dQs")
    #expect(!stage.text.contains("until you quit"))
    #expect(stage.text.contains("Undo after saving: no, the program ends then"))
    stage.press(.escape)
    stage.type("W")
    #expect(stage.text.contains("until you quit"))
  }

  @Test func `with save after edit undo and redo save at once`() throws {
    let stage = try Stage(options: AppOptions(saveAfterEdit: true))
    stage.type("/kim")
    stage.press(.enter)
    stage.type("dy")
    #expect(stage.person("Kim, José") == nil)
    stage.press(.escape)
    stage.type("u")
    #expect(stage.person("Kim, José") != nil && !stage.app.session.hasUnsavedChanges)
    #expect(stage.status.contains("undo: delete Kim, José, and saved"))
    stage.press(.control("r"))
    #expect(stage.person("Kim, José") == nil && !stage.app.session.hasUnsavedChanges)
  }

  @Test func `an undo right after a save shows the object once`() throws {
    let stage = try Stage()
    stage.type("/kim")
    stage.press(.enter)
    stage.type("dWyu")
    let rows = stage.lines.dropLast(2).filter { $0.contains("Kim, José") }
    #expect(rows.count == 1, "\(stage.text)")
  }

  @Test func `a save that gives up on a lock leaves the list where it was`() throws {
    let stage = try Stage(height: 12)
    stage.type("9jd  d")
    let position = (stage.app.screen as? ListScreen)?.tableView.position
    let before = Array(stage.lines[1..<10])
    stage.gate.isLocked = true
    stage.type("Wy")
    stage.press(.escape)
    #expect((stage.app.screen as? ListScreen)?.tableView.position == position)
    #expect(Array(stage.lines[1..<10]) == before, "\(stage.text)")
    stage.gate.isLocked = false
  }

  @Test func `the commits of another program are counted together until a key is pressed`() throws {
    let stage = try Stage("Tag")
    for number in 1...5 {
      try stage.changeOutside {
        for place in 0..<20 {
          try $0.insert(entityName: "Tag")["name"] = .string("n\(number) \(place)")
        }
      }
    }
    stage.wait(for: "100 new outside")
    stage.type("j")
    try stage.changeOutside { try $0.insert(entityName: "Tag")["name"] = "last" }
    stage.wait(for: " 1 new outside")
  }

  @Test func `a name of a megabyte leaves messages and dialogs readable`() throws {
    let stage = try Stage()
    let id = try #require(stage.person("Kim, José"))
    let person = stage.app.session.context.object(with: id)
    person["name"] = .string(String(repeating: "A long name ", count: 90_000))
    let bill = try stage.app.session.context.insert(entityName: "Invoice")
    try bill.setObject(person, forKey: "customer")
    try stage.app.session.context.save()
    stage.type("/long")
    stage.press(.enter)
    stage.type("dW")
    let dialog = stage.text.replacing(/[│\s]+/, with: " ")
    #expect(dialog.contains("A l… has 1 Invoice"), "\(stage.text)")
    stage.press(.escape, .enter)
    #expect(stage.status.contains("is marked for deletion"), "\(stage.text)")
    #expect(person.displayName.count == 100)
  }
}
