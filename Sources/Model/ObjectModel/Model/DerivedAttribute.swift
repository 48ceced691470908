/// How a derived attribute is computed: its expression, parsed.
package struct DerivedAttribute: Sendable {
  /// The attribute.
  package let attribute: AttributeDescription
  /// Its index in the entity's attributes.
  package let index: Int
  /// The relationships that the expression reads through.
  package let relationshipNames: Set<String>
  /// Whether the value is the time of the last save of its object.
  package let isTime: Bool
  package let expression: FetchPredicate.Expression
  private let filter: FetchPredicate?

  /// The derived attributes of an entity that can be computed.
  ///
  /// - Parameter entity: The entity.
  /// - Returns: They, in the order of the attributes.
  package static func all(of entity: EntityDescription) -> [DerivedAttribute] {
    entity.attributes.compactMap { DerivedAttribute($0, of: entity) }
  }

  /// Parses the derivation of an attribute.
  ///
  /// - Parameters:
  ///   - attribute: The attribute; the result is nil if it is not derived, or cannot be computed: a
  ///     derivation reads the object's own attributes, or through one relationship.
  ///   - entity: Its entity.
  package init?(_ attribute: AttributeDescription, of entity: EntityDescription) {
    guard let derivation = attribute.details.derivation,
      let index = entity.attributeIndex(attribute.name),
      let predicate = try? FetchPredicate(format: "(\(derivation.expression)) == 0"),
      case .comparison(let comparison) = predicate.node
    else { return nil }
    var names: Set<String> = []
    for path in comparison.left.keyPaths {
      guard let components = KeyPathText.components(of: path), let first = components.first else {
        return nil
      }
      let keys = components.filter { !$0.hasPrefix("@") }
      if entity.relationship(named: first) != nil {
        guard keys.count <= 2 else { return nil }
        names.insert(first)
      } else if entity.attributeIndex(first) == nil || components.count > 1 {
        return nil
      }
    }
    var filter: FetchPredicate?
    if let format = derivation.filter {
      guard let parsed = try? FetchPredicate(format: format) else { return nil }
      filter = parsed
    }
    self.attribute = attribute
    self.index = index
    self.filter = filter
    relationshipNames = names
    expression = comparison.left
    isTime = if case .function("now", []) = comparison.left { true } else { false }
  }

  /// The stored value for an object; null if it is not derived for the object, or the attribute
  /// cannot have the value.
  ///
  /// - Parameter subject: The object.
  /// - Returns: The value.
  /// - Throws: ``StoreError`` if MATCHES has an invalid regular expression or gives up on a text.
  package func value(of subject: some PredicateSubject) throws(StoreError) -> Value {
    let found: Value
    do {
      if let filter, try !filter.matches(subject) { return .null }
      found = try PredicateEvaluator(subject: subject, variables: [:]).operand(expression).single
    } catch {
      throw StoreError(
        .unsupported, doing: "computing", subject: attribute.name, detail: "\(error)")
    }
    return (try? attribute.encode(found)) ?? .null
  }
}

extension FetchPredicate.Expression {
  /// The key paths in the expression.
  fileprivate var keyPaths: Set<String> {
    let comparison = FetchPredicate.Comparison(self, .equal, .constant(.null))
    return FetchPredicate(.comparison(comparison)).keyPaths
  }
}
