import Synchronization

extension TextCollation {
  /// The initial of a text in an index of names in this order.
  ///
  /// Texts with the same initial are adjacent. `Ø` is under O unless the language sorts it as a letter
  /// of its own; `Ch` has its own initial where it sorts after H. Signs and digits are under `#`; the
  /// initial of an empty text is empty.
  func initial(of text: String) -> String {
    // No language counts more letters as one.
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(3)))
    if start.isEmpty { return "" }
    return Self.initials.withLock { initials in
      initials[localeIdentifier, default: CollatedInitials(self)].initial(of: start)
    }
  }

  /// The initials of each language.
  private static let initials = Mutex<[String: CollatedInitials]>([:])
}

/// The initials of texts in a collation, as they were found so far.
private struct CollatedInitials {
  private let collation: TextCollation
  /// The letters from A to Z, as far as they are different ones, in the order of the collation.
  private let letters: [String]
  /// Initials behind Z and between those letters, in order.
  private var others: [String] = []
  /// The initials of texts by how they begin.
  private var known: [String: String] = [:]
  private static let mostKnown = 20_000

  /// What comes after all that begins with the same letters.
  private static let last = "\u{FFFF}"

  init(_ collation: TextCollation) {
    self.collation = collation
    var letters: [String] = []
    for letter in (0x41...0x5A).map({ String(UnicodeScalar($0)) }).sorted(by: {
      collation.compare($0, $1) < 0
    }) where !(letters.last.map { Self.begins(letter, with: $0, collation) } ?? false) {
      letters.append(letter)
    }
    self.letters = letters
  }

  mutating func initial(of start: String) -> String {
    if let initial = known[start] { return initial }
    let initial = newInitial(of: start)
    if known.count >= Self.mostKnown { known = [:] }
    known[start] = initial
    return initial
  }

  private mutating func newInitial(of start: String) -> String {
    let end = letters.partitioningIndex {
      collation.compare($0, start) > 0 && collation.compare($0.lowercased(), start) > 0
    }
    guard end > 0 else { return "#" }
    if Self.begins(start, with: letters[end - 1], collation) { return letters[end - 1] }
    // A letter of its own; several count as one if it does not come first by itself.
    let first = String(start.prefix(1))
    let plain = SectionKey.initial(of: first)
    if Self.begins(start, with: plain, collation) { return other(plain) }
    if Self.begins(start, with: first, collation) { return other(first.uppercased()) }
    return other(first.uppercased() + start.dropFirst().prefix(1).lowercased())
  }

  /// An initial, or the one that was found before of the same letter.
  private mutating func other(_ initial: String) -> String {
    let index = others.partitioningIndex { [collation] in collation.compare($0, initial) > 0 }
    for place in [index - 1, index] where others.indices.contains(place) {
      let found = others[place]
      if Self.begins(initial, with: found, collation) { return found }
    }
    others.insert(initial, at: index)
    return initial
  }

  /// Whether a text begins with a letter, whatever its case and diacritics.
  private static func begins(_ text: String, with letter: String, _ collation: TextCollation)
    -> Bool
  {
    collation.compare(text, letter + last) < 0 && collation.compare(letter, text + last) < 0
  }
}
