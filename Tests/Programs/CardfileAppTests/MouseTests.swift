import Foundation
import ManagedObjects
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// What clicks and the wheel do on screens, menus, dialogs and texts.
@MainActor @Suite struct MouseTests {
  /// The cell in which the last text of its kind begins, below the title.
  private func place(of text: String, on stage: Stage) throws -> Point {
    for (y, line) in stage.lines.enumerated().dropFirst().reversed() {
      guard let range = line.range(of: text) else { continue }
      return Point(x: displayWidth(of: String(line[..<range.lowerBound])), y: y)
    }
    Issue.record("“\(text)” is not on the screen:\n\(stage.text)")
    throw CancellationError()
  }

  private func click(_ text: String, on stage: Stage, _ kind: MouseEvent.Kind = .press) throws {
    let point = try place(of: text, on: stage)
    stage.click(x: point.x, y: point.y, kind)
    stage.click(x: point.x, y: point.y, .release)
  }

  @Test func `a click on a column's title sorts by it, a second one reverses the order`() throws {
    let stage = try Stage()
    try click("city", on: stage)
    #expect(stage.title.contains("by city ↑"))
    try click("city ↑", on: stage)
    #expect(stage.title.contains("by city ↓"))
  }

  @Test func `a click on a hint runs it`() throws {
    let stage = try Stage()
    try click("s sort", on: stage)
    #expect(stage.text.contains("Sort by"))
    stage.press(.escape)
    try click("filter", on: stage)
    #expect(stage.text.contains("─ Filter"))
  }

  @Test func `a click on a line of a menu chooses it, one beside the menu closes it`() throws {
    let stage = try Stage()
    stage.type("s")
    try click("email  ", on: stage)
    #expect(stage.title.contains("by email ↑"), "\(stage.text)")
    stage.type("s")
    stage.click(x: 0, y: 0)
    #expect(!stage.text.contains("Sort by"))
    stage.type("s")
    stage.click(x: 30, y: 10, .wheelDown)
    stage.press(.enter)
    #expect(!stage.title.contains("by email"), "the wheel moved to the next line")
  }

  @Test func `a click on a button of a dialog presses it`() throws {
    let stage = try Stage()
    stage.type("dQ")
    try click("n cancel", on: stage)
    #expect(stage.app.overlays.isEmpty)
    #expect(stage.app.exitStatus == nil)
    stage.type("Q")
    stage.click(x: 0, y: 0)
    #expect(!stage.app.overlays.isEmpty, "a click beside a question answers nothing")
    try click("d discard", on: stage)
    #expect(stage.app.exitStatus == 0)
  }

  @Test func `a button that needs a number typed cannot be clicked before`() throws {
    let stage = try Stage()
    stage.type("*dW")
    try click("s save the rest", on: stage)
    #expect(stage.keys(of: "Person").count == 20)
    #expect(!stage.app.overlays.isEmpty)
  }

  @Test func `the help selects a clicked line and runs it at the second click`() throws {
    let stage = try Stage()
    stage.type("?")
    try click("sort…", on: stage)
    #expect(stage.text.contains("Keys —"))
    try click("sort…", on: stage, .doublePress)
    #expect(stage.text.contains("Sort by"))
  }

  @Test func `the wheel scrolls a text`() throws {
    let stage = try Stage()
    stage.app.present(TextOverlay("Text", lines: (1...99).map { "line \($0)." }))
    stage.click(x: 9, y: 9, .wheelDown)
    #expect(!stage.text.contains("line 3."))
    #expect(stage.text.contains("line 4."))
  }

  @Test func `a double click opens an object and a release does not remove the message`() throws {
    let stage = try Stage()
    stage.type("d")
    let message = stage.status
    stage.click(x: 9, y: 9, .release)
    #expect(stage.status == message)
    stage.click(x: 9, y: 9, .doublePress)
    #expect(stage.text.contains("Identity"))
  }

  @Test func `without the mouse nothing is clicked`() throws {
    let stage = try Stage(options: AppOptions(mouse: false))
    let before = stage.text
    try click("s sort", on: stage)
    try click("city", on: stage)
    #expect(stage.text == before)
  }
}
