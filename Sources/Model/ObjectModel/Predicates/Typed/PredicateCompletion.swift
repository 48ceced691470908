/// The completions of what is being typed at the end of a predicate's text.
package struct PredicateCompletion: Hashable, Sendable {
  /// The number of characters at the end of the text that a completion replaces.
  package let typedCount: Int
  /// The completion as it is written, or the common beginning of the candidates; nil if nothing can
  /// be added.
  package let completion: String?
  /// What can stand at the end of the text and begins with what was typed; empty if there is only
  /// one.
  package let candidates: [String]
  /// The candidates as they are written: texts in quotes, names with signs in backquotes.
  package let written: [String]

  /// Finds the completions.
  ///
  /// - Parameters:
  ///   - text: The text before the cursor.
  ///   - entity: The entity whose objects are matched.
  ///   - model: The model that the entity is in.
  ///   - values: Finds the texts that an attribute of an entity has, of those that begin with a
  ///     text; asked only where they can stand.
  package init(
    before text: String, for entity: EntityDescription, in model: ManagedObjectModel,
    values: (AttributeDescription, EntityDescription, _ prefix: String) -> [String] = { _, _, _ in
      []
    }
  ) {
    guard let typed = TypedWord(endOf: text) else {
      (typedCount, completion, candidates, written) = (0, nil, [], [])
      return
    }
    typedCount = typed.written.count
    let progress = PredicateParser(unfinished: text, typed.before).progress
    let ends = PredicateEnds(entity: entity, model: model, variables: progress.variables)
    let letters = typed.letters.lowercased()
    var words = typed.isText ? [] : Self.words(progress, typed, ends)
    if case .operand(isStart: false, let compared?) = progress.position,
      let attribute = ends.end(of: compared).attribute, typed.sign.isEmpty || typed.isText
    {
      words =
        values(attribute.description, attribute.owner, typed.letters)
        .map { Word(value: $0, quote: typed.sign) } + words
    }
    let matching = words.filter {
      // Accents may be left out, and those that were typed are meant.
      let name = $0.name.lowercased()
      return name.hasPrefix(letters) || TextFolding.folded(name).hasPrefix(letters)
    }
    guard let first = matching.first, matching.count > 1 else {
      let written = matching.first?.written
      completion = written == typed.written ? nil : written
      (candidates, self.written) = ([], [])
      return
    }
    let common = matching.dropFirst().reduce(first.name) { Self.commonPrefix($0, $1.name) }
    let isText = typed.isText || matching.allSatisfy(\.isValue)
    let quote = isText && typed.sign.isEmpty ? "\"" : typed.sign == "#" ? "" : typed.sign
    // A beginning with a blank would be read as two names, and a sign in a text as its end.
    let isWhole =
      isText
      ? common.allSatisfy { !"\"'\\".contains($0) }
      : !quote.isEmpty || common.dropFirst().allSatisfy { !$0.isWhitespace }
    completion = common.count > typed.letters.count && isWhole ? quote + common : nil
    candidates = matching.map(\.name)
    written = matching.map(\.written)
  }

  /// What can be typed: as it is matched and shown, and as it is written.
  private struct Word {
    var name: String
    var written: String
    /// Whether it is a value of an attribute.
    var isValue = false

    /// A text, closed by the quote that it was begun with.
    init(value text: String, quote: String) {
      let isPlain = !quote.isEmpty && text.allSatisfy { !"\"'\\".contains($0) && !$0.isNewline }
      let written =
        isPlain ? quote + text + quote : FetchPredicate.Expression.constant(.string(text)).text
      (self.name, self.written, isValue) = (text, written, true)
    }

    init(_ name: String) { (self.name, written) = (name, name) }

    init(property name: String, isFirst: Bool) {
      (self.name, written) = (name, TypedPredicate.written(name, isFirst: isFirst))
    }
  }

  /// All that can stand at the end of what was parsed, whatever was typed there.
  private static func words(
    _ progress: PredicateProgress, _ typed: TypedWord, _ ends: PredicateEnds
  ) -> [Word] {
    var before = PredicateEnds.End()
    if case .component(let base) = progress.position { before = ends.end(of: base) }
    switch (typed.sign, progress.position) {
    case ("$", _): return progress.variables.keys.sorted().map { Word("$" + $0) }
    case ("@", .component) where !before.isCollection: return []
    case ("@", _): return collectionOperators
    case (_, nil): return []
    case (_, .index): return ["FIRST", "LAST", "SIZE"].map { Word($0) }
    case (_, .options): return ["c", "d", "cd", "n", "l"].map { Word($0) }
    case (_, .conjunction): return ["AND", "OR"].map { Word($0) }
    case (_, .comparison(let value)): return operators(after: ends.end(of: value)).map { Word($0) }
    case (_, .component):
      let names = properties(of: before.entity).map { Word(property: $0, isFirst: false) }
      return typed.sign == "`" || !before.isCollection ? names : names + collectionOperators
    case (_, .operand(let isStart, _)):
      let names = properties(of: ends.entity).map { Word(property: $0, isFirst: true) }
      // Without a letter there would be too many.
      guard typed.sign.isEmpty, !typed.letters.isEmpty else { return names }
      return names + (keywords(isStart: isStart) + functions).map { Word($0) }
    }
  }

  private static func properties(of entity: EntityDescription?) -> [String] {
    guard let entity else { return [] }
    return entity.attributes.map(\.name) + entity.relationships.map(\.name)
  }

  private static let collectionOperators = CollectionOperator.allCases.map { Word($0.rawValue) }

  private static func keywords(isStart: Bool) -> [String] {
    (isStart
      ? ["NOT", "ANY", "ALL", "SOME", "NONE", "TRUEPREDICATE", "FALSEPREDICATE"]
      : ["TRUE", "FALSE", "NULL"]) + ["SELF", VirtualKey.entity, VirtualKey.objectID]
  }

  private static let functions: [String] =
    ["SUBQUERY", "CAST", "TERNARY", "FUNCTION"].map { $0 + "(" }
    + PredicateFunction.allCases.filter { $0.infix == nil && $0.arity < 2 }.map {
      $0.written + ($0.arity == 0 ? "()" : "(")
    }

  /// The operators that compare what stands before them.
  private static func operators(after end: PredicateEnds.End) -> [String] {
    let equality = ["==", "!=", "IN"]
    if end.entity != nil { return equality }
    let order = ["<", "<=", ">", ">=", "BETWEEN"]
    switch end.attribute?.description.type {
    case .boolean, .binaryData, .transformable, .uuid: return equality
    case .date, .integer16, .integer32, .integer64, .decimal, .double, .float:
      return equality + order
    case .string, .undefined, .uri, nil:
      return equality + order + ["BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES"]
    }
  }

  private static func commonPrefix(_ a: String, _ b: String) -> String {
    String(zip(a, b).prefix { $0 == $1 }.map(\.0))
  }
}

/// The unfinished word at the end of a predicate's text.
private struct TypedWord {
  /// The tokens before the word.
  let before: [PredicateToken]
  /// The word as it is in the text; empty after a blank or a sign.
  let written: String
  /// `` ` `` or `#` before a name, `@` or `$`, the quote before a text; empty for others.
  let sign: String
  /// What is completed: the word without a backquote or `#`.
  let letters: String

  /// Whether it is an unfinished text in quotes.
  var isText: Bool { sign == "\"" || sign == "'" }

  /// Nil if the text ends where nothing is completed, as in the middle of a text in quotes.
  init?(endOf text: String) {
    let scalars = Array(text.unicodeScalars)
    var tokens = PredicateLexer.tokensBeforeError(in: text)
    let end = tokens.last?.range.upperBound ?? 0
    let rest = scalars[end...].drop { $0.properties.isWhitespace }
    var start = rest.startIndex
    if rest.isEmpty {
      guard let last = tokens.last, end == scalars.count else {
        (before, written, sign, letters) = (tokens, "", "", "")
        return
      }
      switch last.kind {
      case .word, .name, .variable:
        start = last.range.lowerBound
        tokens.removeLast()
      case .symbol:
        (before, written, sign, letters) = (tokens, "", "", "")
        return
      case .number, .string, .argument, .end: return nil
      }
    }
    before = tokens
    written = String(String.UnicodeScalarView(scalars[start...]))
    let first = written.first.map(String.init) ?? ""
    switch first {
    case "`":
      // A closed name is complete.
      if rest.isEmpty { return nil }
      (sign, letters) = (first, String(written.dropFirst().replacing("``", with: "`")))
    case "#": (sign, letters) = (first, String(written.dropFirst()))
    case "@", "$": (sign, letters) = (first, written)
    case "\"", "'":
      // What an escape means is not known before its end.
      if written.contains("\\") { return nil }
      (sign, letters) = (first, String(written.dropFirst()))
    default:
      // What is no token: the middle of a text in quotes.
      if !rest.isEmpty { return nil }
      (sign, letters) = ("", written)
    }
  }
}
