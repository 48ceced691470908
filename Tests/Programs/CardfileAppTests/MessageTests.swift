import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

@MainActor @Suite struct MessageTests {
  private static let long =
    "SQLite error 5 while saving 3 notes: database is locked — close the other program that is "
    + "writing, or raise the busy timeout to 5000 ms"

  @Test(arguments: [(20, 5), (40, 10), (60, 7), (80, 24)])
  func `a message is never cut at its advice, and the list does not move`(
    _ width: Int, _ height: Int
  ) throws {
    let stage = try Stage(width: width, height: height)
    let before = stage.lines
    stage.app.message = .failed(
      width == 20 ? "Locked — close the other program" : Self.long)
    let after = stage.lines
    let text = after.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains(width == 20 ? "program" : "5000 ms"), "\(stage.text)")
    #expect(after.prefix(2) == before.prefix(2))
    stage.app.message = nil
    #expect(stage.lines == before)
  }

  @Test func `what does not fit in half a screen says where all of it is`() throws {
    let stage = try Stage(width: 30, height: 8)
    stage.app.message = .failed(Self.long)
    #expect(stage.text.contains("… :messages"))
    stage.app.perform(.messages)
    #expect(stage.text.contains("SQLite error 5"))
  }

  @Test func `all messages of a run are kept, the latest first`() throws {
    let stage = try Stage()
    stage.app.message = .done("one")
    stage.app.message = .done("two")
    stage.app.message = .done("two")
    stage.app.perform(.messages)
    let lines = stage.lines
    let two = try #require(lines.firstIndex { $0.contains("· two") })
    #expect(lines[two + 1].contains("· one"))
  }

  @Test func `messages name the keys that are bound now, and none where there is none`() throws {
    var options = AppOptions()
    for (action, keys) in [("undo", "U"), ("save", "F2"), ("unmark", "M-x"), ("help", "none")] {
      try options.settings.set("keys.\(action)", to: keys, from: .session)
    }
    let stage = try Stage(options: options)
    stage.type("d")
    #expect(stage.status.contains("marked — U undo"))
    stage.type("ke")
    #expect(stage.status.contains("marked for deletion — M-x takes the mark off"))
    stage.press(.function(9))
    #expect(stage.status.contains("does nothing here"))
    #expect(!stage.text.contains("shows the keys"))
    stage.press(.meta("x"))
    stage.type("eNew")
    stage.press(.enter)
    #expect(stage.status.contains("— U undo, F2 save"))
    stage.type("U")
    stage.type("dU")
    #expect(stage.status.contains("undo: mark"))
  }

  @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (1_024, "1,024 bytes")])
  func `a number agrees with its noun`(_ count: Int, _ text: String) {
    #expect(counted(count, "byte") == text)
  }

  @Test func `a file that was deleted is not said to be replaced`() throws {
    let stage = try Stage { $0.path = "/nowhere/contacts.sqlite" }
    stage.app.session.report(
      StoreError(.replaced, doing: "reading", subject: "contacts.sqlite", detail: "it was deleted"))
    #expect(stage.title.contains("file deleted"))
    #expect(stage.status.contains("The file cannot be read on: it was deleted — R opens it again"))
  }
}
