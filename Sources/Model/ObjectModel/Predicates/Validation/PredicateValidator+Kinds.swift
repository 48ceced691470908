import Foundation

/// What can be compared, and the conversion of literals.
extension PredicateValidator {
  typealias Pair = (left: Expression, right: Expression)

  // MARK: Operators

  /// The operands of a comparison by equality or order.
  func matched(
    _ left: Checked, _ right: Checked, _ operation: FetchPredicate.Operator
  ) throws(FetchPredicateError) -> Pair {
    let newLeft = try converted(left, to: right)
    let newRight = try converted(right, to: left)
    try checkComparable(newLeft, newRight)
    let isEquality = operation == .equal || operation == .notEqual
    if isEquality {
      try checkEntityName(newLeft, newRight)
      try checkEntityName(newRight, newLeft)
    }
    for side in [newLeft, newRight] where !isEquality {
      switch side.type.member {
      case .object, .list, .composite:
        throw error(
          "“\(side.text)” is \(side.type.member.phrase), which has no order", at: side.occurrence,
          expected: "== or !=")
      case .value, .collection, .null: break
      }
    }
    return (newLeft.expression, newRight.expression)
  }

  /// A value and the list or collection that it may be a member of.
  func membership(
    _ member: Checked, _ list: Checked
  ) throws(FetchPredicateError) -> (member: Expression, list: Expression) {
    if list.type.isCollection {
      let pair = try matched(member, list, .equal)
      return (pair.left, pair.right)
    }
    var list = list
    if member.isLiteral || member.isUnknown || member.type.member.isNull {
      if !member.isUnknown { _ = try unify(&list.parts, in: "a list") }
    }
    var own = member
    if let definite = list.parts.first(where: { !$0.isLiteral && $0.type.kind != nil })
      ?? list.parts.first(where: { $0.type.kind != nil })
    {
      own = try converted(member, to: definite)
    }
    for index in list.parts.indices {
      list.parts[index] = try converted(list.parts[index], to: own)
      try checkComparable(own, list.parts[index])
      try checkEntityName(list.parts[index], own)
    }
    return (own.expression, .list(list.parts.map(\.expression)))
  }

  /// The operands of BETWEEN.
  func bounds(_ value: Checked, _ bounds: Checked) throws(FetchPredicateError) -> Pair {
    guard bounds.type.isList, bounds.parts.count == 2 else {
      if bounds.isUnknown { return (value.expression, bounds.expression) }
      throw error(
        "BETWEEN takes two bounds", at: bounds.occurrence, expected: "{low, high}")
    }
    var items: [Expression] = []
    var own = value
    for bound in bounds.parts {
      let pair = try matched(value, bound, .lessOrEqual)
      own.expression = pair.left
      items.append(pair.right)
    }
    return (own.expression, .list(items))
  }

  /// The operands of an operator for text.
  func texts(
    _ operation: FetchPredicate.Operator, _ left: Checked, _ right: Checked
  ) throws(FetchPredicateError) -> Pair {
    let sign = PredicateWords.sign[operation] ?? ""
    if operation == .in, right.type.kind != .text, !right.isUnknown,
      !(right.isLiteral && right.type.kind == .number && left.type.kind == .text)
    {
      throw error(
        "IN needs a list, but “\(right.text)” is \(right.type.phrase)", at: right.occurrence,
        expected: "{\(right.text)}")
    }
    var sides: [Expression] = []
    for (side, other) in [(left, right), (right, left)] {
      switch side.type.member {
      case .value(.text, let attribute):
        if attribute == Self.entityNameAttribute || !side.isLiteral { break }
      case .value(.any, _), .null: break
      case .value(.number, _)
      where side.isLiteral && !other.isLiteral && other.type.member.kind != .number:
        sides.append(.constant(.string(side.literal?.description ?? "")))
        continue
      case .value(_, let attribute):
        throw error(
          "\(sign) requires text, but \(attribute?.name ?? side.text) is \(side.type.member.phrase)",
          at: side.occurrence,
          expected: "a comparison, or CAST(\(side.text), \"NSString\")")
      case .object, .composite, .list, .collection:
        throw error(
          "\(sign) requires text, but “\(side.text)” is \(side.type.member.phrase)",
          at: side.occurrence, expected: "one of its attributes")
      }
      sides.append(side.expression)
    }
    return (sides[0], sides[1])
  }

  // MARK: Comparing

  /// Refuses two operands that can never be equal.
  func checkComparable(_ left: Checked, _ right: Checked) throws(FetchPredicateError) {
    switch (left.type.member, right.type.member) {
    case (.null, _), (_, .null), (.value(.any, _), _), (_, .value(.any, _)): return
    case (.value(let a, _), .value(let b, _)) where a.isComparable(with: b): return
    case (.value(.date, let attribute?), .value(.number, nil)) where attribute.reading != nil,
      (.value(.number, nil), .value(.date, let attribute?)) where attribute.reading != nil:
      return
    case (.object(let a), .object(let b)):
      let names = Set(model.entityNames(inheritingFrom: a.name))
      if !names.isDisjoint(with: model.entityNames(inheritingFrom: b.name)) { return }
    case (.list, .list): return
    default: break
    }
    throw incomparable(left, right)
  }

  /// Refuses a literal that is compared with the name of an entity and is none.
  private func checkEntityName(_ own: Checked, _ other: Checked) throws(FetchPredicateError) {
    guard other.type.member.attribute == Self.entityNameAttribute,
      case .string(let text)? = own.literal, model.entity(named: text) == nil
    else { return }
    throw error(
      "There is no entity “\(text)”", at: own.occurrence,
      suggestions: NearestNames.suggestions(for: text, in: model.entities.map(\.name))
        .map { "'\($0)'" })
  }

  func incomparable(_ left: Checked, _ right: Checked) -> FetchPredicateError {
    // The literal is wrong if there is one, else the right side.
    let (wrong, other) = left.isLiteral && !right.isLiteral ? (left, right) : (right, left)
    switch (wrong.type.member, other.type.member) {
    case (_, .object(let entity)) where wrong.isLiteral:
      return error(
        "“\(other.text)” is an object (\(entity.name)) and cannot be compared with \(wrong.text)",
        at: other.occurrence,
        expected: "one of its attributes, NULL, or the URI of an object in quotes")
    case (.object(let entity), .object(let otherEntity)):
      return error(
        "“\(wrong.text)” is of \(entity.name) and “\(other.text)” of \(otherEntity.name), so they "
          + "are never the same object", at: wrong.occurrence)
    case (_, let type) where wrong.isLiteral && !other.isLiteral:
      let name = type.attribute?.name ?? "“\(other.text)”"
      return error(
        "\(name) is \(type.phrase), but \(wrong.text) is not", at: wrong.occurrence,
        expected: type.example)
    case (let type, let otherType):
      let cast =
        otherType.kind == .text && type.kind != nil
        ? wrong : type.kind == .text && otherType.kind != nil ? other : nil
      return error(
        "“\(other.text)” is \(otherType.phrase), but “\(wrong.text)” is \(type.phrase)",
        at: wrong.occurrence,
        expected: cast.map { "CAST(\($0.text), \"NSString\")" } ?? "values of one kind")
    }
  }

  /// Requires the parts of a list or of TERNARY to be of one kind, to which literals are converted.
  func unify(
    _ parts: inout [Checked], in container: String
  ) throws(FetchPredicateError) -> PredicateType {
    let definite =
      parts.first { !$0.isLiteral && !$0.type.isNull && !$0.isUnknown }
      ?? parts.first { $0.isLiteral && $0.type.kind != .text } ?? parts.first { !$0.type.isNull }
    guard let definite else { return .null }
    if parts.contains(where: { $0.isUnknown }) { return .value(.any, of: nil) }
    for index in parts.indices {
      let part = try converted(parts[index], to: definite)
      switch (part.type, definite.type) {
      case (.value(let a, _), .value(let b, _)) where !a.isComparable(with: b):
        throw error(
          "\(container) has values of different kinds: \(definite.text) is "
            + "\(definite.type.phrase), \(part.text) is \(part.type.phrase)",
          at: part.occurrence)
      default: try checkComparable(definite, part)
      }
      parts[index] = part
    }
    let isName = definite.type.attribute == Self.entityNameAttribute
    return isName && parts.count > 1 ? .value(.text, of: nil) : definite.type
  }

  // MARK: Converting literals

  /// An operand with its literals converted to the kind of another operand.
  ///
  /// - Throws: If the other operand is not a literal, and this one cannot be of its kind.
  func converted(_ own: Checked, to other: Checked) throws(FetchPredicateError) -> Checked {
    var result = own
    switch own.expression {
    case .constant(let value):
      guard let converted = try convert(value, of: own, to: other) else { return own }
      result.expression = converted
      if case .object(let id) = converted {
        result.type = model.entity(named: id.entityName).map { .object($0) } ?? .null
      } else if case .constant(let value) = converted, let kind = PredicateKind(value) {
        result.type = .value(kind, of: nil)
      }
    // A key path after TERNARY is one too, whose values are no literals.
    case .ternary(let node, _, _) where own.parts.count == 2:
      for index in own.parts.indices {
        result.parts[index] = try converted(own.parts[index], to: other)
      }
      result.expression = .ternary(node, result.parts[0].expression, result.parts[1].expression)
      // As after `unify`, which found all values to be of one kind.
      result.type = result.parts.first { !$0.type.isNull }?.type ?? .null
    default: break
    }
    return result
  }

  /// The literal in the kind of an operand; nil to leave it as it is.
  private func convert(
    _ value: Value, of own: Checked, to other: Checked
  ) throws(FetchPredicateError) -> Expression? {
    switch (other.type.member, value) {
    case (.object(let entity), .string(let text)):
      guard let id = ObjectID(uriRepresentation: text) else { return nil }
      guard model.entity(named: id.entityName) != nil else {
        throw error(
          "There is no entity “\(id.entityName)”, so “\(other.text)” (\(entity.name)) is never "
            + "that object", at: own.occurrence)
      }
      return .object(id)
    case (.value(.text, _), .integer), (.value(.text, _), .double), (.value(.text, _), .decimal):
      return other.isLiteral ? nil : .constant(.string(value.description))
    case (.value(let kind, let attribute), .string(let text)):
      guard let read = Self.read(text, as: kind, attribute) else {
        if other.isLiteral, own.isLiteral { return nil }
        throw incomparable(own, other)
      }
      return .constant(Self.stored(read, attribute))
    case (.value(.date, let attribute?), _) where value.number != nil && attribute.reading != nil:
      // The number is the stored form of a date, or one that no date is stored as.
      var stored = value
      if case .decimal(let decimal) = value {
        stored = .double(Number.decimal(decimal).approximation)
      }
      return .constant(attribute.decode(stored))
    case (.value(.date, let attribute), .date): return .constant(Self.stored(value, attribute))
    default: return nil
    }
  }

  /// A date as an attribute would store it, so that it is equal to what was made of it.
  private static func stored(_ value: Value, _ attribute: AttributeDescription?) -> Value {
    guard case .date = value, let attribute, let stored = try? attribute.encode(value) else {
      return value
    }
    return attribute.decode(stored)
  }

  /// Reads text as a value of a kind; the text itself for text and for any kind.
  static func read(_ text: String, as kind: PredicateKind, _ attribute: AttributeDescription?)
    -> Value?
  {
    switch kind {
    case .number:
      switch attribute?.type {
      case .boolean?: AttributeDescription.reading(text, as: .boolean)
      case .double?, .float?: AttributeDescription.reading(text, as: .double)
      default: AttributeDescription.reading(text, as: .integer64)
      }
    case .date: AttributeDescription.reading(text, as: .date)
    case .uuid: AttributeDescription.reading(text, as: .uuid)
    case .data: nil
    case .text, .any: .string(text)
    }
  }
}

extension PredicateValidator.Checked {
  /// The value of a literal; nil for anything else.
  var literal: Value? {
    if case .constant(let value) = expression { value } else { nil }
  }
}

extension PredicateType {
  var isNull: Bool { if case .null = self { true } else { false } }

  /// An example of a literal of the type; empty if there is none.
  var example: String {
    switch (kind, attribute?.type) {
    case (.date, _): "a date such as '2024-05-01' or '2024-05-01T12:00:00Z'"
    case (_, .boolean?): "TRUE or FALSE"
    case (.number, let type): type?.example ?? "a number such as 12"
    case (.uuid, _): AttributeType.uuid.example
    case (.data, _): "CAST('…', 'NSData') with bytes in base64"
    default: ""
    }
  }
}
