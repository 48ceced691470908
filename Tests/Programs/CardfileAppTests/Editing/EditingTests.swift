import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// Editing the value under the cursor.
@MainActor @Suite struct EditingTests {
  /// The page of Kim with the cursor on a property.
  private func page(_ property: String, options: AppOptions = AppOptions()) throws -> Stage {
    let stage = try Stage(options: options)
    stage.type("/kim")
    stage.press(.enter, .enter)
    stage.move(to: property)
    return stage
  }

  private func value(_ key: String, _ stage: Stage) throws -> Value {
    stage.app.session.context.object(with: try #require(stage.person("Kim, José")))[key]
  }

  @Test func `e changes the value, which is not saved and can be undone and redone`() throws {
    let stage = try page("city")
    let before = stage.store.contents
    stage.type("e")
    #expect(stage.text.contains(" city: Boston"))
    stage.press(.control("u"))
    stage.type("Oslo")
    stage.press(.enter)
    #expect(stage.text.contains("city      * Oslo"))
    #expect(stage.text.contains("was: Boston"))
    #expect(stage.status.contains("change city of Kim, José — u undo"))
    #expect(stage.status.contains("*1"))
    #expect(stage.store.contents == before)
    stage.type("u")
    #expect(try value("city", stage) == "Boston")
    #expect(stage.status.contains("undo: change city of Kim, José"))
    stage.press(.control("r"))
    #expect(try value("city", stage) == "Oslo")
    stage.type("W")
    #expect(stage.status.contains("Saved: 1 changed"))
    #expect(try stage.store.contents[#require(stage.person("Kim, José"))]?.values[1] == "Oslo")
  }

  @Test(arguments: [[Key.escape], [.enter], [.control("c")]])
  func `leaving the prompt changes nothing and leaves no undo step`(_ keys: [Key]) throws {
    let stage = try page("city")
    stage.type("e")
    for key in keys { stage.press(key) }
    #expect(stage.status.contains("city is unchanged"))
    #expect(!stage.app.session.context.hasChanges)
    #expect(!stage.app.session.context.undoHistory.canUndo)
  }

  @Test func `what is wrong is said under the text, and Enter does not set it`() throws {
    let stage = try page("born")
    stage.type("e")
    #expect(stage.text.contains("date, such as 2024-05-01"))
    stage.press(.control("u"))
    stage.type("32 May")
    #expect(stage.text.contains("! a date is needed"))
    stage.press(.enter)
    #expect(!stage.app.overlays.isEmpty)
    stage.press(.control("u"))
    stage.type("1 May 2024")
    #expect(stage.text.contains("Wednesday 2024-05-01 UTC"))
    stage.press(.enter)
    #expect(try value("born", stage).description == "2024-05-01")
  }

  @Test func `C-s sets the value and saves, or saves what there is if it is unchanged`() throws {
    let stage = try page("city")
    stage.type("e")
    stage.press(.control("u"), .control("s"))
    #expect(try value("city", stage) == "")
    #expect(stage.status.contains("Saved"))
    #expect(!stage.app.session.context.hasChanges)
    stage.type("eOslo")
    stage.press(.enter)
    stage.type("e")
    stage.press(.control("s"))
    #expect(stage.status.contains("Saved"))
    #expect(!stage.app.session.context.hasChanges)
  }

  @Test func `C-s saves once under save-after-edit, and what is left if the value is unchanged`()
    throws
  {
    var options = AppOptions()
    options.settings.savesAfterEdit = true
    let stage = try page("city", options: options)
    stage.type("eOslo")
    stage.press(.control("s"))
    #expect(stage.status.contains("Saved: 1 changed"))
    let context = stage.app.session.context
    let kim = context.object(with: try #require(stage.person("Kim, José")))
    try kim.setValue("unsaved", forKey: "notes")
    context.processPendingChanges()
    stage.type("e")
    stage.press(.control("s"))
    #expect(stage.status.contains("Saved: 1 changed"))
    #expect(!context.hasChanges)
  }

  @Test func `C-s saves nothing while the value cannot be set`() throws {
    let stage = try page("born")
    let before = stage.store.contents
    stage.type("e")
    stage.press(.control("u"))
    stage.type("32 May")
    stage.press(.control("s"))
    #expect(stage.text.contains("! a date is needed"))
    #expect(stage.store.contents == before)
  }

  @Test func `C-n makes a value NULL, and typing makes it a value again`() throws {
    let stage = try page("email")
    stage.type("e")
    stage.press(.control("n"))
    #expect(stage.text.contains("email: ∅"))
    stage.press(.enter)
    #expect(try value("email", stage) == .null)
    stage.type("e")
    stage.type("a@b")
    stage.press(.enter)
    #expect(try value("email", stage) == "a@b")
    stage.type("e")
    stage.press(.control("u"), .enter)
    #expect(try value("email", stage) == "")
  }

  @Test func `a required value cannot be NULL`() throws {
    let stage = try Stage("Author", store: Library.store())
    stage.type("e")
    #expect(!stage.text.contains("C-n NULL"))
    stage.press(.control("n"))
    #expect(stage.text.contains("! name is required: it cannot be NULL"))
    stage.press(.control("u"), .enter)
    #expect(try #require(stage.app.session.context.updatedObjects.first)["name"] == "")
  }

  @Test func `in the list e edits the display attribute of the row`() throws {
    let stage = try Stage()
    stage.type("/kim")
    stage.press(.enter)
    stage.type("e")
    #expect(stage.text.contains("─ name of Kim, José ─"))
    stage.type(" Jr.")
    stage.press(.enter)
    #expect(stage.text.contains("▌* Kim, José Jr."))
  }

  @Test func `text with a line break is kept by an edit in the prompt`() throws {
    let stage = try page("notes")
    stage.app.session.context.object(with: try #require(stage.person("Kim, José")))["notes"] =
      "one\ntwo"
    stage.type("e")
    #expect(stage.text.contains("2 lines: C-e opens the editor"))
    stage.type("!")
    stage.press(.enter)
    #expect(try value("notes", stage) == "one\ntwo!")
  }

  @Test func `text pasted into the prompt is one text, not keys`() throws {
    let stage = try page("city")
    stage.type("e")
    stage.press(.control("u"))
    stage.paste("São Paulo\u{1B}[31m" + String(repeating: "x", count: 300))
    stage.press(.enter)
    #expect(
      try value("city", stage)
        == .string("São Paulo\u{1B}[31m" + String(repeating: "x", count: 300)))
    #expect(!stage.text.contains("\u{1B}"))
  }

  @Test func `few values are offered, and Tab completes what is typed`() throws {
    let store = try Contacts.store()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for (place, tag) in try context.fetch(FetchRequest<ManagedObject>(entityName: "Tag"))
      .enumerated()
    {
      tag["name"] = .string(["Jazz", "Metal", "Rock"][place % 3])
    }
    try context.save()
    let stage = try Stage("Tag", store: store)
    stage.type("e")
    #expect(stage.text.contains("Tab  Jazz  Metal  Rock"))
    stage.press(.control("u"))
    stage.type("r")
    stage.press(.tab)
    #expect(stage.text.contains("name: Rock"))
    stage.press(.down, .enter)
    #expect(stage.app.session.context.changeCounts.updated == 0)
    stage.type("e")
    stage.press(.up, .enter)
    #expect(stage.app.session.context.updatedObjects.first?["name"] == "Rock")
  }

  @Test(arguments: ["e"])
  func `a read-only store is refused before the prompt`(_ key: String) throws {
    let stage = try page("city", options: AppOptions(isReadOnly: true))
    stage.type(key)
    #expect(stage.app.overlays.isEmpty)
    #expect(stage.status.contains("Nothing can be changed: opened with --read-only"))
  }

  @Test func `an object that is marked for deletion is refused`() throws {
    let stage = try page("city")
    stage.type("de")
    #expect(stage.app.overlays.isEmpty)
    #expect(stage.status.contains("marked for deletion — x takes the mark off"))
  }

  @Test func `with save after edit the edit is saved at once`() throws {
    let stage = try page("city", options: AppOptions(saveAfterEdit: true))
    stage.type("e!")
    stage.press(.enter)
    #expect(!stage.app.session.hasUnsavedChanges)
    #expect(try stage.store.contents[#require(stage.person("Kim, José"))]?.values[1] == "Boston!")
  }

  // MARK: The editor

  private func edit(_ stage: Stage, status: Int32 = 0, _ change: @escaping (String) -> String) {
    stage.app.session.environment = ["EDITOR": "my editor --wait"]
    stage.terminal.onRun = { command in
      guard let path = command.last, let text = try? String(contentsOfFile: path, encoding: .utf8)
      else { return 1 }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes?[.posixPermissions] as? Int == 0o600)
      #expect(command[2] == "my editor --wait \"$@\"")
      try? Data(change(text).utf8).write(to: URL(fileURLWithPath: path))
      return status
    }
  }

  @Test func `C-e opens the text in the editor and sets what comes back`() throws {
    let stage = try page("notes")
    edit(stage) { $0 + "one\ntwo\n" }
    stage.type("e")
    stage.press(.control("e"))
    #expect(try value("notes", stage) == "one\ntwo")
    #expect(stage.app.overlays.isEmpty)
  }

  @Test func `an editor that fails or changes nothing leaves the value alone`() throws {
    let stage = try page("city")
    edit(stage, status: 3) { _ in "wrong" }
    stage.type("e")
    stage.press(.control("e"))
    #expect(stage.text.contains("! my editor --wait failed with status 3: nothing was changed"))
    edit(stage) { $0 + "\n" }
    stage.press(.control("e"))
    #expect(stage.text.contains("unchanged in the editor"))
    stage.press(.enter)
    #expect(!stage.app.session.context.hasChanges)
  }

  @Test func `bytes open in the editor as hex digits`() throws {
    let stage = try page("photo")
    edit(stage) { _ in "ff 00\n10" }
    stage.type("e")
    stage.press(.control("e"))
    #expect(try value("photo", stage) == .data(Data([255, 0, 16])))
  }

  @Test func `save-after-edit is seen, and a save says what it has written`() throws {
    var options = AppOptions()
    options.settings.savesAfterEdit = true
    let stage = try page("city", options: options)
    #expect(stage.title.contains("[autosave]"))
    stage.type("eOslo")
    stage.press(.enter)
    #expect(stage.status.contains("Saved: 1 changed (Kim, José: city) — u undoes it"))
  }
}
