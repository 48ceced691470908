extension FetchPredicate {
  /// Checks the predicate against a model, and converts its literals to the kinds of what they are
  /// compared with.
  ///
  /// Text is converted to a date, a number, a UUID, a boolean or an object ID when it is compared
  /// with such a value, and a number to text when it is compared with text. A predicate that was
  /// validated for the entity before is returned at once.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects that the predicate is evaluated for.
  ///   - model: The model with the entity and the destinations of its relationships.
  /// - Returns: The valid predicate, to be evaluated in memory or translated to SQL.
  /// - Throws: ``FetchPredicateError`` for an unknown key (with the nearest names), a to-many
  ///   relationship without ANY or ALL, a comparison of kinds that can never be equal, a variable
  ///   without a value, an invalid regular expression, or more nesting than SQLite takes.
  public func validated(
    for entity: EntityDescription, in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    if let validation, validation.entityName == entity.name, validation.model == model {
      return ValidatedPredicate(node: node, source: source, validation: validation)
    }
    let validator = PredicateValidator(
      entity: entity, model: model, source: { source ?? printedSource() })
    return ValidatedPredicate(
      node: try validator.node(node), source: source,
      validation: Validation(entityName: entity.name, model: model))
  }

  /// Does the same for the entity of a name.
  ///
  /// - Throws: ``FetchPredicateError`` also if there is no such entity.
  public func validated(
    forEntity name: String, in model: ManagedObjectModel
  ) throws(FetchPredicateError) -> ValidatedPredicate {
    guard let entity = model.entity(named: name) else {
      let text = source?.text ?? description
      throw FetchPredicateError(
        "There is no entity “\(name)”", in: text, at: 0..<text.count,
        suggestions: NearestNames.suggestions(for: name, in: model.entities.map(\.name)))
    }
    return try validated(for: entity, in: model)
  }

  /// The source of a predicate built in code: its printed format, parsed for the ranges of keys and
  /// literals.
  private func printedSource() -> Source {
    let text = description
    return (try? FetchPredicate(format: text))?.source ?? Source(text: text, ranges: [:])
  }
}
