/// A line that a person types into, with history.
///
/// The text is edited by graphemes. It is not yet safe to send anywhere: pasted text keeps its
/// control characters, which are drawn as signs.
public struct Prompt: Hashable, Sendable {
  /// What a key did.
  public enum Outcome: Hashable, Sendable {
    /// The text is another.
    case changed
    /// The cursor moved, or nothing could be done.
    case moved
    /// Tab: complete what is before the cursor; see ``replaceBeforeCursor(_:with:)``.
    case complete
    /// Enter: the text is final.
    case submitted
    /// Esc: forget it.
    case cancelled
    /// The key is none of the prompt's.
    case ignored
  }

  /// Stands in front of the text: `/`, `:`.
  public var label: String
  /// Texts entered before, the oldest first.
  public var history: [String]
  private(set) var characters: [Character]
  /// The place of the cursor, counted in graphemes from the start of the text.
  public private(set) var cursor: Int
  private var historyPlace: Int?
  /// What was typed before the history was leafed through.
  private var draft = ""

  /// Creates a prompt with the cursor at the end of its text.
  public init(label: String = "", text: String = "", history: [String] = []) {
    self.label = label
    self.history = history
    characters = Array(text)
    cursor = characters.count
  }

  /// The text; setting it moves the cursor to its end.
  public var text: String {
    get { String(characters) }
    set {
      characters = Array(newValue)
      cursor = characters.count
    }
  }

  /// The text before the cursor.
  public var textBeforeCursor: String { String(characters[..<cursor]) }

  /// Handles a key.
  public mutating func handle(_ key: Key) -> Outcome {
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
    case .up, .control("p"): return leaf(by: -1)
    case .down, .control("n"): return leaf(by: 1)
    default: return .ignored
    }
  }

  /// Inserts text at the cursor, as pasting does; line ends become spaces.
  @discardableResult
  public mutating func insert(_ text: String) -> Outcome {
    guard !text.isEmpty else { return .moved }
    let oneLine = text.split(omittingEmptySubsequences: false) { $0.isNewline }
      .joined(separator: " ")
    // Graphemes may join with their neighbours, so the text is split anew.
    let before = String(characters[..<cursor]) + oneLine
    let after = String(characters[cursor...])
    characters = Array(before + after)
    cursor = min(before.count, characters.count)
    historyPlace = nil
    return .changed
  }

  /// Replaces graphemes before the cursor, as a completion does.
  public mutating func replaceBeforeCursor(_ count: Int, with text: String) {
    characters.removeSubrange(max(cursor - max(count, 0), 0)..<cursor)
    cursor = max(cursor - max(count, 0), 0)
    insert(text)
  }

  /// Keeps the text in the history, unless it is empty or the same as the last.
  public mutating func remember() {
    if !characters.isEmpty, history.last != text { history.append(text) }
    historyPlace = nil
  }

  private mutating func move(to place: Int) -> Outcome {
    cursor = min(max(place, 0), characters.count)
    return .moved
  }

  private mutating func delete(_ range: Range<Int>) -> Outcome {
    let range = range.clamped(to: 0..<characters.count)
    guard !range.isEmpty else { return .moved }
    characters.removeSubrange(range)
    let before = String(characters[..<range.lowerBound])
    characters = Array(String(characters))
    cursor = min(before.count, characters.count)
    historyPlace = nil
    return .changed
  }

  private var wordStart: Int {
    var place = cursor
    while place > 0, !characters[place - 1].isWordPart { place -= 1 }
    while place > 0, characters[place - 1].isWordPart { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, !characters[place].isWordPart { place += 1 }
    while place < characters.count, characters[place].isWordPart { place += 1 }
    return place
  }

  private mutating func leaf(by step: Int) -> Outcome {
    let place = (historyPlace ?? history.count) + step
    guard place >= 0, place <= history.count, !history.isEmpty else { return .moved }
    if historyPlace == nil {
      guard step < 0 else { return .moved }
      draft = text
    }
    text = place == history.count ? draft : history[place]
    historyPlace = place == history.count ? nil : place
    return .changed
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
