extension PredicateValidator {
  /// Where a key path leads, and how it is written for evaluation.
  struct Path {
    var type: PredicateType
    /// The keys, without those that only name an object again, and a collection operator after its
    /// relationship.
    var keys: [String] = []
    /// The number of to-many relationships that it goes through, one that it begins at included.
    var manyCount = 0
    /// The number of keys up to each to-many relationship.
    var manyEnds: [Int] = []

    /// Whether its to-many relationships follow each other directly, with a calculation after the
    /// last one: objects that are missing on the way could not be told from missing values.
    var isChain: Bool {
      manyEnds.count == manyCount && zip(manyEnds, manyEnds.dropFirst()).allSatisfy { $0 + 1 == $1 }
    }
  }

  /// The key path of the name of an entity, which is not an attribute of the model.
  static let entityNameAttribute = AttributeDescription("name of the entity", .string)

  /// Follows a key path from a type.
  func path(
    _ keys: ArraySlice<String>, from start: PredicateType, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> Path {
    var path = Path(type: start, manyCount: start.isCollection ? 1 : 0)
    var index = keys.startIndex
    while index < keys.endIndex {
      let key = keys[index]
      let here = occurrence.key(after: index - keys.startIndex)
      if key.hasPrefix("@") {
        return try calculation(key, keys[(index + 1)...], after: path, at: here)
      }
      path = try follow(key, from: path, at: here)
      index += 1
      // `entity.name` is the same as `entity`.
      if path.type.attribute == Self.entityNameAttribute, index < keys.endIndex,
        keys[index] == "name"
      {
        index += 1
      }
    }
    return path
  }

  private func follow(
    _ key: String, from path: Path, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> Path {
    var next = path
    switch path.type.member {
    case .object(let owner):
      guard let found = property(key, of: owner) else {
        // These name the object itself.
        if key == VirtualKey.objectID || key.uppercased() == "SELF" { return path }
        throw unknown(key, of: owner, at: occurrence)
      }
      next.keys.append(key)
      if case .composite = found {
        next.type = .composite(owner, keys: next.keys)
      } else {
        next.type = found
      }
      if found.isCollection {
        next.manyCount += 1
        next.manyEnds.append(next.keys.count)
      }
    case .composite(let owner, let keys):
      let name = (keys.last ?? "") + "." + key
      guard let found = property(name, of: owner) else {
        let prefix = (keys.last ?? "") + "."
        let leaves = owner.attributes.map(\.name).filter { $0.hasPrefix(prefix) }
          .map { String($0.dropFirst(prefix.count)) }
        throw error(
          "no “\(key)” in \(keys.last ?? "")", at: occurrence,
          suggestions: NearestNames.suggestions(for: key, in: leaves))
      }
      next.keys[next.keys.count - 1] = name
      next.type = found
      if case .composite = found { next.type = .composite(owner, keys: next.keys) }
    case .value(.text, _) where key == VirtualKey.length:
      next.keys.append(key)
      next.type = .value(.number, of: nil)
    case .value(_, let attribute?):
      throw error(
        "\(attribute.name) is \(attribute.type.phrase) and has no property “\(key)”",
        at: occurrence)
    default:
      throw error("A computed value has no property “\(key)”", at: occurrence)
    }
    if path.type.isCollection { next.type = next.type.collected }
    return next
  }

  /// The type of a property; nil if there is none of that name.
  private func property(_ key: String, of owner: EntityDescription) -> PredicateType? {
    if let attribute = owner.attribute(named: key) {
      return .value(PredicateKind(attribute.type), of: attribute)
    }
    if let relationship = owner.relationship(named: key) {
      guard let destination = model.entity(named: relationship.destinationEntityName) else {
        return nil
      }
      return relationship.isToMany ? .collection(of: .object(destination)) : .object(destination)
    }
    if owner.attributes.contains(where: {
      $0.details.compositeName != nil && $0.name.hasPrefix(key + ".")
    }) {
      return .composite(owner, keys: [key])
    }
    return key == VirtualKey.entity ? .value(.text, of: Self.entityNameAttribute) : nil
  }

  private func unknown(
    _ key: String, of owner: EntityDescription, at occurrence: Occurrence
  ) -> FetchPredicateError {
    let names = owner.attributes.map(\.name) + owner.relationships.map(\.name)
    return error(
      "no attribute “\(key)” in \(owner.name)", at: occurrence,
      suggestions: NearestNames.suggestions(for: key, in: names).map {
        Expression.keyPath([$0]).text
      })
  }

  /// Determines the type of a collection operator and the keys after it.
  private func calculation(
    _ name: String, _ rest: ArraySlice<String>, after path: Path, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> Path {
    guard let calculation = CollectionOperator(rawValue: name) else {
      throw error(
        "The collection operator “\(name)” is unknown", at: occurrence,
        suggestions: NearestNames.suggestions(
          for: name, in: CollectionOperator.allCases.map(\.rawValue)))
    }
    guard path.type.isCollection else {
      // A leading operator: `@sum.items.price` is `items.@sum.price`.
      if case .object = path.type, let end = try collectionEnd(of: rest, from: path, at: occurrence)
      {
        return try self.path(
          rest[..<end] + [name] + rest[end...], from: path.type, at: occurrence.whole)
      }
      throw error("\(name) requires a to-many relationship before it", at: occurrence)
    }
    var result = path
    result.keys.append(name)
    let end = rest.firstIndex { $0.hasPrefix("@") } ?? rest.endIndex
    let inner = try self.path(rest[..<end], from: path.type, at: occurrence.key(after: 1))
    result.keys += inner.keys
    result.manyCount += inner.manyCount - 1
    guard calculation.function != nil else {
      result.type = inner.type.collected
      guard end < rest.endIndex else { return result }
      return try self.calculation(
        rest[end], rest[(end + 1)...], after: result,
        at: occurrence.key(after: 1 + end - rest.startIndex))
    }
    if calculation == .count {
      if let extra = rest.first {
        throw error("@count cannot be followed by “\(extra)”", at: occurrence)
      }
      result.type = .value(.number, of: nil)
      return result
    }
    if end < rest.endIndex {
      throw error("\(name) cannot be followed by “\(rest[end])”", at: occurrence)
    }
    let member = inner.type.member
    guard let kind = member.kind else {
      let before = KeyPathText.text(path.keys)
      throw error(
        "\(name) needs an attribute", at: occurrence, expected: "\(before).\(name).attribute")
    }
    if calculation == .sum || calculation == .average {
      guard kind == .number || kind == .any else {
        let last = inner.keys.last ?? ""
        throw error(
          "\(name) needs numbers, but “\(last)” is \(member.phrase)", at: occurrence)
      }
      result.type = .value(.number, of: nil)
    } else {
      result.type = member
    }
    return result
  }

  /// The end of the keys that lead to a collection; nil if they lead to none.
  private func collectionEnd(
    of keys: ArraySlice<String>, from start: Path, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> Int? {
    var path = start
    for index in keys.indices {
      if keys[index].hasPrefix("@") { return nil }
      path = try follow(
        keys[index], from: path, at: occurrence.key(after: 1 + index - keys.startIndex))
      if path.type.isCollection { return index + 1 }
    }
    return nil
  }
}
