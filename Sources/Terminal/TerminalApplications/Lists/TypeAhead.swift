package import TerminalKit

/// The letters typed to go to a section or a row.
///
/// Every letter refines what is looked for; after a pause a letter begins anew. Until the mode ends
/// no letter is a command; it ends by itself some seconds after the last key.
package struct TypeAhead: Hashable {
  /// The effect of a key.
  package enum Outcome: Hashable {
    /// Look for the letters.
    case search
    /// Look for the letters, or without the last one if nothing begins with them.
    case typed
    /// Return to the position before the last jump; the mode ends.
    case back
    /// The mode ends.
    case end
    /// The mode ends, and the key does what it does in the list.
    case passOn
  }

  /// Milliseconds after which a letter begins anew.
  private static let pause = 700
  /// Milliseconds after which the mode ends.
  private static let timeOut = 3_000

  package private(set) var letters = ""
  /// When the last key was pressed, in milliseconds.
  private var lastPressed: Int

  /// Begins the mode; the time is in milliseconds.
  package init(now: Int = 0) { lastPressed = now }

  /// Milliseconds until the mode ends by itself; 0 once that is due.
  func delay(now: Int) -> Int { max(lastPressed + Self.timeOut - now, 0) }

  /// Handles a key; the time is in milliseconds.
  package mutating func handle(_ key: Key, now: Int) -> Outcome {
    if delay(now: now) == 0 { return .passOn }
    defer { lastPressed = now }
    switch key {
    case .escape, .control("g"), .control("c"): return .end
    case .backspace:
      guard !letters.isEmpty else { return .end }
      letters.removeLast()
      return letters.isEmpty ? .end : .search
    case .character("'") where letters.isEmpty: return .back
    case .character(let letter):
      if now - lastPressed > Self.pause { letters = "" }
      letters.append(letter)
      return .typed
    default: return .passOn
    }
  }

  /// Takes back the last letter because nothing begins with it.
  mutating func rejectLast() { letters = String(letters.dropLast()) }

  /// Begins anew, as after a pause.
  mutating func restart() { letters = "" }

  /// The text of the status line; the hints below it name the other keys.
  package func prompt(sectionCount: Int) -> String {
    "' \(letters)_" + (sectionCount > 1 ? "   \(counted(sectionCount, "section"))" : "")
  }

  /// What the keys do.
  static func hints(_ signs: Signs) -> [Hint] {
    [
      Hint("a-z", "go there"),
      Hint(Key.backspace.label(signs), "one letter less", press: .backspace),
      Hint("''", "back", press: "'"), Hint(Key.escape.label(signs), "leave", press: .escape),
    ]
  }
}
