/// A single-line text field with Emacs editing keys and a history.
///
/// Positions are counted in graphemes. Pasted text keeps its control characters: do not print
/// `text` without escaping it; drawing shows them as visible signs.
package struct Prompt: Hashable, Sendable {
  /// What pasting does with line breaks.
  package enum LineBreaks: Hashable, Sendable {
    /// The text may have them; they are drawn as signs.
    case kept
    /// The text is one line: they become blanks, those at its ends are left out, and
    /// ``Prompt/pasteNote`` says so.
    case replaced
  }

  /// The result of a key press.
  package enum Outcome: Hashable, Sendable {
    /// The text changed.
    case changed
    /// The text is the same; the cursor may have moved.
    case moved
    /// Tab: complete the word before the cursor with ``replaceBeforeCursor(_:with:)``.
    case complete
    /// Enter: accept the text.
    case submitted
    /// Esc, Ctrl-G or Ctrl-C: discard the text.
    case cancelled
    /// The prompt does not handle the key.
    case ignored
  }

  /// The label before the text, such as `/` or `:`; empty for none.
  package var label: String
  /// Texts entered earlier, oldest first.
  package var history: [String]
  /// What pasting does with line breaks.
  package let lineBreaks: LineBreaks
  /// What the last paste changed in the pasted text, as "2 line breaks became blanks"; nil if nothing,
  /// and once a key was pressed.
  package private(set) var pasteNote: String?
  private(set) var characters: [Character]
  /// The position of the cursor, counted in graphemes from the start of the text.
  package private(set) var cursor: Int
  /// The history entry that is shown; nil while the person's own text is.
  private var historyIndex: Int?
  /// The text typed before the history was opened, to return to.
  private var draft = ""

  /// Creates a prompt with the cursor at the end of its text.
  package init(
    label: String = "", text: String = "", history: [String] = [],
    lineBreaks: LineBreaks = .replaced
  ) {
    self.label = label
    self.history = history
    self.lineBreaks = lineBreaks
    characters = Array(text)
    cursor = characters.count
  }

  /// The text; setting it moves the cursor to its end.
  package var text: String {
    get { String(characters) }
    set {
      characters = Array(newValue)
      cursor = characters.count
    }
  }

  /// The text before the cursor.
  package var textBeforeCursor: String { String(characters[..<cursor]) }

  /// Handles a key press.
  package mutating func handle(_ key: Key) -> Outcome {
    pasteNote = nil
    switch key {
    case .character(let character): return insert(String(character))
    case .enter, .control("j"), .control("m"): return .submitted
    case .escape, .control("g"), .control("c"): return .cancelled
    case .tab: return .complete
    case .left, .control("b"): return move(to: cursor - 1)
    case .right, .control("f"): return move(to: cursor + 1)
    case .home, .control("a"): return move(to: 0)
    case .end, .control("e"): return move(to: characters.count)
    case .meta("b"): return move(to: wordStart)
    case .meta("f"): return move(to: wordEnd)
    case .backspace, .control("h"): return delete(cursor - 1..<cursor)
    case .delete, .control("d"): return delete(cursor..<cursor + 1)
    case .control("w"), .meta("\u{7F}"): return delete(wordStart..<cursor)
    case .control("u"): return delete(0..<cursor)
    case .control("k"): return delete(cursor..<characters.count)
    case .up, .control("p"): return moveInHistory(by: -1)
    case .down, .control("n"): return moveInHistory(by: 1)
    default: return .ignored
    }
  }

  /// Inserts text at the cursor.
  @discardableResult
  package mutating func insert(_ text: String) -> Outcome {
    guard !text.isEmpty else { return .moved }
    return setText(String(characters[..<cursor]) + text, String(characters[cursor...]))
  }

  /// Inserts pasted text at the cursor; ``lineBreaks`` says what becomes of those in it.
  @discardableResult
  package mutating func paste(_ text: String) -> Outcome {
    pasteNote = nil
    guard lineBreaks == .replaced, text.contains(where: \.isNewline) else { return insert(text) }
    let count = text.count(where: \.isNewline)
    let lines = text.split(whereSeparator: \.isNewline)
    let breaks = counted(count, "line break")
    let became = count == 1 ? "became a blank" : "became blanks"
    pasteNote = "\(breaks) \(lines.count > 1 ? became : "left out")"
    return insert(lines.joined(separator: " "))
  }

  /// Replaces a number of graphemes before the cursor, as a completion does.
  package mutating func replaceBeforeCursor(_ count: Int, with text: String) {
    characters.removeSubrange(max(cursor - max(count, 0), 0)..<cursor)
    cursor = max(cursor - max(count, 0), 0)
    insert(text)
  }

  /// Replaces graphemes; the cursor stays after the text that it stands after, or after the new
  /// text.
  ///
  /// - Parameters:
  ///   - range: The graphemes, counted from the start of the text.
  ///   - replacement: The new text.
  package mutating func replace(_ range: Range<Int>, with replacement: String) {
    let range = range.clamped(to: 0..<characters.count)
    let distance = cursor >= range.upperBound ? cursor - range.upperBound : 0
    let isBefore = cursor <= range.lowerBound
    let old = cursor
    cursor = range.upperBound
    replaceBeforeCursor(range.count, with: replacement)
    cursor = min(isBefore ? old : cursor + distance, characters.count)
  }

  /// Appends the text to the history, unless it is empty or equal to the latest entry.
  package mutating func remember() {
    if !characters.isEmpty, history.last != text { history.append(text) }
    historyIndex = nil
  }

  private mutating func move(to position: Int) -> Outcome {
    cursor = min(max(position, 0), characters.count)
    return .moved
  }

  private mutating func delete(_ range: Range<Int>) -> Outcome {
    let range = range.clamped(to: 0..<characters.count)
    guard !range.isEmpty else { return .moved }
    return setText(
      String(characters[..<range.lowerBound]), String(characters[range.upperBound...]))
  }

  /// Replaces the text by two parts with the cursor between them, which may combine into other
  /// graphemes.
  private mutating func setText(_ before: String, _ after: String) -> Outcome {
    characters = Array(before + after)
    cursor = min(before.count, characters.count)
    historyIndex = nil
    return .changed
  }

  private var wordStart: Int {
    var position = cursor
    while position > 0, !characters[position - 1].isWordPart { position -= 1 }
    while position > 0, characters[position - 1].isWordPart { position -= 1 }
    return position
  }

  private var wordEnd: Int {
    var position = cursor
    while position < characters.count, !characters[position].isWordPart { position += 1 }
    while position < characters.count, characters[position].isWordPart { position += 1 }
    return position
  }

  private mutating func moveInHistory(by step: Int) -> Outcome {
    let index = (historyIndex ?? history.count) + step
    guard index >= 0, index <= history.count, !history.isEmpty else { return .moved }
    if historyIndex == nil {
      guard step < 0 else { return .moved }
      draft = text
    }
    text = index == history.count ? draft : history[index]
    historyIndex = index == history.count ? nil : index
    return .changed
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
