extension ManagedObjectModel {
  /// How this model differs from another in what objects a store can hold: entities, inheritance,
  /// attributes and relationships.
  ///
  /// Defaults, delete rules, indexes and everything else that is not part of
  /// the stored objects may differ.
  ///
  /// - Parameter other: The other model.
  /// - Returns: A phrase for each difference, seen from this model, such as "Person.age is missing";
  ///   empty if the models are compatible.
  package func differences(from other: ManagedObjectModel) -> [String] {
    var found: [String] = []
    for entity in other.entities where self.entity(named: entity.name) == nil {
      found.append("\(entity.name) is missing")
    }
    for entity in entities {
      guard let theirs = other.entity(named: entity.name) else {
        found.append("\(entity.name) is additional")
        continue
      }
      found += entity.differences(from: theirs).map { "\(entity.name)\($0)" }
    }
    return found
  }
}

extension EntityDescription {
  fileprivate func differences(from other: EntityDescription) -> [String] {
    var found: [String] = []
    if superentityName != other.superentityName {
      found.append(
        " inherits from \(superentityName ?? "nothing"), not \(other.superentityName ?? "nothing")")
    }
    if isAbstract != other.isAbstract {
      found.append(isAbstract ? " is abstract" : " is not abstract")
    }
    let (own, theirs) = (propertyPhrases, other.propertyPhrases)
    for (name, phrase) in theirs.sorted(by: { $0.key < $1.key }) where own[name] != phrase {
      found.append(own[name].map { ".\(name) is \($0), not \(phrase)" } ?? ".\(name) is missing")
    }
    for name in own.keys.sorted() where theirs[name] == nil {
      found.append(".\(name) is additional")
    }
    return found
  }

  /// What a store has to know of each property, in words.
  private var propertyPhrases: [String: String] {
    var phrases: [String: String] = [:]
    for attribute in attributes {
      let derivation = attribute.details.derivation.map { " derived as \($0.expression)" } ?? ""
      phrases[attribute.name] =
        (attribute.isOptional ? "optional " : "") + "\(attribute.type)" + derivation
    }
    for relationship in relationships {
      let kind =
        relationship.isToMany
        ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
      phrases[relationship.name] =
        "\(kind) to \(relationship.destinationEntityName)"
        + (relationship.inverseName.map { " with the inverse \($0)" } ?? "")
    }
    return phrases
  }
}
