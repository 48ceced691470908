extension PredicateValidator {
  /// Determines the type of a key path.
  func type(
    of keys: ArraySlice<String>, from start: PredicateType, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> PredicateType {
    var current = start
    for index in keys.indices {
      let key = keys[index]
      if key.hasPrefix("@") {
        return try type(of: key, keys[(index + 1)...], from: current, at: occurrence)
      }
      current = try follow(key, from: current, at: occurrence)
    }
    return current
  }

  private func follow(
    _ key: String, from type: PredicateType, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> PredicateType {
    switch type {
    case .unknown: return .unknown
    case .collection(let member):
      return try follow(key, from: member, at: occurrence).collected
    case .object(let owner): return try property(key, of: owner, at: occurrence)
    case .attribute(let attribute):
      throw error(
        "\(attribute.name) is \(attribute.type.phrase) and has no property “\(key)”", at: occurrence
      )
    case .value: throw error("A computed value has no property “\(key)”", at: occurrence)
    }
  }

  private func property(
    _ key: String, of owner: EntityDescription, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> PredicateType {
    if let attribute = owner.attribute(named: key) { return .attribute(attribute) }
    guard let relationship = owner.relationship(named: key) else {
      let names = owner.attributes.map(\.name) + owner.relationships.map(\.name)
      throw error(
        "no attribute “\(key)” in \(owner.name)", at: occurrence,
        suggestions: NearestNames.suggestions(for: key, in: names))
    }
    guard let destination = model.entity(named: relationship.destinationEntityName) else {
      return .unknown
    }
    return relationship.isToMany ? .collection(of: .object(destination)) : .object(destination)
  }

  /// Determines the type of a collection operator and the keys after it.
  private func type(
    of name: String, _ keys: ArraySlice<String>, from type: PredicateType,
    at occurrence: Occurrence
  ) throws(FetchPredicateError) -> PredicateType {
    guard let calculation = CollectionOperator(rawValue: name) else {
      throw error(
        "The collection operator “\(name)” is unknown", at: occurrence,
        suggestions: NearestNames.suggestions(
          for: name, in: CollectionOperator.allCases.map(\.rawValue)))
    }
    switch type {
    case .collection, .unknown: break
    case .attribute, .object, .value:
      throw error("\(name) requires a to-many relationship before it", at: occurrence)
    }
    if calculation.function != nil {
      if calculation == .count, let extra = keys.first {
        throw error("@count cannot be followed by “\(extra)”", at: occurrence)
      }
      _ = try self.type(of: keys, from: type, at: occurrence)
      return .value
    }
    return try self.type(of: keys, from: type, at: occurrence).collected
  }
}
