import ObjectModel
import TerminalKit

nonisolated extension Key {
  /// The keys that have names, by the name in the settings.
  private static let named: [(name: String, key: Key)] =
    [
      ("Enter", .enter), ("Esc", .escape), ("Tab", .tab), ("S-Tab", .backTab),
      ("Backspace", .backspace), ("Del", .delete), ("Ins", .insert), ("Up", .up), ("Down", .down),
      ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end), ("PgUp", .pageUp),
      ("PgDn", .pageDown), ("Space", .character(" ")), ("C-Space", .control(" ")),
    ] + (1...24).map { ("F\($0)", .function($0)) }

  /// The key as it is written in the settings: `j`, `C-d`, `PgDn`.
  var settingName: String {
    Self.named.first { $0.key == self }?.name ?? label(.ascii)
  }

  /// The keys of a text such as `d Del C-x`; none for `none`.
  ///
  /// - Throws: ``TypedTextError`` with the position of a word that is no key.
  static func keys(typed text: String) throws(TypedTextError) -> [Key] {
    if text == "none" { return [] }
    var keys: [Key] = []
    var offset = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      defer { offset += word.count + 1 }
      guard !word.isEmpty else { continue }
      let range = offset..<offset + word.count
      guard let key = key(typed: String(word)) else {
        throw TypedTextError(
          "“\(word)” is not a key", at: range,
          suggestions: NearestNames.suggestions(for: String(word), in: named.map(\.name)),
          expected: "a character, C-x, M-x, F5, Enter, Space, PgDn or none")
      }
      guard !isReserved(key) else {
        throw TypedTextError(
          "\(word) cannot be bound", at: range, expected: "1 to 9 are counts, as in 42G")
      }
      keys.append(key)
    }
    return keys
  }

  private static func key(typed word: String) -> Key? {
    if let named = named.first(where: {
      $0.name.lowercased() == word.lowercased() && $0.name.count > 1
    }) {
      return named.key
    }
    if word.count == 1 { return word.first.map { .character($0) } }
    guard word.count == 3, let last = word.last, !last.isWhitespace else { return nil }
    switch word.prefix(2) {
    case "C-", "c-": return controlKey(last)
    case "M-", "m-": return .meta(last)
    default: return nil
    }
  }

  /// Control with a character, as a terminal sends it; nil for one that it cannot send.
  private static func controlKey(_ character: Character) -> Key? {
    switch character {
    case "i", "I": .tab
    case "m", "M", "j", "J": .enter
    case "[": .escape
    case "h", "H": .backspace
    case "a"..."z", "\\", "]", "^", "_": .control(character)
    case "A"..."Z": .control(Character(character.lowercased()))
    default: nil
    }
  }

  private static func isReserved(_ key: Key) -> Bool {
    if case .character(let character) = key { return ("1"..."9").contains(character) }
    return false
  }
}
