/// Recognises a predicate by the names of an entity; see ``TypedPredicate/form(of:for:)``.
struct PredicateRecogniser {
  private typealias Kind = PredicateToken.Kind

  private let entity: EntityDescription
  private var tokens: ArraySlice<Kind>
  /// The number of opening parentheses before the name.
  private var openCount = 0

  init(_ text: String, entity: EntityDescription) {
    self.entity = entity
    tokens =
      PredicateLexer.tokensBeforeError(in: Self.quotingNames(in: text, of: entity))
      .map(\.kind)[...]
  }

  mutating func isPredicate() -> Bool {
    skipPrefixes()
    guard let first = tokens.popFirst() else { return false }
    switch first {
    case .name(let name):
      return (CollectionOperator(rawValue: name) != nil || isProperty(name)) && isOperatorNext()
    case .word(let word):
      let keyword = word.uppercased()
      if ["TRUEPREDICATE", "FALSEPREDICATE"].contains(keyword) { return true }
      if tokens.first == .symbol("("), Self.isFunction(word) { return hasOperator() }
      return (keyword == "SELF" || isProperty(word)) && isOperatorNext()
    case .number, .string, .variable, .argument, .symbol, .end: return false
    }
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

  /// Drops quantifiers, NOT and opening parentheses.
  private mutating func skipPrefixes() {
    while let token = tokens.first {
      switch token {
      case .word(let word) where PredicateWords.prefixes.contains(word.uppercased()): break
      case .symbol("!"): break
      case .symbol("("): openCount += 1
      default: return
      }
      tokens.removeFirst()
    }
  }

  /// Whether an operator follows the rest of a key path; after an arithmetic sign, a comparison
  /// must follow somewhere.
  private mutating func isOperatorNext() -> Bool {
    while let token = tokens.first {
      if token == .symbol(".") {
        tokens.removeFirst()
        _ = tokens.popFirst()
      } else if token == .symbol("["), let end = tokens.firstIndex(of: .symbol("]")) {
        tokens = tokens[(end + 1)...]
      } else if token == .symbol(")"), openCount > 0 {
        openCount -= 1
        tokens.removeFirst()
      } else {
        break
      }
    }
    switch tokens.popFirst() {
    case .word(let word)?: return isOperator(word.uppercased())
    case .symbol(let sign)?:
      if Self.isComparison(.symbol(sign)) { return true }
      if sign == "!", case .word(let word)? = tokens.popFirst() {
        return isOperator(word.uppercased())
      }
      return Self.arithmetic.contains(sign) && hasOperator()
    default: return false
    }
  }

  /// Whether a word after the left side is an operator of this or of another language.
  private mutating func isOperator(_ word: String) -> Bool {
    if PredicateWords.operation[word] != nil { return true }
    let next = tokens.first
    let nextWord: String = if case .word(let word)? = next { word.uppercased() } else { "" }
    switch word {
    case "NOT": return PredicateWords.operation[nextWord] != nil
    case "IS": return next != nil && !isPlainWord(next, nextWord)
    case "STARTS", "BEGINS", "ENDS": return nextWord == "WITH"
    default: break
    }
    if PredicateParser.foreignOperators[word] != nil {
      return Self.exclusive.contains(word) || next != nil && !isPlainWord(next, nextWord)
    }
    guard word.count > 1, case .string? = next else { return false }
    return !NearestNames.suggestions(for: word, in: PredicateParser.nearOperators).isEmpty
  }

  /// Whether a token is a word that is neither a keyword nor a property.
  private func isPlainWord(_ token: Kind?, _ word: String) -> Bool {
    guard case .word? = token else { return false }
    return !["NULL", "NIL", "NOT", "TRUE", "FALSE", "YES", "NO"].contains(word)
  }

  /// The operators of other languages that are no English words.
  private static let exclusive: Set<String> = [
    "STARTSWITH", "HASPREFIX", "HASSUFFIX", "ILIKE", "REGEXP", "RLIKE", "REGEX",
  ]

  private static let arithmetic: Set<String> = [
    "+", "-", "*", "/", "**", "%", "&", "|", "^", "<<", ">>",
  ]

  private static func isComparison(_ token: Kind) -> Bool {
    switch token {
    case .word(let word): PredicateWords.operation[word.uppercased()] != nil
    case .symbol(let sign):
      PredicateWords.operation[sign] != nil || PredicateParser.foreignOperators[sign] != nil
    default: false
    }
  }

  /// Whether any of the tokens left is a comparison operator.
  private func hasOperator() -> Bool { tokens.contains(where: Self.isComparison) }

  private func isProperty(_ name: String) -> Bool {
    let name = name.lowercased()
    return [VirtualKey.entity, VirtualKey.objectID.lowercased()].contains(name)
      || entity.attributes.contains {
        $0.name.lowercased() == name || $0.details.compositeName?.lowercased() == name
      } || entity.relationships.contains { $0.name.lowercased() == name }
  }

  private static func isFunction(_ word: String) -> Bool {
    PredicateFunction(written: word) != nil
      || PredicateFunction.identities.contains(PredicateFunction.plain(word))
      || ["SUBQUERY", "CAST", "TERNARY", "FUNCTION"].contains(word.uppercased())
  }
}
