/// A condition that a person typed, read and validated.
///
/// This is the one way from typed text to a predicate: `--where` and the browser's `/` use it.
/// Dates may stand without quotes (`born > 1990-05-01`).
package struct TypedPredicate: Hashable, Sendable {
  /// How a text is read.
  package enum Form: Hashable, Sendable {
    /// Words to search for, each in some text attribute.
    case words
    /// A predicate in NSPredicate's format.
    case predicate
  }

  /// The text as it was typed.
  package let text: String
  /// How it was read.
  package let form: Form
  /// What it means.
  package let predicate: ValidatedPredicate

  /// Reads and validates a text.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - form: How to read it; ``form(of:for:)`` recognises it.
  ///   - entity: The entity whose objects are matched.
  ///   - model: The model that the entity is in.
  ///   - wordAttributes: The attributes that words are searched for in; nil for all text
  ///     attributes.
  /// - Throws: ``FetchPredicateError`` with the range in the typed text.
  package init(
    _ text: String, as form: Form, for entity: EntityDescription, in model: ManagedObjectModel,
    wordAttributes: [String]? = nil
  ) throws(FetchPredicateError) {
    self.text = text
    self.form = form
    switch form {
    case .words:
      predicate = try FetchPredicate.words(text, in: entity, attributes: wordAttributes)
        .validated(for: entity, in: model)
    case .predicate:
      predicate = try FetchPredicate(typed: text).validated(for: entity, in: model)
    }
  }

  /// Writes a name for a key path: in backquotes if it has blanks or signs.
  ///
  /// - Parameters:
  ///   - name: The name of an attribute or a relationship.
  ///   - isFirst: Whether it begins a key path, where a keyword is written `#name`.
  /// - Returns: The name as it is written.
  package static func written(_ name: String, isFirst: Bool) -> String {
    isFirst
      ? FetchPredicate.Expression.keyPath([name]).text
      : PredicateWords.isPlainName(name) ? name : KeyPathText.quoted(name)
  }

  /// Recognises whether a text is a predicate or words.
  ///
  /// A predicate begins with a property of the entity (in any case), `SELF`, `entity`, a collection
  /// operator or a function, after any quantifiers, `NOT` and parentheses, and an operator follows:
  /// one of this language, or one of another that the error then mends (`startswith`, `IS NULL`).
  /// TRUEPREDICATE and FALSEPREDICATE are predicates too. Anything else is words: `Tom && Jerry`,
  /// `I <3 you`.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - entity: The entity whose objects are matched.
  /// - Returns: How to read the text.
  package static func form(of text: String, for entity: EntityDescription) -> Form {
    let recogniser = PredicateRecogniser(text, entity: entity)
    return recogniser.isPredicate() ? .predicate : .words
  }
}
