import TerminalKit

/// The mode in which typed letters jump to a section.
struct JumpMode: Hashable {
  /// The effect of a key.
  enum Outcome: Hashable {
    /// More letters can be typed.
    case waiting
    /// One section matches.
    case found(Int)
    /// Return to the position before the last jump.
    case back
    /// The mode ends without a jump.
    case cancelled
    /// No section matches with this letter, which was not added.
    case unmatched(Character)
  }

  private(set) var letters = ""
  private(set) var matchCount: Int?

  /// Handles a key; the closure returns the sections whose titles begin with letters, in order.
  mutating func handle(_ key: Key, sections: (String) -> [Int]) -> Outcome {
    switch key {
    case .escape, .control("g"), .control("c"): return .cancelled
    case .tab, .enter: return sections(letters).first.map { .found($0) } ?? .cancelled
    case .backspace:
      guard !letters.isEmpty else { return .cancelled }
      letters.removeLast()
      matchCount = letters.isEmpty ? nil : sections(letters).count
    case .character("'") where letters.isEmpty: return .back
    case .character(let letter):
      let matches = sections(letters + String(letter))
      guard let first = matches.first else { return .unmatched(letter) }
      letters.append(letter)
      matchCount = matches.count
      if matches.count == 1 { return .found(first) }
    default: return .cancelled
    }
    return .waiting
  }

  /// The text of the status line.
  func prompt(sectionCount: Int) -> String {
    let count = matchCount ?? sectionCount
    return "' \(letters)_   \(groupedDigits(count)) sections — "
      + "letters go there, Tab to the first, '' back"
  }
}
