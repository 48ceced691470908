import ListProviders
public import TerminalKit

/// A text of any length, with the keys of less: scroll, find, go from match to match.
open class TextScreen: Screen {
  private let text: String
  /// Nil until it is drawn first.
  private var pager: TextPager?
  private var pattern: TextPattern?

  /// Creates a screen of a text.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - text: The text.
  ///   - pattern: What `n` and `N` find at first; nil for nothing.
  public init(title: String, text: String, finding pattern: String? = nil) {
    self.text = text
    self.pattern = pattern.flatMap { TextPattern($0) }
    super.init(title: title)
  }

  /// Draws the lines from the top one on, with the matches highlighted.
  open override func draw(in canvas: inout Canvas) -> Point? {
    if pager == nil {
      pager = TextPager(text, signs: canvas.signs)
      _ = pager?.draw(in: &canvas, highlighting: nil)
      if let pattern { _ = pager?.find(pattern, isForward: true, includesCurrent: true) }
    }
    return pager?.draw(in: &canvas, highlighting: pattern)
  }

  /// The line at the top.
  open override var counters: String { pager?.position ?? "" }

  /// Scrolling and finding.
  open override var keyCommands: [KeyCommand] {
    [
      motion(["j", .down, .enter], "j k ↓ ↑", "down, up") { .down($0 ?? 1) },
      motion(["k", .up]) { .up($0 ?? 1) },
      motion(["g", .home], "g G Home End", "first, last line") { $0.map { .row($0) } ?? .first },
      motion(["G", .end]) { $0.map { .row($0) } ?? .last },
      motion([.control("d")], "C-d C-u", "half a page") { .halfPageDown($0 ?? 1) },
      motion([.control("u")]) { .halfPageUp($0 ?? 1) },
      motion([.pageDown, " ", .control("f")], "PgDn PgUp Space", "page") { .pageDown($0 ?? 1) },
      motion([.pageUp, .control("b")]) { .pageUp($0 ?? 1) },
      motion(["%"], "42G  50%", "line, percent") { .percent($0 ?? 50) },
      KeyCommand(
        "/", "f", section: .find, label: "/ f n N", help: "find, next, previous",
        hint: "find"
      ) { [weak self] in self?.askForText() },
      KeyCommand("n", section: .find, help: "") { [weak self] in self?.find(isForward: true) },
      KeyCommand("N", section: .find, help: "") { [weak self] in self?.find(isForward: false) },
      KeyCommand("h", .left, .backspace, .escape, section: .follow, help: "back") { [weak self] in
        self?.pop()
      },
    ] + super.keyCommands
  }

  /// Scrolls with the wheel.
  open override func handle(_ event: MouseEvent) {
    switch event.kind {
    case .wheelUp: pager?.move(.up(3))
    case .wheelDown: pager?.move(.down(3))
    default: break
    }
  }

  private func motion(
    _ keys: [Key], _ label: String? = nil, _ help: String = "",
    _ motion: @escaping @MainActor (Int?) -> TableMotion
  ) -> KeyCommand {
    .motion(keys, label, help, motion) { [weak self] in self?.pager?.move($0) }
  }

  private func askForText() {
    prompt("Find", label: "/", text: pattern?.text ?? "") { [weak self] text in
      self?.pattern = TextPattern(text)
      self?.find(isForward: true, includesCurrent: true)
    }
  }

  private func find(isForward: Bool, includesCurrent: Bool = false) {
    guard let pattern else { return show("Nothing to find yet — / finds a text") }
    let isFound = pager?.find(pattern, isForward: isForward, includesCurrent: includesCurrent)
    if isFound != true { show("“\(pattern.text)” was not found") }
  }
}
