import ObjectModel

extension QueryCompiler {
  /// ANY and ALL over a to-many relationship, as EXISTS; nil if it must be evaluated in memory.
  func quantified(_ comparison: Comparison, in scopes: Scopes) throws(StoreError) -> SQL? {
    guard case .collection(let collection)? = try target(of: comparison.left, in: scopes) else {
      return nil
    }
    let objects = try CollectionScope(collection)
    // Key paths on the right start at the outer row, those on the left at the collection's objects.
    let element = "\u{0}element"
    var inner = scopes.inSubquery
    inner.variables[element] = objects.scope
    var part = comparison
    part.left = .variable(element, collection.rest)
    if case .collection? = try target(of: part.left, in: inner) {
      // Another to-many relationship follows in the key path: any of any, all of all.
    } else {
      part.modifier = .direct
    }
    if comparison.modifier == .any {
      return objects.exists(try condition(part, in: inner, exact: false))
    }
    let fulfilled = try condition(part, in: inner, exact: true)
    return "(NOT \(objects.exists("NOT \(fulfilled)")))"
  }

  /// A comparison of a collection's count with a number; nil for any other comparison.
  func counting(_ comparison: Comparison, in scopes: Scopes) throws(StoreError) -> PlainCondition? {
    var comparison = comparison
    if case .constant = comparison.left, let mirrored = comparison.operation.mirrored {
      swap(&comparison.left, &comparison.right)
      comparison.operation = mirrored
    }
    guard case .constant(let value) = comparison.right, value.isNumber,
      let limit = value.comparisonValue,
      comparison.options.isEmpty, comparison.operation.mirrored != nil,
      let (objects, filter) = try counted(comparison.left, in: scopes)
    else { return nil }
    switch (comparison.operation, limit) {
    case (.greater, .integer(0)), (.notEqual, .integer(0)), (.greaterOrEqual, .integer(1)):
      return PlainCondition(sql: objects.exists(filter), mayBeNull: false)
    case (.equal, .integer(0)), (.less, .integer(1)), (.lessOrEqual, .integer(0)):
      return PlainCondition(sql: "(NOT \(objects.exists(filter)))", mayBeNull: false)
    default:
      return PlainCondition(
        sql: "\(objects.count(filter)) \(comparison.operation.sql) \(limit)", mayBeNull: false)
    }
  }

  /// The collection that an expression counts, and the condition on its objects; nil for any other
  /// expression.
  func counted(_ expression: Expression, in scopes: Scopes) throws(StoreError)
    -> (CollectionScope, SQL?)?
  {
    if let path = expression.countedPath,
      case .collection(let collection)? = try target(of: path, in: scopes)
    {
      let (objects, rest) = try CollectionScope.chain(collection)
      return rest.isEmpty ? (objects, nil) : nil
    }
    guard let source = expression.countedSubquery,
      case .subquery(let path, let variable, let node) = source,
      case .collection(let collection)? = try target(of: path, in: scopes), collection.rest.isEmpty
    else { return nil }
    let objects = try CollectionScope(collection)
    return (objects, try filter(node, variable: variable, of: objects, in: scopes))
  }

  /// The condition of a SUBQUERY.
  func filter(
    _ node: FetchPredicate.Node, variable: String, of objects: CollectionScope, in scopes: Scopes
  ) throws(StoreError) -> SQL {
    var inner = scopes.inSubquery
    inner.variables[variable] = objects.scope
    return try condition(node, in: inner, exact: false)
  }
}

extension FetchPredicate.Expression {
  /// The key path before `@count` or `[SIZE]`; nil for any other expression.
  fileprivate var countedPath: FetchPredicate.Expression? {
    switch self {
    case .keyPath(let path) where path.last == "@count": .keyPath(Array(path.dropLast()))
    case .variable(let name, let path) where path.last == "@count":
      .variable(name, Array(path.dropLast()))
    case .element(let collection, .size): collection
    default: nil
    }
  }

  /// The SUBQUERY that is counted; nil for any other expression.
  fileprivate var countedSubquery: FetchPredicate.Expression? {
    switch self {
    case .element(let collection, .size): collection
    case .function(let name, let arguments)
    where PredicateFunction(written: name) == .valueForKeyPath && arguments.count == 2
      && arguments[1] == .keyPath(["@count"]):
      arguments[0]
    case .function(let name, let arguments)
    where PredicateFunction(written: name) == .count && arguments.count == 1:
      arguments[0]
    default: nil
    }
  }
}
