import ObjectModel

/// Makes the plan of a fetch of groups from the names in a request.
struct GroupedRequest {
  let context: ManagedObjectContext
  let entity: EntityDescription
  /// The properties that objects of a group have in common, as key paths.
  let groupedBy: [String]
  /// How many columns of a group its objects have in common: also those of an object that is grouped
  /// by which the order needs.
  private let groupCount: Int
  /// The expressions, those that only the condition reads included.
  private(set) var expressions: [ExpressionDescription]
  private var columns: [GroupedFetchPlan.Column] = []
  private var indexes: [String: Int] = [:]

  private static let doing = "fetching groups"

  init(
    _ context: ManagedObjectContext, _ entity: EntityDescription, groupedBy: [String],
    expressions: [ExpressionDescription], sortedBy sortKeys: [String] = []
  ) throws {
    self.context = context
    self.entity = entity
    self.groupedBy = groupedBy
    self.expressions = expressions
    let known = Set(groupedBy + expressions.map(\.name))
    var columns = groupedBy
    for keyPath in sortKeys where !known.contains(keyPath) && !columns.contains(keyPath) {
      if groupedBy.contains(where: { keyPath.hasPrefix($0 + ".") }) { columns.append(keyPath) }
    }
    groupCount = columns.count
    for keyPath in columns {
      let path = try context.propertyPath(keyPath, of: entity)
      guard !path.names.isEmpty else {
        throw refusal(
          "grouped by “\(keyPath)” each object would be a group",
          "fetch it without propertiesToGroupBy")
      }
      let source =
        path.isRelationship
        ? GroupedFetchPlan.Source(relationshipPath: path.names) : try attributeSource(keyPath)
      try add(GroupedFetchPlan.Column(nil, of: source, named: keyPath))
    }
    for expression in expressions { try add(column(of: expression)) }
  }

  private mutating func add(_ column: GroupedFetchPlan.Column) throws {
    let name = column.output.name
    guard indexes.updateValue(columns.count, forKey: name) == nil else {
      throw refusal(
        "two properties are named “\(name)”", "give an expression a name of its own")
    }
    columns.append(column)
  }

  /// The plan.
  ///
  /// - Parameters:
  ///   - plan: Which objects, and the order, limit and offset of the groups.
  ///   - properties: The names of the results besides the expressions; nil for those grouped by.
  ///   - having: The condition on groups.
  ///   - isDistinct: Whether equal results are returned once.
  /// - Returns: The plan, and the name of each column of its results.
  /// - Throws: ``ManagedObjectError``; `FetchPredicateError` if the condition compares kinds that can
  ///   never be equal.
  mutating func plan(
    _ plan: FetchPlan, fetching properties: [String]?, having: FetchPredicate?, isDistinct: Bool
  ) throws -> (plan: GroupedFetchPlan, names: [String]) {
    let visible = (properties ?? groupedBy) + expressions.map(\.name)
    let selected = try visible.map { name in
      if let index = indexes[name] { return index }
      _ = try context.propertyPath(name, of: entity)
      throw refusal(
        "“\(name)” is neither one of propertiesToGroupBy nor an expression",
        "add it to propertiesToGroupBy, or fetch an expression of it, such as its max")
    }
    let order = try plan.sortDescriptors.compactMap { descriptor -> GroupedFetchPlan.Order? in
      if groupedBy.isEmpty, indexes[descriptor.keyPath] == nil {
        // One result has no order, but the key must exist.
        _ = try context.propertyPath(descriptor.keyPath, of: entity)
        return nil
      }
      guard let index = indexes[descriptor.keyPath] else {
        throw refusal(
          "groups cannot be sorted by “\(descriptor.keyPath)”, which is neither one of "
            + "propertiesToGroupBy nor an expression",
          "sort by \(indexes.keys.sorted().joined(separator: " or "))")
      }
      guard !isRelationship(index) else {
        throw refusal(
          "groups cannot be sorted by the relationship “\(descriptor.keyPath)”",
          "group by an attribute of its object too, and sort by that")
      }
      return GroupedFetchPlan.Order(column: index, descriptor: descriptor)
    }
    if having != nil, groupedBy.isEmpty {
      throw refusal(
        "there is a havingPredicate, but nothing is grouped by",
        "set propertiesToGroupBy, or put the condition into the predicate")
    }
    let condition = try having.map { try self.condition($0) }
    var fetch = plan
    fetch.sortDescriptors = []
    return (
      GroupedFetchPlan(
        fetch: fetch, columns: columns, groupCount: groupCount, having: condition,
        order: order, selected: selected, isDistinct: isDistinct), visible
    )
  }

  // MARK: Columns

  private func attributeSource(_ keyPath: String) throws -> GroupedFetchPlan.Source {
    let (path, attribute) = try context.attributePath(keyPath, of: entity)
    return GroupedFetchPlan.Source(path: path, attribute: attribute)
  }

  private func isRelationship(_ index: Int) -> Bool {
    columns[index].source?.isRelationship == true
  }

  private func column(of expression: ExpressionDescription) throws -> GroupedFetchPlan.Column {
    guard let keyPath = expression.keyPath else {
      guard expression.function == .count else {
        throw refusal(
          "the expression “\(expression.name)” computes \(expression.function.rawValue) of nothing",
          "give it the key path of an attribute")
      }
      return GroupedFetchPlan.Column(.count, of: nil, named: expression.name)
    }
    let source = try attributeSource(keyPath)
    switch (expression.function, source.attribute.kind) {
    case (.sum, .text), (.sum, .date), (.sum, .bytes), (.sum, .uuid), (.average, .text),
      (.average, .date), (.average, .bytes), (.average, .uuid):
      throw refusal(
        "the expression “\(expression.name)” adds up “\(keyPath)”, which has no numbers "
          + "(\(source.attribute.type.rawValue))",
        "compute its count, min or max, or choose a number")
    default: break
    }
    return GroupedFetchPlan.Column(expression.function, of: source, named: expression.name)
  }

  // MARK: The condition

  /// The condition on groups, validated, with the index of a column in place of each key path.
  private mutating func condition(_ having: FetchPredicate) throws -> FetchPredicate {
    let count = columns.count
    let named = try FetchPredicate(naming(having.node))
    // Functions that only the condition has are computed too, but are not among the results.
    expressions.removeLast(columns.count - count)
    let groups = EntityDescription(name: entity.name, attributes: columns.map(\.output))
    let valid = try named.validated(
      for: groups, in: ManagedObjectModel(entities: [groups])
    ).predicate
    return FetchPredicate(
      valid.node.replacing { [indexes] expression in
        guard case .keyPath(let keys) = expression, let index = keys.first.flatMap({ indexes[$0] })
        else { return expression }
        return .keyPath([String(index)])
      })
  }

  /// The condition with the name of a column in place of key paths, variables and aggregate
  /// functions.
  private mutating func naming(_ node: FetchPredicate.Node) throws -> FetchPredicate.Node {
    var request = self
    var failure: (any Error)?
    let named = node.replacing { expression in
      do { return try request.name(expression) } catch {
        failure = failure ?? error
        return expression
      }
    }
    if let failure { throw failure }
    named.forEachExpression { expression in
      guard failure == nil else { return }
      switch expression {
      case .keyPath(let keys) where request.indexes[keys.first ?? ""] == nil || keys.count > 1:
        failure = request.unknown(KeyPathText.text(keys))
      case .keyPath(let keys) where request.indexes[keys[0]].map(request.isRelationship) == true:
        failure = request.refusal(
          "the havingPredicate reads the relationship “\(keys[0])”",
          "put the condition into the predicate: the objects of a group have it in common")
      case .selfObject, .subquery, .variable:
        failure = request.refusal(
          "the havingPredicate “\(FetchPredicate(node))” is about groups, which are no objects",
          "compare \(request.indexes.keys.sorted().joined(separator: " or "))")
      default: break
      }
    }
    if let failure { throw failure }
    self = request
    return named
  }

  private mutating func name(_ expression: FetchPredicate.Expression) throws
    -> FetchPredicate.Expression
  {
    switch expression {
    case .keyPath(let keys):
      let name = KeyPathText.text(keys)
      return indexes[name] == nil ? expression : .keyPath([name])
    case .variable(let name, []):
      guard expressions.contains(where: { $0.name == name }) else { throw unknown("$" + name) }
      return .keyPath([name])
    case .function(let written, let arguments):
      guard let known = PredicateFunction(written: written)?.rawValue,
        let function = ExpressionDescription.Function(rawValue: known),
        arguments.count == 1, case .keyPath(let keys) = arguments[0]
      else { return expression }
      let keyPath =
        keys.count == 1 && indexes[keys[0]] != nil ? keys[0] : KeyPathText.text(keys)
      if let same = expressions.first(where: { $0.function == function && $0.keyPath == keyPath }) {
        return .keyPath([same.name])
      }
      let name = "\(known.dropLast())(\(keyPath))"
      let description = ExpressionDescription(name: name, function: function, keyPath: keyPath)
      try add(column(of: description))
      expressions.append(description)
      return .keyPath([name])
    default: return expression
    }
  }

  private func unknown(_ name: String) -> ManagedObjectError {
    let plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
    let near = NearestNames.suggestions(for: plain, in: Array(indexes.keys))
    return refusal(
      "the havingPredicate reads “\(name)”, which is neither one of propertiesToGroupBy nor an "
        + "expression",
      near.isEmpty
        ? "add it to propertiesToGroupBy, compute it, as count(\(plain)), or put the condition "
          + "into the predicate"
        : near.joined(separator: ", "))
  }

  private func refusal(_ detail: String, _ remedy: String) -> ManagedObjectError {
    ManagedObjectError(
      .unsupported, doing: Self.doing, subject: entity.name, detail: detail, remedy: remedy)
  }
}
