import TerminalKit

/// The line in which a command is typed; an error in it stays with the line until it is changed.
final class CommandBar: Overlay, BottomBar {
  private var prompt: Prompt
  private var candidates: [String] = []
  private let complete: (String) -> CommandCompletion?
  private let run: (CommandBar) -> Void
  /// What is wrong with the line; nil for nothing yet.
  var error: TypedTextError?

  /// Makes a bar.
  ///
  /// - Parameters:
  ///   - history: Former lines, oldest first.
  ///   - complete: Finds the completions of the text before the cursor.
  ///   - run: Runs the line after the bar was closed.
  init(
    history: [String], complete: @escaping (String) -> CommandCompletion?,
    run: @escaping (CommandBar) -> Void
  ) {
    prompt = Prompt(label: ":", history: history)
    self.complete = complete
    self.run = run
  }

  /// The typed text.
  var text: String { prompt.text }
  var bottomBar: (any BottomBar)? { self }

  func handle(_ key: Key) -> OverlayReply {
    candidates = []
    switch prompt.handle(key) {
    case .changed: error = nil
    case .complete: completeLine()
    case .submitted:
      return text.allSatisfy(\.isWhitespace) ? .close : .perform { [self] in run(self) }
    case .cancelled: return .close
    // Backspace in an empty line leaves it, as in vim.
    case .moved: if key == .backspace, text.isEmpty { return .close }
    case .ignored: break
    }
    return .stay
  }

  func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply { .stay }

  func paste(_ text: String) {
    prompt.paste(text)
    error = nil
  }

  private func completeLine() {
    if let error, let mended = error.suggestions.first {
      let range = error.range.clamped(to: 0..<text.count)
      guard !range.isEmpty else { return }
      prompt.replace(range, with: mended)
      self.error = nil
      return
    }
    guard let found = complete(prompt.textBeforeCursor) else { return }
    candidates = found.candidates
    guard let completion = found.completion else { return }
    prompt.replaceBeforeCursor(found.typedCount, with: completion)
    error = nil
  }

  // MARK: Drawing

  var height: Int { 3 }

  func draw(in canvas: inout Canvas) -> Point? {
    let y = max(canvas.height - 2, 0)
    if canvas.height >= 3 {
      canvas.promptRule("Command", keys: "Tab complete · ↑ history · Esc leave", y: y - 1)
    }
    let point = prompt.draw(in: &canvas, y: y)
    guard canvas.height >= 2 else { return point }
    if let error {
      error.draw(under: prompt, y: y + 1, in: &canvas)
    } else {
      let note =
        prompt.pasteNote ?? (candidates.isEmpty ? usage : candidates.joined(separator: "  "))
      canvas.put(
        canvas.signs.cut(canvas.signs.own(note), to: canvas.width - 4), x: 3, y: y + 1,
        style: canvas.theme.dim)
    }
    return point
  }

  /// What the command of the line does; empty while its name is not complete.
  private var usage: String {
    let line = CommandText(text)
    guard let command = CommandTable.all.first(where: { $0.names.contains(line.name) }) else {
      guard !line.name.isEmpty else {
        return "a command, a row or a percentage; Tab and :help list them"
      }
      return CommandTable.all.map { $0.names[0] }.filter { $0.hasPrefix(line.name) }
        .joined(separator: "  ")
    }
    return "\(command.usage)   \(command.help)"
  }
}
