/// The words of a name: `createdAt`, `created_at`, `CREATED_AT` and `Created at` are all created, at.
struct NameWords: Hashable {
  /// The words, in lower case.
  let words: [String]
  /// Whether the name joins words by underscores, or has no capitals to join them by.
  let isSnakeCase: Bool

  init(_ name: String) {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (place, character) in characters.enumerated() {
      if !character.isLetter, !character.isNumber, character.isASCII {
        words.append(word)
        word = ""
        continue
      }
      if character.isUppercase, place > 0 {
        let follows = characters[place - 1].isLowercase || characters[place - 1].isNumber
        let next = place + 1 < characters.count ? characters[place + 1] : nil
        // In `URLSource` the S begins a word, since what follows it is small.
        if follows || (characters[place - 1].isUppercase && next?.isLowercase == true) {
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

  /// The words as a property's name, in the style they came in: `supportRep` or `support_rep`.
  var propertyName: String {
    guard !isSnakeCase, let first = words.first else { return words.joined(separator: "_") }
    return words.dropFirst().reduce(first) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  /// These words and others after them, in this style.
  func appending(_ other: [String]) -> NameWords {
    NameWords(words: words + other, isSnakeCase: isSnakeCase)
  }

  /// Other words in this style.
  func replacing(_ words: [String]) -> NameWords {
    NameWords(words: words, isSnakeCase: isSnakeCase)
  }

  /// The plural of the last word with the others before it.
  var plural: NameWords {
    replacing(words.dropLast() + (words.last.map { [EnglishNoun.plural(of: $0)] } ?? []))
  }

  /// The singular of the last word with the others before it.
  var singular: NameWords {
    replacing(words.dropLast() + (words.last.map { [EnglishNoun.singular(of: $0)] } ?? []))
  }
}

extension NameWords {
  /// Whether the name is one that people give to a day or a moment.
  var speaksOfTime: Bool {
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
