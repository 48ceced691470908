import ListProviders
import TerminalApplications
import TerminalKit

/// A text that is typed on an object's page.
struct DetailTyping {
  /// What the text is for.
  enum Purpose {
    /// The cursor goes to the next row with the text.
    case finding
    /// Only rows with the text are shown.
    case narrowing
  }

  let purpose: Purpose
  let bar: PromptBar
  /// What Esc returns to.
  let cursor: Int
  let narrowing: TextPattern?
  let found: TextPattern?
}

extension DetailScreen {
  /// Opens the line in which a text is typed.
  func startTyping(_ purpose: DetailTyping.Purpose) {
    let bar =
      switch purpose {
      case .finding:
        PromptBar(
          "Find", label: "f", history: app?.findHistory ?? [],
          keys: ["⏎ keep · Esc back · ↑ history"])
      case .narrowing:
        PromptBar(
          "Only properties with", label: "/", text: options.narrowing?.text ?? "",
          history: app?.findHistory ?? [], keys: ["⏎ keep · Esc back · ↑ history"])
      }
    typing = DetailTyping(
      purpose: purpose, bar: bar, cursor: page.cursor, narrowing: options.narrowing, found: found)
  }

  /// Handles a key while a text is typed.
  func handleTyping(_ key: Key) -> Bool {
    guard let typing else { return false }
    switch typing.bar.take(key) {
    case .changed: typedTextChanged()
    case .submitted:
      self.typing = nil
      app?.rememberFound(typing.bar.text)
      guard typing.purpose == .finding else { break }
      if typing.bar.text.isEmpty {
        found = nil
      } else if !isFound(at: page.cursor) {
        fail("No property contains \(typing.bar.text)")
      }
    case .cancelled:
      self.typing = nil
      found = typing.found
      narrow(to: typing.narrowing)
      page.setCursor(typing.cursor)
    case .complete, .moved, .ignored: break
    }
    return true
  }

  /// Follows the typed text: the cursor goes to the first match from where it was, or the rows
  /// without it are left out.
  func typedTextChanged() {
    guard let typing else { return }
    let pattern = TextPattern(typing.bar.text)
    switch typing.purpose {
    case .narrowing: narrow(to: pattern)
    case .finding:
      found = pattern
      page.setCursor(typing.cursor)
      if !isFound(at: page.cursor) { moveToMatch(by: 1) }
    }
  }

  /// Goes to the next match at a distance, around the ends of the page.
  func findAgain(_ count: Int) {
    guard
      let pattern = found ?? options.narrowing ?? app?.findHistory.last.flatMap(TextPattern.init)
    else { return fail("Nothing was looked for yet" + session.advice((.find, "finds"))) }
    found = pattern
    if !moveToMatch(by: count) { fail("No property contains \(pattern.text)") }
  }

  /// Moves to a match at a distance; returns whether there is any.
  @discardableResult
  private func moveToMatch(by count: Int) -> Bool {
    guard let rows = contents?.rows else { return false }
    let matches = rows.indices.filter(isFound)
    guard !matches.isEmpty else { return false }
    let step =
      count > 0
      ? (matches.firstIndex { $0 > page.cursor } ?? matches.count) + count - 1
      : (matches.lastIndex { $0 < page.cursor } ?? -1) + count + 1
    let index = (step % matches.count + matches.count) % matches.count
    page.setCursor(matches[index])
    return true
  }

  private func isFound(at row: Int) -> Bool {
    guard let rows = contents?.rows, rows.indices.contains(row) else { return false }
    return found?.matches(rows[row].text) ?? false
  }
}
