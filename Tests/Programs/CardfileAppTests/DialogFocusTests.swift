import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// In all dialogs and menus of the program Enter does what is drawn.
@MainActor @Suite struct DialogFocusTests {
  /// A dialog, and the keys that open it.
  struct Opening: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var options = AppOptions()
    let open: @MainActor @Sendable (Stage) throws -> Void
  }

  nonisolated static let dialogs = [
    Opening(testDescription: "save") { $0.type("dW") },
    Opening(testDescription: "save, number typed") { $0.type("*dW") },
    Opening(testDescription: "save the rest") { $0.typeKeys("/e⏎*dW") },
    Opening(testDescription: "refused") { $0.typeKeys("/viktor⏎dW") },
    Opening(testDescription: "quit") { $0.type("dQ") },
    Opening(testDescription: "discard") { $0.type("dZ") },
    Opening(testDescription: "open another store") { $0.typeKeys("d:open x.sqlite⏎") },
    Opening(testDescription: "hidden selection") { $0.typeKeys("  /kim⏎ d") },
    Opening(
      testDescription: "delete at once", options: AppOptions(saveAfterEdit: true)
    ) { $0.typeKeys("/kim⏎d") },
    Opening(
      testDescription: "delete all at once", options: AppOptions(saveAfterEdit: true)
    ) { $0.type("*d") },
    Opening(testDescription: "changed outside") { stage in
      let kim = try #require(stage.person("Kim, José"))
      stage.app.session.context.object(with: kim)["city"] = "Berlin"
      try stage.changeOutside { $0.object(with: kim)["city"] = "Paris" }
      stage.type("W")
    },
  ]

  @Test(arguments: dialogs, [Size(width: 80, height: 24), Size(width: 40, height: 12)])
  func `Enter in a dialog does what the focus is drawn on`(opening: Opening, size: Size) throws {
    let stage = try Stage(width: size.width, height: size.height, options: opening.options)
    try opening.open(stage)
    let question = try #require(stage.app.overlays.last as? QuestionOverlay, "\(stage.text)")
    for state in states(of: question.dialog) {
      var (drawn, pressed) = (state, state)
      var canvas = Canvas(size: size)
      drawn.draw(in: &canvas)
      let focus = try #require(canvas.text.split(separator: "▶").last?.first { $0 != " " })
      let answer = pressed.handle(.enter).map { state.buttons[$0].key }
      #expect(answer == focus, "\(canvas.text)")
    }
    // A dialog begins with what changes nothing.
    let before = (stage.store.contents, stage.app.session.flagCounters)
    stage.press(.enter)
    #expect(stage.app.overlays.isEmpty && stage.app.exitStatus == nil)
    #expect(stage.store.contents == before.0 && stage.app.session.flagCounters == before.1)
  }

  /// The states that keys lead to, with the confirmation typed and not.
  private func states(of dialog: Dialog) -> Set<Dialog> {
    let digits = Set(dialog.confirmation ?? "").map { Key.character($0) }
    let keys: [Key] = [.tab, .backTab, .backspace, .character("%")] + digits
    var found: Set<Dialog> = [dialog]
    var new = [dialog]
    while let state = new.popLast() {
      for key in keys {
        var next = state
        guard next.handle(key) == nil, next.typed.count < 4 else { continue }
        if found.insert(next).inserted { new.append(next) }
      }
    }
    return found
  }

  @Test func `when the number is typed the focus is drawn on y, and Enter saves`() throws {
    let stage = try Stage("Tag")
    stage.type("*dW38")
    #expect(stage.text.contains("▶ y save ◀ (Enter)"), "\(stage.text)")
    stage.press(.backspace)
    #expect(stage.text.contains("▶ n cancel ◀ (Enter, Esc)"))
    stage.press(.enter)
    #expect(stage.keys(of: "Tag").count == 38 && stage.app.session.marks.count == 38)
    stage.type("W38")
    stage.press(.tab, .tab, .enter)
    #expect(stage.keys(of: "Tag").count == 38)
    stage.type("W38")
    stage.press(.enter)
    #expect(stage.keys(of: "Tag").isEmpty)
  }

  @Test func `a dialog is not answered by what is pasted into it`() throws {
    let stage = try Stage("Tag")
    stage.type("dW")
    stage.paste("yes, save\ny")
    #expect(stage.text.contains("pasted text is no answer"))
    #expect(stage.keys(of: "Tag").count == 38 && stage.app.overlays.count == 1)
    stage.press(.escape)
    stage.paste("dWy")
    #expect(stage.status.contains("Nothing here takes pasted text"))
    #expect(stage.keys(of: "Tag").count == 38 && stage.app.session.marks.count == 1)
    stage.type("y")
    stage.paste("j")
    #expect(stage.copies.isEmpty)
    stage.press(.escape)
    stage.type("?")
    stage.paste("q")
    #expect(stage.app.overlays.count == 1)
  }

  @Test(arguments: ["s", "b", "?"]) func `Enter in a menu does what the cursor is drawn on`(
    key: String
  ) throws {
    for steps in 0..<12 {
      let stage = try Stage()
      stage.type(key)
      for _ in 0..<steps { stage.press(.down) }
      let overlay = try #require(stage.app.overlays.last)
      var canvas = Canvas(size: Size(width: 80, height: 24))
      let point = try #require(overlay.draw(in: &canvas))
      let line = canvas.lines[point.y]
      if let menu = overlay as? Menu {
        let item = try #require(menu.selectedItem)
        #expect(line.contains("▌ \(menu.items[item].text)"), "\(canvas.text)")
      } else {
        guard case .item(let index)? = canvas.target(at: point) else {
          Issue.record("No key under the cursor: \(line)")
          continue
        }
        let help = KeyTable.list.help.sections.flatMap(\.commands)[index]
        #expect(line.contains(help.help), "\(line)")
        #expect((overlay as? HelpOverlay)?.selectedCommand?.keys == help.keys)
      }
      guard case .perform = overlay.handle(.enter) else {
        Issue.record("Enter does nothing: \(line)")
        continue
      }
    }
  }
}

extension Stage {
  /// Types a text in which ⏎ is the Enter key.
  func typeKeys(_ text: String) {
    for character in text { press(character == "⏎" ? .enter : .character(character)) }
  }
}
