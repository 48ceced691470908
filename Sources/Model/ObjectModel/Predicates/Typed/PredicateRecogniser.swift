/// Recognises a predicate by the names of an entity; see ``TypedPredicate/form(of:for:)``.
struct PredicateRecogniser {
  private typealias Kind = PredicateToken.Kind

  private let entity: EntityDescription
  private let tokens: [Kind]
  /// The position of what follows the first left side of a comparison; nil if there is no such.
  private let operatorPosition: Int?

  init(_ text: String, entity: EntityDescription) {
    self.entity = entity
    let text = Self.quotingNames(in: text, of: entity)
    let parser = PredicateParser(
      unfinished: text, PredicateLexer.tokensBeforeError(in: text))
    tokens = parser.tokens.map(\.kind)
    operatorPosition = parser.progress.firstOperator?.position
  }

  /// The text with backquotes around a name with blanks or signs that it begins with.
  private static func quotingNames(in text: String, of entity: EntityDescription) -> String {
    let start = text.prefix { $0.isWhitespace || $0 == "(" || $0 == "!" }
    let rest = text.dropFirst(start.count)
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let found = names.filter {
      !PredicateWords.isPlainName($0) && rest.lowercased().hasPrefix($0.lowercased())
    }.max { $0.count < $1.count }
    guard let found, !found.contains(".") else { return text }
    return start + KeyPathText.quoted(found) + rest.dropFirst(found.count)
  }

  func isPredicate() -> Bool {
    // After quantifiers, NOT and opening parentheses.
    let first = tokens.firstIndex { token in
      switch token {
      case .word(let word): !PredicateWords.prefixes.contains(word.uppercased())
      case .symbol("!"), .symbol("("): false
      default: true
      }
    }
    guard let first else { return false }
    switch tokens[first] {
    case .name(let name):
      return (CollectionOperator(rawValue: name) != nil || isProperty(name)) && hasOperator
    case .word(let word):
      let keyword = word.uppercased()
      if ["TRUEPREDICATE", "FALSEPREDICATE"].contains(keyword) { return true }
      if tokens[first + 1] == .symbol("("), Self.isFunction(word) {
        return tokens.contains(where: Self.isComparison)
      }
      return (keyword == "SELF" || isProperty(word)) && hasOperator
    case .number, .string, .variable, .argument, .symbol, .end: return false
    }
  }

  /// Whether an operator of this or of another language follows the first left side; after an
  /// arithmetic sign, where the parser could not read on, a comparison must follow somewhere.
  private var hasOperator: Bool {
    guard let operatorPosition else { return false }
    switch tokens[operatorPosition] {
    case .word(let word): return isOperator(word.uppercased())
    case .symbol("!"):
      if case .word(let word) = token(after: 1) {
        return PredicateWords.operation[word.uppercased()] != nil
      }
      return false
    case .symbol(let sign):
      if Self.isComparison(.symbol(sign)) { return true }
      return (sign == "%" || PredicateParser.infix[sign] != nil)
        && tokens[operatorPosition...].contains(where: Self.isComparison)
    default: return false
    }
  }

  private static func isComparison(_ token: Kind) -> Bool {
    switch token {
    case .word(let word): PredicateWords.operation[word.uppercased()] != nil
    case .symbol(let sign):
      PredicateWords.operation[sign] != nil || PredicateParser.foreignOperators[sign] != nil
    default: false
    }
  }

  /// The token a number of tokens after the operator.
  private func token(after count: Int) -> Kind {
    let position = (operatorPosition ?? 0) + count
    return position < tokens.count ? tokens[position] : .end
  }

  /// Whether a word after the left side is an operator of this or of another language.
  private func isOperator(_ word: String) -> Bool {
    if PredicateWords.operation[word] != nil { return true }
    let next = token(after: 1)
    let nextWord: String = if case .word(let word) = next { word.uppercased() } else { "" }
    switch word {
    case "NOT": return PredicateWords.operation[nextWord] != nil
    case "IS": return next != .end && !isPlainWord(next, nextWord)
    case "STARTS", "BEGINS", "ENDS": return nextWord == "WITH"
    default: break
    }
    if PredicateParser.foreignOperators[word] != nil {
      return Self.exclusive.contains(word) || next != .end && !isPlainWord(next, nextWord)
    }
    guard word.count > 1, case .string = next else { return false }
    return !NearestNames.suggestions(for: word, in: PredicateParser.nearOperators).isEmpty
  }

  /// Whether a token is a word that is neither a keyword nor a property.
  private func isPlainWord(_ token: Kind, _ word: String) -> Bool {
    guard case .word = token else { return false }
    return !["NULL", "NIL", "NOT", "TRUE", "FALSE", "YES", "NO"].contains(word)
  }

  /// The operators of other languages that are no English words.
  private static let exclusive: Set<String> = [
    "STARTSWITH", "HASPREFIX", "HASSUFFIX", "ILIKE", "REGEXP", "RLIKE", "REGEX",
  ]

  private static func isFunction(_ word: String) -> Bool {
    PredicateFunction(written: word) != nil
      || PredicateFunction.identities.contains(PredicateFunction.plain(word))
      || ["SUBQUERY", "CAST", "TERNARY", "FUNCTION"].contains(word.uppercased())
  }

  private func isProperty(_ name: String) -> Bool {
    let name = name.lowercased()
    return [VirtualKey.entity, VirtualKey.objectID.lowercased()].contains(name)
      || entity.attributes.contains {
        $0.name.lowercased() == name || $0.details.compositeName?.lowercased() == name
      } || entity.relationships.contains { $0.name.lowercased() == name }
  }
}
