import ObjectModel

/// The words of a table's or column's name.
///
/// `createdAt`, `created_at`, `CREATED_AT` and `Created at` all consist of "created" and "at".
package struct NameWords: Hashable {
  /// The words in lower case.
  package let words: [String]
  /// Whether the name is in snake_case, or a single word in lower case.
  package let isSnakeCase: Bool

  package init(_ name: String) {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      if !character.isLetter, !character.isNumber, character.isASCII {
        words.append(word)
        word = ""
        continue
      }
      if character.isUppercase, index > 0 {
        let follows = characters[index - 1].isLowercase || characters[index - 1].isNumber
        let next = index + 1 < characters.count ? characters[index + 1] : nil
        // In `URLSource` the S starts a word, because a lowercase letter follows.
        if follows || (characters[index - 1].isUppercase && next?.isLowercase == true) {
          words.append(word)
          word = ""
        }
      }
      word.append(character)
    }
    words.append(word)
    self.words = words.filter { !$0.isEmpty }.map { $0.lowercased() }
    let isCapital = name.contains(where: \.isUppercase)
    isSnakeCase = name.contains("_") || (!isCapital && self.words.count == 1)
  }

  private init(words: [String], isSnakeCase: Bool) {
    self.words = words
    self.isSnakeCase = isSnakeCase
  }

  /// The words as a property name in the style of the original: `supportRep` or `support_rep`.
  package var propertyName: String {
    guard !isSnakeCase, let first = words.first else { return words.joined(separator: "_") }
    return words.dropFirst().reduce(first) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  /// Returns these words followed by others, in the same style.
  package func appending(_ other: [String]) -> NameWords {
    NameWords(words: words + other, isSnakeCase: isSnakeCase)
  }

  /// Returns other words in the same style.
  package func replacing(_ words: [String]) -> NameWords {
    NameWords(words: words, isSnakeCase: isSnakeCase)
  }

  /// The words with the last one in the plural.
  package var plural: NameWords {
    replacing(words.dropLast() + (words.last.map { [EnglishNoun.plural(of: $0)] } ?? []))
  }

  /// The words with the last one in the singular.
  package var singular: NameWords {
    replacing(words.dropLast() + (words.last.map { [EnglishNoun.singular(of: $0)] } ?? []))
  }
}

extension NameWords {
  /// Whether the name suggests a date or time, such as `createdAt` or `birthday`.
  package var suggestsDate: Bool {
    if let last = words.last, ["at", "on", "since", "until", "ts"].contains(last) { return true }
    return words.contains { word in
      Self.timeWords.contains(word)
        || ["date", "datetime", "timestamp"].contains { word.hasSuffix($0) }
    }
  }

  private static let timeWords: Set<String> = [
    "date", "time", "timestamp", "datetime", "day", "born", "birthday", "birthdate", "birth", "dob",
    "created", "updated", "modified", "changed", "deleted", "published", "released", "expires",
    "expired", "expiry", "due", "started", "ended", "joined", "died", "death", "hired", "visited",
    "added", "moment", "when", "mtime", "ctime", "atime", "julian", "since", "until", "start",
    "end",
    "begin", "deadline", "last", "first", "seen",
  ]
}
