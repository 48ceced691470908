/// A predicate that fits an entity: its key paths exist, and its literals have the types of the
/// attributes that they are compared with.
///
/// ``FetchPredicate/validated(for:in:)`` makes one. A ``FetchPlan`` holds no other, so neither
/// stores nor lists validate again.
public struct ValidatedPredicate: Sendable {
  package let node: FetchPredicate.Node
  let source: FetchPredicate.Source?
  let validation: FetchPredicate.Validation

  /// The predicate, for a fetch request.
  ///
  /// It remembers its validation: validating it for the same entity again costs nothing.
  package var predicate: FetchPredicate {
    FetchPredicate(node, source: source, validation: validation)
  }

  /// The key paths that it reads; see ``FetchPredicate/keyPaths``.
  package var keyPaths: Set<String> { predicate.keyPaths }

  /// Whether an object meets the predicate.
  ///
  /// - Throws: ``FetchPredicateError`` if MATCHES has an invalid regular expression or gives up on a
  ///   text.
  package func matches(_ subject: some PredicateSubject) throws -> Bool {
    try predicate.matches(subject)
  }
}

extension ValidatedPredicate: Hashable {
  /// Whether two predicates are the same condition on the same entity.
  public static func == (lhs: ValidatedPredicate, rhs: ValidatedPredicate) -> Bool {
    lhs.node == rhs.node && lhs.validation.entityName == rhs.validation.entityName
  }

  /// Hashes the condition.
  public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}

extension FetchPredicate {
  /// What a predicate was validated for.
  final class Validation: Sendable {
    let entityName: String
    let model: ManagedObjectModel

    init(entityName: String, model: ManagedObjectModel) {
      self.entityName = entityName
      self.model = model
    }

    /// The validation that several predicates have in common; nil if one has none or another.
    static func shared(by predicates: [FetchPredicate]) -> Validation? {
      guard let first = predicates.first?.validation else { return nil }
      return predicates.dropFirst().allSatisfy { predicate in
        guard let own = predicate.validation else { return false }
        return own === first || own.entityName == first.entityName && own.model == first.model
      } ? first : nil
    }
  }
}
