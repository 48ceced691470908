extension FetchPredicate.Node {
  /// Calls a closure with every expression of the condition, outer ones first.
  package func forEachExpression(_ body: (FetchPredicate.Expression) -> Void) {
    forEachSide { $0.forEachExpression(body) }
  }

  /// Calls a closure with both sides of every comparison.
  fileprivate func forEachSide(_ body: (FetchPredicate.Expression) -> Void) {
    switch self {
    case .constant: break
    case .and(let nodes), .or(let nodes): nodes.forEach { $0.forEachSide(body) }
    case .not(let node): node.forEachSide(body)
    case .comparison(let comparison):
      body(comparison.left)
      body(comparison.right)
    }
  }

  /// Returns the condition with every expression replaced by the closure's result, inner ones
  /// first.
  package func replacing(
    _ replace: (FetchPredicate.Expression) -> FetchPredicate.Expression
  ) -> FetchPredicate.Node {
    switch self {
    case .constant: return self
    case .and(let nodes): return .and(nodes.map { $0.replacing(replace) })
    case .or(let nodes): return .or(nodes.map { $0.replacing(replace) })
    case .not(let node): return .not(node.replacing(replace))
    case .comparison(var comparison):
      comparison.left = comparison.left.replacing(replace)
      comparison.right = comparison.right.replacing(replace)
      return .comparison(comparison)
    }
  }
}

extension FetchPredicate.Expression {
  /// Calls a closure with this expression and every expression in it, outer ones first.
  package func forEachExpression(_ body: (FetchPredicate.Expression) -> Void) {
    body(self)
    switch self {
    case .constant, .object, .keyPath, .variable, .selfObject: break
    case .list(let items), .function(_, let items): items.forEach { $0.forEachExpression(body) }
    case .subquery(let collection, _, let node):
      collection.forEachExpression(body)
      node.forEachExpression(body)
    case .cast(let inner, _): inner.forEachExpression(body)
    case .ternary(let node, let yes, let no):
      node.forEachExpression(body)
      yes.forEachExpression(body)
      no.forEachExpression(body)
    case .element(let collection, let element):
      collection.forEachExpression(body)
      if case .index(let index) = element { index.forEachExpression(body) }
    }
  }

  /// Whether the expression contains a variable.
  func mentions(_ variable: String) -> Bool {
    var isFound = false
    forEachExpression { if case .variable(variable, _) = $0 { isFound = true } }
    return isFound
  }

  func replacing(
    _ replace: (FetchPredicate.Expression) -> FetchPredicate.Expression
  ) -> FetchPredicate.Expression {
    let inner: FetchPredicate.Expression
    switch self {
    case .constant, .object, .keyPath, .variable, .selfObject: inner = self
    case .list(let items): inner = .list(items.map { $0.replacing(replace) })
    case .function(let name, let items):
      inner = .function(name, items.map { $0.replacing(replace) })
    case .subquery(let collection, let variable, let node):
      inner = .subquery(
        collection.replacing(replace), variable: variable, node.replacing(replace))
    case .cast(let value, let type): inner = .cast(value.replacing(replace), type)
    case .ternary(let node, let yes, let no):
      inner = .ternary(node.replacing(replace), yes.replacing(replace), no.replacing(replace))
    case .element(let collection, .index(let index)):
      inner = .element(collection.replacing(replace), .index(index.replacing(replace)))
    case .element(let collection, let element):
      inner = .element(collection.replacing(replace), element)
    }
    return replace(inner)
  }
}

extension FetchPredicate {
  /// Returns the predicate with its variables replaced by values, like NSPredicate's method of this
  /// name.
  ///
  /// - Parameter arguments: The values of `$name`, by name. Other variables, and those of SUBQUERY,
  ///   are kept.
  /// - Returns: The predicate with the given variables replaced.
  public func withSubstitutionVariables(
    _ arguments: [String: any PredicateArgument]
  ) -> FetchPredicate {
    FetchPredicate(
      node.replacing { expression in
        guard case .variable(let name, let keys) = expression,
          let argument = arguments[name]?.predicateArgument.expression
        else { return expression }
        return keys.isEmpty ? argument : .function("valueForKeyPath:", [argument, .keyPath(keys)])
      })
  }

  /// All key paths that the predicate reads, without collection operators, in the form of
  /// `KeyPathText`.
  ///
  /// The key paths in a SUBQUERY begin with the path of its collection, so that changes of related
  /// objects can be observed. `SELF` adds no key path.
  package var keyPaths: Set<String> {
    var paths: Set<[String]> = []
    KeyPathCollector.collect(node, [:], into: &paths)
    return Set(paths.map { KeyPathText.text($0) })
  }
}

/// Collects the key paths of a condition; a SUBQUERY's variable is replaced by the path of its
/// collection.
private enum KeyPathCollector {
  typealias Scope = [String: [String]]

  static func collect(_ node: FetchPredicate.Node, _ scope: Scope, into paths: inout Set<[String]>)
  {
    node.forEachSide { collect($0, scope, into: &paths) }
  }

  /// Collects the key paths of an expression; returns the path of its value if that is reached by a
  /// key path.
  @discardableResult
  static func collect(
    _ expression: FetchPredicate.Expression, _ scope: Scope, into paths: inout Set<[String]>
  ) -> [String]? {
    switch expression {
    case .constant, .object: return nil
    case .selfObject: return []
    case .keyPath(let keys): return add(keys, to: [], &paths)
    case .variable(let name, let keys): return scope[name].flatMap { add(keys, to: $0, &paths) }
    case .function(PredicateFunction.valueForKeyPath.rawValue, let arguments):
      guard arguments.count == 2, case .keyPath(let keys) = arguments[1],
        let base = collect(arguments[0], scope, into: &paths)
      else { return nil }
      return add(keys, to: base, &paths)
    case .list(let items), .function(_, let items):
      for item in items { collect(item, scope, into: &paths) }
      return nil
    case .subquery(let collection, let variable, let node):
      let base = collect(collection, scope, into: &paths)
      var inner = scope
      inner[variable] = base
      collect(node, inner, into: &paths)
      return base
    case .cast(let inner, _): return collect(inner, scope, into: &paths)
    case .ternary(let node, let yes, let no):
      collect(node, scope, into: &paths)
      collect(yes, scope, into: &paths)
      return collect(no, scope, into: &paths)
    case .element(let collection, let element):
      if case .index(let index) = element { collect(index, scope, into: &paths) }
      return collect(collection, scope, into: &paths)
    }
  }

  private static func add(
    _ keys: [String], to base: [String], _ paths: inout Set<[String]>
  ) -> [String]? {
    let path = base + keys.filter { CollectionOperator(rawValue: $0) == nil }
    if !path.isEmpty { paths.insert(path) }
    return path
  }
}
