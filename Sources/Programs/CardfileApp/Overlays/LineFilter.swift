import TerminalKit

/// The filter of a list of lines: a prompt that is typed in, and stays when Enter kept it.
struct LineFilter: Hashable {
  /// What a key did.
  enum Reply {
    /// The text changed, so that other lines are shown.
    case changed
    /// The key was used; the same lines are shown.
    case handled
    /// The key is not one of the prompt.
    case ignored
  }

  /// The prompt; nil for no filter.
  private(set) var prompt: Prompt?
  private(set) var isTyping = false

  /// The text that lines must contain; empty for all lines.
  var text: String { prompt?.text ?? "" }
  /// The text that was kept; nil for none, and while it is typed.
  var kept: String? { isTyping ? nil : prompt?.text }

  /// Begins to type, in the present text.
  mutating func begin() {
    prompt = prompt ?? Prompt(label: "/")
    isTyping = true
  }

  /// Shows all lines.
  mutating func clear() {
    prompt = nil
    isTyping = false
  }

  /// Handles a key while the filter is typed.
  mutating func handle(_ key: Key) -> Reply {
    guard isTyping else { return .ignored }
    switch prompt?.handle(key) {
    case .submitted:
      isTyping = false
      if text.isEmpty { prompt = nil }
    case .cancelled: clear()
    case .ignored: return .ignored
    case .changed: return .changed
    default: return .handled
    }
    return .handled
  }

  /// Inserts pasted text while the filter is typed.
  ///
  /// - Returns: Whether it was inserted.
  mutating func paste(_ text: String) -> Bool {
    guard isTyping else { return false }
    prompt?.paste(text)
    return true
  }

  /// Draws the prompt.
  ///
  /// - Returns: The position of the hardware cursor; nil while the filter is not typed.
  func draw(in canvas: inout Canvas, y: Int) -> Point? {
    let point = prompt?.draw(in: &canvas, y: y)
    if let note = prompt?.pasteNote {
      let shown = " " + canvas.signs.cut(note, to: canvas.width / 2)
      canvas.put(shown, x: canvas.width - displayWidth(of: shown), y: y, style: canvas.theme.dim)
    }
    return isTyping ? point : nil
  }
}
