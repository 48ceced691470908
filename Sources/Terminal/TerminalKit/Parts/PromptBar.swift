/// The line of text typed at the bottom of a screen, with its history, completion and a note below.
///
/// As an overlay it handles the keys by its closures; a screen that shows it as its own bar passes
/// them to ``take(_:)``.
@MainActor
package final class PromptBar: Overlay, BottomBar {
  /// What is wrong with the text.
  package struct Problem: Hashable {
    package let text: String
    /// The wrong part, in characters, which is marked by carets; nil for the text as a whole.
    var range: Range<Int>?
    /// What Tab replaces the wrong part by; nil for nothing.
    var correction: String?

    package init(_ text: String, at range: Range<Int>? = nil, correction: String? = nil) {
      (self.text, self.range, self.correction) = (text, range, correction)
    }

    /// What is wrong at a range, with what Tab or the person can do about it.
    ///
    /// - Parameters:
    ///   - message: What is wrong.
    ///   - range: The wrong part, in characters.
    ///   - suggestions: What could stand there instead, best first.
    ///   - expected: What was expected; empty if the message says it.
    package init(
      _ message: String, at range: Range<Int>, suggestions: [String], expected: String
    ) {
      let advice =
        suggestions.first.map { "; Tab: \($0)" } ?? (expected.isEmpty ? "" : ": \(expected)")
      self.init(message + advice, at: range, correction: suggestions.first)
    }
  }

  /// What Tab does to the text.
  package struct Completion: Hashable, Sendable {
    /// The number of characters before the cursor that ``text`` replaces.
    package let typedCount: Int
    /// The completed word, or the common beginning of the candidates; nil if nothing can be added.
    package let text: String?
    /// The words that can stand there; empty if there is only one.
    package let candidates: [String]
    /// The candidates as they are written, where they are to be quoted.
    package let written: [String]

    package init(
      replacing typedCount: Int, by text: String?, candidates: [String], written: [String]? = nil
    ) {
      (self.typedCount, self.text, self.candidates) = (typedCount, text, candidates)
      self.written = written ?? candidates
    }

    /// Whether it goes on with a word that was begun.
    fileprivate var canAdd: Bool { typedCount > 0 && (text != nil || !candidates.isEmpty) }
  }

  /// The title of the rule above the line.
  package var title: String
  /// What keys do, at the right of the rule; where there is little room the first ones are left out.
  private let keys: [String]
  package var prompt: Prompt
  /// What is wrong with the text, until it is changed.
  package var problem: Problem?
  /// What is said under the line while nothing is wrong.
  package var hint = ""
  /// What stands in place of the text; nil for the text.
  package var placeholder: String?
  /// The texts to choose from, on a line of their own; empty for no such line.
  package var choices: [String] = []
  /// What Tab could complete to, until the next key.
  private var candidates: [String] = []
  /// The candidates as they are written.
  private var written: [String] = []
  /// The candidate that Tab has put before the cursor; nil if it has put none.
  private var candidate: Int?
  /// What stands before the cursor for the candidates to replace: a number of characters.
  private var candidateLength = 0

  /// Finds what Tab completes; nil for nothing.
  package var complete: (PromptBar) -> Completion? = { _ in nil }
  /// Called after each change of the text.
  package var changed: (PromptBar) -> Void = { _ in }
  /// Called when Enter ends it.
  package var submitted: (PromptBar) -> OverlayReply = { _ in .close }
  /// Called when Esc ends it.
  package var cancelled: () -> Void = {}
  /// Whether Backspace in an empty line ends it, as in vim.
  package var endsWithBackspace = false

  package init(
    _ title: String, label: String, text: String = "", history: [String] = [],
    lineBreaks: Prompt.LineBreaks = .replaced, keys: [String]
  ) {
    self.title = title
    self.keys = keys
    prompt = Prompt(label: label, text: text, history: history, lineBreaks: lineBreaks)
  }

  /// The typed text.
  package var text: String { prompt.text }

  // MARK: Keys

  /// Handles a key press; Tab completes, and then goes through the candidates, S-Tab back.
  package func take(_ key: Key) -> Prompt.Outcome {
    if key == .tab || key == .backTab, candidates.count > 1 {
      goThrough(by: key == .tab ? 1 : -1)
      problem = nil
      return .changed
    }
    (candidates, candidate) = ([], nil)
    var outcome = prompt.handle(key)
    if outcome == .complete { outcome = completeText() ? .changed : .moved }
    if outcome == .changed { problem = nil }
    return outcome
  }

  /// Puts the next candidate before the cursor.
  private func goThrough(by step: Int) {
    let count = candidates.count
    let next = candidate.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    prompt.replaceBeforeCursor(candidateLength, with: written[next])
    (candidate, candidateLength) = (next, written[next].count)
  }

  /// Inserts pasted text.
  package func insert(_ text: String) {
    prompt.paste(text)
    problem = nil
  }

  /// Corrects what is wrong, or completes the word before the cursor.
  ///
  /// - Returns: Whether the text changed.
  private func completeText() -> Bool {
    let found = complete(self)
    // A wrong name may only be an unfinished one.
    let isUnfinished = found?.canAdd == true && problem?.range?.upperBound == prompt.cursor
    if let range = problem?.range?.clamped(to: 0..<text.count),
      let correction = problem?.correction,
      !isUnfinished
    {
      guard !range.isEmpty else { return false }
      prompt.replace(range, with: correction)
      return true
    }
    guard let found else { return false }
    (candidates, written) = (found.candidates, found.written)
    candidateLength = found.text?.count ?? found.typedCount
    guard let text = found.text else { return false }
    prompt.replaceBeforeCursor(found.typedCount, with: text)
    return true
  }

  // MARK: Overlay

  package var bottomBar: (any BottomBar)? { self }

  package func handle(_ key: Key) -> OverlayReply {
    switch take(key) {
    case .changed: changed(self)
    case .submitted: return submitted(self)
    case .cancelled: return .perform(cancelled)
    case .moved: if endsWithBackspace, key == .backspace, text.isEmpty { return .close }
    case .complete, .ignored: break
    }
    return .stay
  }

  package func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply { .stay }

  package func paste(_ text: String) {
    insert(text)
    changed(self)
  }
}

// MARK: - Drawing

extension PromptBar {
  package var height: Int { choices.isEmpty ? 3 : 4 }

  package func additionalHeight(in canvas: Canvas) -> Int { longNote(in: canvas).count }

  /// The lines of what is wrong, under its carets, if there is no room for it beside them; none if
  /// there is.
  private func longNote(in canvas: Canvas) -> [String] {
    guard candidates.isEmpty, let problem else { return [] }
    let note = canvas.signs.own(problem.text)
    let columns = displayWidth(of: canvas.signs.visible(note))
    var room = canvas.width - 2
    if let range = problem.range {
      let (start, end) = caretColumns(under: range, in: canvas)
      room = max(start - 2, canvas.width - end - 2)
    }
    guard columns > room else { return [] }
    return TextWrap.lines(note, columns: canvas.width - 2, limit: 20, signs: canvas.signs)
  }

  /// The rule is left out first where there is no room, then the choices, then the note.
  package func draw(in canvas: inout Canvas) -> Point? {
    let long = longNote(in: canvas)
    let y = max(canvas.height - 2 - long.count, 0)
    let point = prompt.draw(in: &canvas, y: y)
    if let placeholder {
      let x = prompt.column(of: 0, in: canvas) ?? 0
      canvas.put(canvas.signs.own(placeholder), x: x, y: y, style: canvas.theme.dim)
    }
    if !choices.isEmpty, y >= 1 { drawChoices(y: y - 1, in: &canvas) }
    drawRule(y: y - (choices.isEmpty ? 1 : 2), in: &canvas)
    if !long.isEmpty {
      drawLong(long, y: y + 1, in: &canvas)
    } else if canvas.height >= 2 {
      drawNote(y: y + 1, in: &canvas)
    }
    return point
  }

  /// Draws the rule: its title at the left, its keys at the right if there is room.
  private func drawRule(y: Int, in canvas: inout Canvas) {
    guard y >= 0 else { return }
    let signs = canvas.signs
    canvas.rule(x: 0, y: y, columns: canvas.width - 1, style: canvas.theme.headerRule)
    // The title matters more than the keys.
    let needed = min(displayWidth(of: signs.visible(title)), canvas.width - 24) + 10
    let hints = keys.indices.lazy.map { start in
      let text = self.keys[start...].joined(separator: " · ")
      // In ASCII an arrow is a sign of sorting, not a key.
      return " \(signs.own(signs.isUnicode ? text : text.replacing("↑", with: "Up"))) "
    }
    let hint = hints.first { displayWidth(of: $0) + needed <= canvas.width } ?? ""
    let columns = displayWidth(of: hint)
    let room = canvas.width - 5 - (columns > 0 ? columns + 3 : 0)
    canvas.put(" \(signs.cut(title, to: room)) ", x: 1, y: y, style: canvas.theme.headerTitle)
    canvas.put(hint, x: canvas.width - 4 - columns, y: y, style: canvas.theme.hint)
  }

  /// Draws the choices in a line, scrolled so that the current one is visible.
  private func drawChoices(y: Int, in canvas: inout Canvas) {
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1))
    let current = placeholder == nil ? choices.firstIndex(of: text) : nil
    let x = 1 + canvas.put("Tab", x: 1, y: y, style: canvas.theme.hintKey) + 2
    draw(choices, current: current, x: x, y: y, in: &canvas)
  }

  /// Draws words in a line, scrolled so that the current one is visible.
  private func draw(_ words: [String], current: Int?, x: Int, y: Int, in canvas: inout Canvas) {
    let longest = max(24, canvas.width / 3)
    let widths = words.map { min(displayWidth(of: canvas.signs.visible($0)), longest) + 2 }
    var first = 0
    if let current {
      while first < current, widths[first...current].reduce(x + 2, +) > canvas.width { first += 1 }
    }
    var x = x
    for index in words.indices.dropFirst(first) {
      guard x + widths[index] < canvas.width else {
        canvas.put(canvas.signs.ellipsis, x: canvas.width - 2, y: y, style: canvas.theme.dim)
        break
      }
      let style = index == current ? canvas.theme.focus : canvas.theme.dim
      let text = canvas.signs.cut(words[index], to: widths[index] - 2)
      x += canvas.put(text, x: x, y: y, style: style) + 2
    }
  }

  /// Draws what Tab could complete to, what is wrong, or the hint.
  private func drawNote(y: Int, in canvas: inout Canvas) {
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1))
    if candidates.isEmpty, let problem, let range = problem.range {
      return draw(problem, under: range, y: y, in: &canvas)
    }
    guard candidates.isEmpty else {
      let columns = candidates.reduce(-2) { $0 + displayWidth(of: canvas.signs.visible($1)) + 2 }
      let start = min(prompt.column(of: 0, in: canvas) ?? 1, canvas.width - 1 - columns)
      return draw(candidates, current: candidate, x: max(start, 1), y: y, in: &canvas)
    }
    let isWrong = problem != nil
    let note = problem?.text ?? prompt.pasteNote ?? hint
    let shown = canvas.signs.own(note)
    let columns = displayWidth(of: canvas.signs.visible(shown))
    let start = prompt.column(of: 0, in: canvas) ?? 1
    let x = max(min(start, canvas.width - 1 - columns), 1)
    canvas.put(
      canvas.signs.cut(shown, to: canvas.width - 1 - x), x: x, y: y,
      style: isWrong ? canvas.theme.error : canvas.theme.dim)
  }

  /// Draws what is wrong in lines of its own, under the carets if there is room for these too.
  private func drawLong(_ lines: [String], y: Int, in canvas: inout Canvas) {
    let room = canvas.height - y
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: room))
    var y = y
    if room > lines.count, let range = problem?.range {
      let (start, end) = caretColumns(under: range, in: canvas)
      drawCarets(start..<end, y: y, in: &canvas)
      y += 1
    }
    for line in lines {
      canvas.put(line, x: 1, y: y, style: canvas.theme.error)
      y += 1
    }
  }

  /// The columns of the carets under a part of the text.
  private func caretColumns(under whole: Range<Int>, in canvas: Canvas) -> (start: Int, end: Int) {
    let range = whole.clamped(to: 0..<text.count)
    let start = prompt.column(of: min(whole.lowerBound, text.count), in: canvas) ?? 3
    let after = prompt.column(of: range.upperBound, in: canvas) ?? canvas.width
    return (start, start + max(min(after, canvas.width - 2) - start, 1))
  }

  private func drawCarets(_ columns: Range<Int>, y: Int, in canvas: inout Canvas) {
    canvas.put(
      String(repeating: "^", count: columns.count), x: columns.lowerBound, y: y,
      style: canvas.theme.error)
  }

  /// Draws carets under the wrong part of the text, and beside them what is wrong.
  private func draw(_ problem: Problem, under range: Range<Int>, y: Int, in canvas: inout Canvas) {
    let (start, end) = caretColumns(under: range, in: canvas)
    let note = canvas.signs.own(problem.text)
    let columns = displayWidth(of: canvas.signs.visible(note))
    let style = canvas.theme.error
    drawCarets(start..<end, y: y, in: &canvas)
    // Where there is more room before the carets than after them, it stands there.
    let x = end + 1 + columns < canvas.width ? end + 1 : start - columns - 1
    canvas.put(note, x: x, y: y, style: style)
  }
}
