import Foundation
import ObjectModel

/// Writes predicates as `$filter`.
///
/// What is sent never leaves out an object that meets the predicate: what OData cannot say, or a
/// service may take in another way (diacritics, regular expressions, the order of texts), is left
/// out, and evaluated here over what the service answers. OData's null is ours in comparisons; but
/// `contains(null, 'a')` is null, and so is its negation, where ours is true: inside of `not` a
/// condition on text also says that there is one.
struct ODataFilter {
  /// The longest filter that is sent: many servers take addresses of 8 KiB, percent-encoded.
  static let maximumLength = 4000

  /// A predicate as far as it is sent.
  struct Answer: Equatable {
    /// The filter without percent-encoding; nil if nothing is sent.
    var text: String?
    /// The parts that are evaluated here, as predicate formats; empty if the service does all.
    var rest: [String] = []

    /// Whether the service answers with exactly the objects that meet the predicate.
    var isExact: Bool { rest.isEmpty }
  }

  typealias Node = FetchPredicate.Node
  typealias Expression = FetchPredicate.Expression
  typealias Comparison = FetchPredicate.Comparison

  /// A condition as text.
  struct Condition {
    var text: String
    /// Whether it holds for no other objects.
    var isExact = true
    /// Whether it needs no parentheses beside `and` and `or`.
    var isAtom = true

    static func constant(_ truth: Bool) -> Condition { Condition(text: truth ? "true" : "false") }

    var atom: String { isAtom ? text : "(\(text))" }
  }

  /// What keys are relative to: the object itself, or the variable of a lambda operator.
  struct Scope {
    var prefix: String
    var entityName: String
  }

  let model: ODataModel
  /// The key of an object in the service, in the order of its key's attributes; nil if it has none.
  let remoteKey: (ObjectID) -> [Value]?
  private let root: Scope
  private var variables: [String: Scope] = [:]
  /// The number of lambda operators around the condition.
  private var depth = 0
  /// Whether the condition is inside of `not`.
  var isNegated = false

  /// Creates a writer for the objects of an entity.
  init(
    _ model: ODataModel, entityName: String,
    remoteKey: @escaping (ObjectID) -> [Value]? = { _ in nil }
  ) {
    (self.model, self.remoteKey) = (model, remoteKey)
    root = Scope(prefix: "", entityName: entityName)
  }

  /// Writes a validated predicate.
  func answer(to predicate: FetchPredicate) -> Answer {
    let entity = model.entities[root.entityName]
    var answer = Answer()
    var sent: [Condition] = []
    var length = 0
    for part in Self.conjuncts(of: predicate.node) {
      let condition = entity?.capabilities.isFilterable == true ? self.condition(part) : nil
      let encoded = condition.map { ODataText.encoded($0.atom).utf8.count } ?? 0
      if let condition, length + encoded <= Self.maximumLength {
        length += encoded
        sent.append(condition)
        if condition.isExact { continue }
      }
      answer.rest.append(FetchPredicate(part).description)
    }
    if !sent.isEmpty { answer.text = Self.joined(sent, by: "and").text }
    return answer
  }

  private static func conjuncts(of node: Node) -> [Node] {
    if case .and(let nodes) = node, !nodes.isEmpty { nodes.flatMap(conjuncts) } else { [node] }
  }

  /// A condition; nil if nothing of it can be sent.
  func condition(_ node: Node) -> Condition? {
    switch node {
    case .constant(let truth): return .constant(truth)
    case .and(let nodes):
      let conditions = nodes.compactMap(condition)
      guard !conditions.isEmpty || nodes.isEmpty else { return nil }
      var joined = Self.joined(conditions, by: "and")
      if conditions.count < nodes.count { joined.isExact = false }
      return joined
    case .or(let nodes):
      let conditions = nodes.compactMap(condition)
      return conditions.count == nodes.count ? Self.joined(conditions, by: "or") : nil
    case .not(let inner):
      var negated = self
      negated.isNegated = true
      return negated.condition(inner).flatMap(Self.negation)
    case .comparison(let comparison): return condition(comparison)
    }
  }

  static func joined(_ conditions: [Condition], by word: String) -> Condition {
    guard conditions.count != 1 else { return conditions[0] }
    guard !conditions.isEmpty else { return .constant(word == "and") }
    return Condition(
      text: conditions.map(\.atom).joined(separator: " \(word) "),
      isExact: conditions.allSatisfy(\.isExact), isAtom: false)
  }

  /// The negation; nil for a condition that holds for more objects than it should.
  static func negation(_ condition: Condition) -> Condition? {
    condition.isExact ? Condition(text: "not (\(condition.text))") : nil
  }

  // MARK: Comparisons

  private func condition(_ comparison: Comparison) -> Condition? {
    if let members = membership(comparison) { return condition(members) }
    if let (subquery, exists) = counted(comparison) { return condition(subquery, exists: exists) }
    let isReversed = path(comparison.left) == nil && path(comparison.right) != nil
    let comparison = isReversed ? Self.reversed(comparison) : comparison
    guard let comparison, let left = path(comparison.left) else { return nil }
    if case .many(let collection) = left { return condition(comparison, over: collection) }
    // Without a to-many relationship ANY and ALL treat a missing object as an empty collection.
    guard comparison.modifier == .direct else { return nil }
    switch left {
    case .many: return nil
    case .property(let text, let property):
      return ODataComparison(text, property, isNegated: isNegated)
        .condition(comparison) { self.path($0)?.property }
    case .object(let object): return condition(of: object, comparison)
    case .count(let text):
      guard let word = ODataComparison.words[comparison.operation],
        case .constant(.integer(let number)) = comparison.right
      else { return nil }
      return Condition(text: "\(text) \(word) \(number)")
    }
  }

  /// `collection CONTAINS x` and `x IN collection` as ANY; nil for any other comparison.
  private func membership(_ comparison: Comparison) -> Comparison? {
    let sides: (collection: Expression, member: Expression)
    switch comparison.operation {
    case .in: sides = (comparison.right, comparison.left)
    case .contains: sides = (comparison.left, comparison.right)
    default: return nil
    }
    guard comparison.modifier == .direct, case .many? = path(sides.collection) else { return nil }
    switch sides.member {
    case .constant(.null): return Comparison(.constant(.null), .notEqual, .constant(.null))
    case .constant, .object:
      return Comparison(
        sides.collection, .equal, sides.member, options: comparison.options, modifier: .any)
    default: return nil
    }
  }

  private static func reversed(_ comparison: Comparison) -> Comparison? {
    let operations: [FetchPredicate.Operator: FetchPredicate.Operator] = [
      .equal: .equal, .notEqual: .notEqual, .less: .greater, .greater: .less,
      .lessOrEqual: .greaterOrEqual, .greaterOrEqual: .lessOrEqual,
    ]
    guard comparison.modifier == .direct, let operation = operations[comparison.operation] else {
      return nil
    }
    return Comparison(comparison.right, operation, comparison.left, options: comparison.options)
  }

  /// A subquery of which a comparison says that it has members, or that it has none.
  private func counted(_ comparison: Comparison) -> (subquery: Expression, exists: Bool)? {
    guard case .function(let name, let arguments) = comparison.left, let subquery = arguments.first,
      case .subquery = subquery, case .constant(.integer(let number)) = comparison.right
    else { return nil }
    let isCount =
      name == PredicateFunction.count.rawValue
      || name == PredicateFunction.valueForKeyPath.rawValue
        && arguments.last == .keyPath(["@count"])
    guard isCount else { return nil }
    return switch (comparison.operation, number) {
    case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): (subquery, true)
    case (.equal, 0), (.less, 1), (.lessOrEqual, 0): (subquery, false)
    default: nil
    }
  }

  private func condition(_ subquery: Expression, exists: Bool) -> Condition? {
    guard case .subquery(let source, let variable, let node) = subquery,
      case .many(let collection)? = path(source), collection.keys.isEmpty
    else { return nil }
    var inner = entering(collection, as: variable)
    if !exists { inner.isNegated = true }
    guard let condition = inner.condition(node) else { return nil }
    let any = Condition(
      text: "\(collection.text)/any(\(name(at: depth)):\(condition.text))",
      isExact: condition.isExact && !collection.isBehindToOne)
    return exists ? any : Self.negation(any)
  }

  // MARK: Lambda operators

  /// The name of the variable of a lambda operator.
  private func name(at depth: Int) -> String { "x\(depth == 0 ? "" : "\(depth)")" }

  /// The writer of conditions on the members of a collection.
  private func entering(_ collection: Collection, as variable: String) -> ODataFilter {
    var inner = self
    inner.variables[variable] = Scope(
      prefix: name(at: depth) + "/", entityName: collection.entityName)
    inner.depth += 1
    return inner
  }

  private func condition(_ comparison: Comparison, over collection: Collection) -> Condition? {
    guard comparison.modifier != .direct else { return nil }
    // No predicate's variable has this name.
    let variable = "\u{1}\(depth)"
    let filter = entering(collection, as: variable)
    var inner = comparison
    inner.left = .variable(variable, collection.keys)
    var isNested = false
    if case .many? = filter.path(inner.left) { isNested = true }
    if !isNested {
      inner.modifier = .direct
      // A missing object on the way is no member here, but null in the service.
      let passesToOne = collection.keys.dropLast().contains { key in
        model.model.entity(named: collection.entityName)?.relationship(named: key) != nil
      }
      if passesToOne, inner.operation == .notEqual || inner.right == .constant(.null) { return nil }
    }
    guard let condition = filter.condition(inner) else { return nil }
    let isAll = comparison.modifier == .all
    if isAll, collection.isBehindToOne { return nil }
    return Condition(
      text: "\(collection.text)/\(isAll ? "all" : "any")(\(name(at: depth)):\(condition.text))",
      isExact: condition.isExact && !collection.isBehindToOne)
  }

  // MARK: Objects

  /// A comparison of an object with an object, or with NULL.
  private func condition(of object: Object, _ comparison: Comparison) -> Condition? {
    switch (comparison.operation, comparison.right) {
    case (.equal, .constant(.null)), (.notEqual, .constant(.null)):
      let isEqual = comparison.operation == .equal
      guard let text = object.text else { return .constant(!isEqual) }
      return Condition(text: "\(object.foreignKey.first ?? text) \(isEqual ? "eq" : "ne") null")
    case (.equal, .object(let id)): return condition(of: object, equals: id)
    case (.notEqual, .object(let id)):
      return condition(of: object, equals: id).flatMap(Self.negation)
    case (.in, .list(let items)):
      let conditions = items.compactMap { item -> Condition? in
        guard case .object(let id) = item else { return nil }
        return condition(of: object, equals: id)
      }
      return conditions.count == items.count ? Self.joined(conditions, by: "or") : nil
    default: return nil
    }
  }

  private func condition(of object: Object, equals id: ObjectID) -> Condition? {
    guard let entity = model.entities[object.entityName], let key = remoteKey(id),
      !key.isEmpty, key.count == entity.key.count
    else { return nil }
    var conditions: [Condition] = []
    for (index, (name, value)) in zip(entity.key, key).enumerated() {
      guard let property = entity.properties[name],
        let literal = ODataValue(property.kind).literal(value)
      else { return nil }
      let own = object.foreignKey.isEmpty ? object.prefix + property.text : object.foreignKey[index]
      conditions.append(Condition(text: "\(own) eq \(literal)"))
    }
    return Self.joined(conditions, by: "and")
  }
}

// MARK: - Key paths

extension ODataFilter {
  /// A to-many relationship that a key path goes through.
  struct Collection {
    var text: String
    var entityName: String
    /// The keys after it.
    var keys: [String]
    /// Whether a to-one relationship comes before it, whose destination may be missing.
    var isBehindToOne: Bool
  }

  /// An object that a key path leads to.
  struct Object {
    /// Its path; nil for the object itself.
    var text: String?
    var prefix: String
    var entityName: String
    /// The paths of the properties that hold its key, of the object that refers to it.
    var foreignKey: [String] = []
  }

  /// Where an expression leads.
  enum Path {
    case property(String, ODataModel.Property)
    case object(Object)
    case many(Collection)
    case count(String)

    var property: (String, ODataModel.Property)? {
      if case .property(let text, let property) = self { (text, property) } else { nil }
    }
  }

  /// Follows an expression that is a key path; nil for any other, and for one that cannot be sent.
  func path(_ expression: Expression) -> Path? {
    switch expression {
    case .selfObject: path([], from: root)
    case .keyPath(let keys): path(keys[...], from: root)
    case .variable(let name, let keys): variables[name].flatMap { path(keys[...], from: $0) }
    default: nil
    }
  }

  private func path(_ keys: ArraySlice<String>, from start: Scope) -> Path? {
    // Inside of a lambda operator a path without a variable would be one of the object itself too,
    // but not every service knows.
    let isOuter = depth > 0 && start.prefix.isEmpty
    var object = Object(prefix: isOuter ? "$it/" : start.prefix, entityName: start.entityName)
    var isBehindToOne = false
    var keys = keys
    while let key = keys.popFirst() {
      guard let description = model.model.entity(named: object.entityName),
        let entity = model.entities[object.entityName]
      else { return nil }
      if let property = entity.properties[key] {
        let text = object.prefix + property.text
        let nonFilterable = model.entities[root.entityName]?.capabilities.nonFilterable ?? []
        guard keys.isEmpty, property.kind != .json, !nonFilterable.contains(text) else {
          return nil
        }
        return .property(text, property)
      }
      guard let relationship = description.relationship(named: key) else { return nil }
      let text = object.prefix + key
      if relationship.isToMany {
        if keys.first == "@count" {
          return keys.count == 1 && !isBehindToOne ? .count("\(text)/$count") : nil
        }
        return .many(
          Collection(
            text: text, entityName: relationship.destinationEntityName, keys: Array(keys),
            isBehindToOne: isBehindToOne))
      }
      isBehindToOne = true
      object = Object(
        text: text, prefix: text + "/", entityName: relationship.destinationEntityName,
        foreignKey: (entity.foreignKeys[key] ?? []).compactMap { name in
          entity.properties[name].map { object.prefix + $0.text }
        })
    }
    return .object(object)
  }
}
