import TerminalKit
import Testing

@MainActor
@Suite struct DialogTests {
  private func dialog(_ confirmation: String? = nil, lines: Int = 2) -> Dialog {
    Dialog(
      "Save changes?", lines: (0..<lines).map { .init("line \($0)") },
      buttons: [
        .init("y", "save", requiresConfirmation: true), .init("v", "view SQL"),
        .init("n", "cancel"),
      ],
      confirmation: confirmation)
  }

  private func answer(_ dialog: Dialog, _ keys: Key...) -> Int? {
    var dialog = dialog
    for key in keys {
      if let answer = dialog.handle(key) { return answer }
    }
    return nil
  }

  @Test func `Enter and Esc cancel unless another button has the focus`() {
    #expect(answer(dialog(), .enter) == 2)
    #expect(answer(dialog(), .escape) == 2)
    #expect(answer(dialog(), .character("y")) == 0)
    #expect(answer(dialog(), .tab, .enter) == 0)
    #expect(answer(dialog(), .left, .enter) == 1)
    #expect(answer(dialog(), .character("z"), .down) == nil)
  }

  @Test func `a guarded button requires the confirmation to be typed`() {
    #expect(answer(dialog("120"), .character("y")) == nil)
    #expect(answer(dialog("120"), .tab, .enter) == 1)
    #expect(answer(dialog("120"), .left, .enter) == 1)
    #expect(answer(dialog("120"), .character("1"), .character("2"), .enter) == 2)
    let typed: [Key] = [.character("1"), .character("2"), .character("0")]
    #expect(answer(dialog("120"), typed[0], typed[1], typed[2], .enter) == 0)
    #expect(answer(dialog("120"), typed[0], typed[1], typed[2], .character("y")) == 0)
    #expect(answer(dialog("120"), typed[0], typed[1], typed[2], .backspace, .character("y")) == nil)
    #expect(answer(dialog("120"), typed[0], typed[1], typed[2], .escape) == 2)
  }

  @Test func `a dialog that is too tall scrolls and always shows its buttons`() {
    var dialog = self.dialog(lines: 50)
    for height in 1...12 {
      var canvas = Canvas(size: Size(width: 60, height: height))
      dialog.draw(in: &canvas)
      if height >= 3 { #expect(canvas.text.contains("cancel"), "\(height)") }
    }
    for _ in 0..<60 { _ = dialog.handle(.down) }
    var canvas = Canvas(size: Size(width: 60, height: 12))
    dialog.draw(in: &canvas)
    #expect(canvas.text.contains("line 49"))
    #expect(canvas.text.contains("▲"))
    // It is not scrolled beyond its end.
    _ = dialog.handle(.up)
    dialog.draw(in: &canvas)
    #expect(canvas.text.contains("line 48") && !canvas.text.contains("line 49"))
  }

  @Test(arguments: [
    (60, 8, ["y save    v view SQL    ▶ n cancel ◀ (Enter, Esc)"]),
    (38, 8, ["y save  v view SQL  ▶ n cancel ◀"]),
    (24, 8, ["y save v view SQL", "▶ n cancel ◀"]), (20, 5, ["y v ▶ n cancel ◀"]),
    (12, 5, ["y v ▶ n ◀"]),
  ])
  func `buttons show their labels, on two lines or of the focus alone if there is little room`(
    width: Int, height: Int, buttons: [String]
  ) {
    var canvas = Canvas(size: Size(width: width, height: height))
    var dialog = self.dialog()
    dialog.draw(in: &canvas)
    for row in buttons { #expect(canvas.text.contains(row), "\(canvas.text)") }
  }

  @Test(arguments: [
    Size(width: 80, height: 24), Size(width: 40, height: 12), Size(width: 20, height: 5),
  ])
  func `no word of a long line or title is lost, at any size`(size: Size) {
    let sentence =
      "1,984 Track kept: 2,240 InvoiceLine need them (deny) and so the whole save is refused at the end"
    var dialog = Dialog(
      "3 of the 4 selected objects are not shown", lines: [.init(sentence), .init("last")],
      buttons: [.init("y", "save"), .init("n", "cancel")])
    var seen: Set<Substring> = []
    for _ in 0..<20 {
      var canvas = Canvas(size: size)
      dialog.draw(in: &canvas)
      let lines = canvas.text.split(separator: "\n")
      seen.formUnion(lines.flatMap { $0.split { " │▲▼".contains($0) } })
      let isAtEnd = lines.contains { $0.contains("last") }
      #expect(isAtEnd != canvas.text.contains("▼"), "\(canvas.text)")
      _ = dialog.handle(.down)
    }
    for word in "\(sentence) \(dialog.title) last".split(separator: " ") {
      #expect(seen.contains(word), "\(word)")
    }
  }

  @Test func `pasted text can be the confirmation, and never presses a button`() {
    var dialog = self.dialog("120")
    dialog.paste("y\n")
    #expect(dialog.note == "pasted text is no answer" && !dialog.isConfirmed)
    dialog.paste(" 120\n")
    #expect(dialog.isConfirmed && dialog.focus == 0)
  }

  /// All states that keys lead to.
  private func states(of dialog: Dialog, _ keys: [Key]) -> Set<Dialog> {
    var found: Set<Dialog> = [dialog]
    var new = [dialog]
    while let state = new.popLast() {
      for key in keys {
        var next = state
        guard next.handle(key) == nil, next.typed.count < 5 else { continue }
        if found.insert(next).inserted { new.append(next) }
      }
    }
    return found
  }

  @Test(arguments: [nil, "12", "all"])
  func `Enter presses the button on which the focus is drawn, in every state`(
    confirmation: String?
  ) throws {
    let keys: [Key] = [
      .tab, .backTab, .backspace, .character("1"), .character("2"), .character("a"),
      .character("l"), .character("z"), .character("y"),
    ]
    let states = states(of: dialog(confirmation), keys)
    #expect(states.count > 3)
    for state in states {
      var (drawn, pressed) = (state, state)
      var canvas = Canvas(size: Size(width: 70, height: 20))
      drawn.draw(in: &canvas)
      let focus = try #require(canvas.text.split(separator: "▶").last?.first { $0 != " " })
      let pressedButton = pressed.handle(.enter)
      let answer = try #require(pressedButton, "\(canvas.text)")
      #expect(state.buttons[answer].key == focus, "\(canvas.text)")
      #expect(state.isConfirmed || answer > 0)
    }
  }

  @Test func `everything can be drawn at any size`() {
    for width in [0, 1, 2, 3, 5, 8, 13, 21, 40] {
      for height in 0...9 {
        for look in TestTerminal.allCases.map(\.look) {
          var canvas = Canvas(size: Size(width: width, height: height), look: look)
          var dialog = self.dialog("12")
          dialog.draw(in: &canvas)
          let menu = Menu("Sort by", items: [.init("name", detail: "text"), .init("born")]) { _ in }
          menu.draw(in: &canvas)
          let help = HelpOverlay("Person list", map: testKeys)
          help.draw(in: &canvas)
          StatusLine("message", counters: "D3 *1").draw(in: &canvas, y: height - 1)
          BusyLine("Sorting", completed: 3, total: 9).draw(in: &canvas, y: 0, at: -5)
          HintLine(testKeys.hints(look.signs)).draw(in: &canvas, y: 0)
          #expect(canvas.size == Size(width: width, height: height))
        }
      }
    }
  }
}

@MainActor
@Suite final class MenuTests {
  private var chosen: Int?

  private func menu() -> Menu {
    Menu(
      "Sort by", items: ["surname", "name", "born", "Éa"].map { .init($0) }, selected: 1,
      fold: { $0.lowercased().replacing("é", with: "e") },
      choose: { [unowned self] in chosen = $0 })
  }

  /// What a key chooses; nil if the menu stays open, -1 if it closes.
  private func choice(_ key: Key, _ menu: Menu) -> Int? {
    chosen = nil
    switch menu.handle(key) {
    case .stay, .present: break
    case .close: chosen = -1
    case .perform(let action): action()
    }
    return chosen
  }

  @Test func `arrows move and Enter chooses`() {
    let menu = menu()
    #expect(choice(.down, menu) == nil)
    #expect(choice(.enter, menu) == 2)
    _ = menu.handle(.end)
    _ = menu.handle(.down)
    #expect(choice(.enter, menu) == 3)
    #expect(choice(.escape, menu) == -1)
  }

  @Test
  func `letters filter with prefix matches first, and Esc clears the filter before it cancels`() {
    let menu = menu()
    for character in "na" { _ = menu.handle(.character(character)) }
    #expect(menu.shown == [1, 0])
    #expect(choice(.enter, menu) == 1)
    #expect(choice(.escape, menu) == nil)
    #expect(menu.shown.count == 4)
    _ = menu.handle(.character("e"))
    #expect(menu.shown.first == 3)
    _ = menu.handle(.character("x"))
    #expect(choice(.enter, menu) == nil)
  }
}

@Suite struct LineTests {
  private func drawn(_ width: Int, _ draw: (inout Canvas) -> Void) -> String {
    var canvas = Canvas(size: Size(width: width, height: 1))
    draw(&canvas)
    return canvas.text
  }

  @Test func `a long message is truncated before the counters`() {
    let line = StatusLine("Jensen, Viktor marked — u undo", counters: "D3 *1 +1   39%")
    #expect(
      drawn(60) { line.draw(in: &$0, y: 0) }
        == " Jensen, Viktor marked — u undo              D3 *1 +1   39%")
    #expect(drawn(30) { line.draw(in: &$0, y: 0) } == " Jensen, Vik…  D3 *1 +1   39%")
  }

  @Test func `an error hides the counters if there is no room for both`() {
    let line = StatusLine("no “surnme” in Person", severity: .error, counters: "D3 *1 +1   39%")
    #expect(drawn(30) { line.draw(in: &$0, y: 0) } == " no “surnme” in Person")
  }

  @Test func `the progress line shows percentage and counts`() {
    let line = BusyLine(
      "Sorting by born", completed: 412_000, total: 1_000_000, note: "showing old order")
    #expect(
      drawn(80) { line.draw(in: &$0, y: 0, at: 200) }
        == " ⠹ Sorting by born … 41 %  412,000/1,000,000   Esc cancel     showing old order")
    #expect(drawn(20) { line.draw(in: &$0, y: 0, at: 200) }.hasPrefix(" ⠹ Sorting by born"))
  }
}

@MainActor
@Suite struct RecordingTerminalTests {
  @Test func `scripted events are delivered and shown canvases are recorded`() {
    let terminal = RecordingTerminal(
      size: Size(width: 10, height: 2), script: [.resize(Size(width: 5, height: 1))])
    terminal.type("j")
    #expect(terminal.nextEvent(timeoutMilliseconds: 0) == .resize(Size(width: 5, height: 1)))
    #expect(terminal.size == Size(width: 5, height: 1))
    terminal.waker.wake()
    terminal.waker.wake()
    #expect(terminal.nextEvent(timeoutMilliseconds: nil) == .wake)
    #expect(terminal.nextEvent(timeoutMilliseconds: nil) == .key(.character("j")))
    #expect(terminal.nextEvent(timeoutMilliseconds: 5) == nil)
    #expect(terminal.nextEvent(timeoutMilliseconds: nil) == .endOfInput)
    var canvas = Canvas(size: terminal.size)
    canvas.put("hello", x: 0, y: 0)
    terminal.show(canvas, cursor: Point(x: 1, y: 0))
    #expect(terminal.screen?.text == "hello")
    #expect(terminal.cursor == Point(x: 1, y: 0))
  }

  @Test func `a waker signals once until it is acknowledged, from any thread`() async {
    let counter = Counter()
    let waker = Waker { counter.increment() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { waker.wake() } }
    }
    #expect(counter.value == 1)
    #expect(waker.acknowledge())
    #expect(!waker.acknowledge())
    waker.wake()
    #expect(counter.value == 2)
  }

  @Test func `counters that do not fit lose the percentage first`() {
    var canvas = Canvas(size: Size(width: 20, height: 1))
    StatusLine(counters: "2005-05  1/3,000  0%").draw(in: &canvas, y: 0)
    #expect(canvas.lines == ["   2005-05  1/3,000"])
  }
}
