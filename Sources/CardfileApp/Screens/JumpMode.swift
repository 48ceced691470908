import TerminalKit

/// The letters that lead to a section.
struct JumpMode: Hashable {
  /// What a key led to.
  enum Outcome: Hashable {
    /// More letters are waited for.
    case waiting
    /// A section was found.
    case found(Int)
    /// Back to where the last jump began.
    case goBack
    /// Nothing.
    case left
    /// The last letter fits no section and was not taken.
    case refused(Character)
  }

  private(set) var letters = ""
  private(set) var matchCount: Int?

  /// Takes a key; the closure gives the sections whose titles begin with letters, in order.
  mutating func handle(_ key: Key, sections: (String) -> [Int]) -> Outcome {
    switch key {
    case .escape, .control("g"), .control("c"): return .left
    case .tab, .enter: return sections(letters).first.map { .found($0) } ?? .left
    case .backspace:
      guard !letters.isEmpty else { return .left }
      letters.removeLast()
      matchCount = letters.isEmpty ? nil : sections(letters).count
    case .character("'") where letters.isEmpty: return .goBack
    case .character(let letter):
      let matches = sections(letters + String(letter))
      guard let first = matches.first else { return .refused(letter) }
      letters.append(letter)
      matchCount = matches.count
      if matches.count == 1 { return .found(first) }
    default: return .left
    }
    return .waiting
  }

  /// What the status line says.
  func prompt(sectionCount: Int) -> String {
    let count = matchCount ?? sectionCount
    return
      "' \(letters)_   \(groupedDigits(count)) sections — letters go there, Tab to the first, '' back"
  }
}
