/// What a model demands of the values of an entity's objects.
package struct EntityRules: Sendable {
  /// The indexes of the attributes that must have a value.
  package let required: [Int]
  /// The validation rules by the attribute's index; one that cannot be parsed is left out.
  package let byAttribute: [Int: [ValueRule]]

  /// Collects what an entity demands.
  package init(_ entity: EntityDescription) {
    let attributes = entity.attributes
    required = attributes.indices.filter {
      !attributes[$0].isOptional && !attributes[$0].isReadOnly
    }
    byAttribute = attributes.enumerated().reduce(into: [:]) { rules, pair in
      let own = pair.element.details.property.validations.compactMap(ValueRule.init)
      if !own.isEmpty, !pair.element.isReadOnly { rules[pair.offset] = own }
    }
  }

  /// Calls a closure with each rule that a value does not meet, in words.
  ///
  /// - Parameters:
  ///   - value: A decoded value; null meets all rules.
  ///   - index: The index of the attribute.
  ///   - report: Called with what is wrong, as "must meet SELF > 0", and the rule.
  package func check(_ value: Value, at index: Int, _ report: (String, ValueRule) -> Void) {
    guard !value.isNull, let rules = byAttribute[index] else { return }
    for rule in rules {
      do {
        if try rule.allows(value) { continue }
        report("must meet \(rule.text)", rule)
      } catch {
        report("cannot be checked against \(rule.text): \(error)", rule)
      }
    }
  }
}
