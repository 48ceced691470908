import Foundation
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

/// A value by itself: a long text, a tree, bytes.
final class ViewerScreen: Screen, BrowserScreen {
  let session: Session
  /// What is typed at the bottom.
  private enum Typing {
    case finding(PromptBar)
    case writing(PromptBar)

    var bar: PromptBar {
      switch self {
      case .finding(let bar), .writing(let bar): bar
      }
    }
  }

  private let steps: [String]
  private(set) var forms: [ViewerForm]
  private(set) var current = 0
  private var pattern: TextPattern?
  private var typing: Typing? { didSet { bottomBar = typing?.bar } }

  /// Makes a viewer of a value; the last step of the path names it.
  init(_ content: ValueContent, path: [String], session: Session) {
    self.session = session
    steps = path
    forms = ViewerForm.forms(of: content, services: session.services, signs: session.look.signs)
    super.init(title: "value")
  }

  // MARK: Screen

  var keys: KeyTable { .viewer }
  override var keyCommands: [KeyCommand] { tableCommands }
  override var path: [String] { steps }
  override var status: String { forms[current].summary }
  override var counters: String { forms[current].view.position }

  override var facts: [String] {
    let names = forms.indices.map { $0 == current ? "[\(forms[$0].name)]" : forms[$0].name }
    return [names.joined(separator: "  ")]
  }

  func perform(_ action: Action, count: Int?) {
    switch action {
    case .open: carryOut(forms[current].view.open())
    case .close: carryOut(forms[current].view.close())
    case .nextForm: showForm(current + (count ?? 1))
    case .previousForm: showForm(current - (count ?? 1))
    case .find:
      typing = .finding(
        PromptBar(
          "Find", label: "/", history: app?.findHistory ?? [],
          keys: ["⏎ find · Esc back · ↑ history"])
      )
    case .findNext: findAgain(isForward: true, count: count ?? 1)
    case .findPrevious: findAgain(isForward: false, count: count ?? 1)
    case .writeFile: startWriting()
    case .copy: copy()
    default:
      guard let motion = action.motion(count: count) else {
        app?.performShared(action)
        return
      }
      forms[current].view.move(motion)
    }
  }

  private func carryOut(_ outcome: ValueViewOutcome) {
    switch outcome {
    case .done: break
    case .nothing:
      show(
        "There is nothing more to open" + session.advice((.nextForm, "shows it in another form")))
    case .view(let name, let content):
      app?.push(ViewerScreen(content, path: steps + [name], session: session))
    case .back: app?.back()
    }
  }

  private func showForm(_ index: Int) {
    guard forms.count > 1 else { return show("This value has no other form") }
    current = ((index % forms.count) + forms.count) % forms.count
  }

  // MARK: Typing

  override func intercept(_ key: Key) -> Bool {
    guard let typing else {
      guard key == .escape, pattern != nil else { return false }
      pattern = nil
      return true
    }
    let bar = typing.bar
    switch bar.take(key) {
    case .cancelled: self.typing = nil
    case .submitted: submit(typing)
    case .changed, .complete, .moved, .ignored: break
    }
    return true
  }

  override func paste(_ text: String) -> Bool {
    typing?.bar.insert(text)
    return typing != nil
  }

  private func submit(_ typing: Typing) {
    switch typing {
    case .finding(let bar):
      self.typing = nil
      pattern = TextPattern(bar.text)
      app?.rememberFound(bar.text)
      find(isForward: true, includesCurrent: true)
    case .writing(let bar):
      guard let message = FileOutput.write(forms[current].content, to: bar) else { return }
      self.typing = nil
      app?.message = message
    }
  }

  private func findAgain(isForward: Bool, count: Int) {
    if pattern == nil { pattern = app?.findHistory.last.flatMap(TextPattern.init) }
    guard pattern != nil else {
      return fail("Nothing was looked for yet" + session.advice((.find, "finds")))
    }
    for _ in 0..<min(count, 1000) { find(isForward: isForward, includesCurrent: false) }
  }

  private func find(isForward: Bool, includesCurrent: Bool) {
    guard let pattern else { return }
    let isFound = forms[current].view.find(
      pattern, isForward: isForward, includesCurrent: includesCurrent)
    if !isFound { fail("\(pattern.text) is not in it") }
  }

  private func startWriting() {
    let name = steps.last ?? "value"
    let safe = name.map { $0.isLetter || $0.isNumber ? $0 : "-" }
    typing = .writing(
      PromptBar(
        "Write to a file", label: "w",
        text: "\(String(safe.prefix(60))).\(forms[current].fileExtension)",
        keys: ["⏎ write · Esc cancel"]))
  }

  // MARK: Drawing

  override func handle(_ event: MouseEvent) {
    switch event.kind {
    case .wheelDown: forms[current].view.move(.down(3))
    case .wheelUp: forms[current].view.move(.up(3))
    default: break
    }
  }

  override func draw(in canvas: inout Canvas) -> Point? {
    let point = forms[current].view.draw(in: &canvas, highlighting: pattern)
    // The title is above the body.
    return Point(x: point.x, y: point.y + 1)
  }
}

extension ViewerScreen {
  /// Shows what `y` offers: the value, the part under the cursor.
  func copy() {
    let form = forms[current]
    var choices: [CopyOverlay.Choice] = [
      .init(key: "y", label: "all") { ("the value", Self.text(form.content)) }
    ]
    if let part = form.view.current {
      choices.append(.init(key: "c", label: "this part") { ("this part", Self.text(part)) })
    }
    app?.present(CopyOverlay(choices, session: session))
  }

  /// A text as it is, bytes in base64.
  private static func text(_ content: ValueContent) -> String {
    switch content {
    case .text(let text): text
    case .bytes(let data): data.base64EncodedString()
    }
  }
}
