import ObjectModel

extension QueryCompiler {
  /// The greatest number of values that SQLite passes to a function, less those that are passed in
  /// addition.
  static let maximumArguments = 120

  /// A condition that is evaluated in memory, by a function that is called with the column values.
  func evaluated(_ node: FetchPredicate.Node, in scopes: Scopes) throws(StoreError) -> SQL {
    var leaves = Leaves(compiler: self, scopes: scopes)
    let rewritten = try leaves.replace(in: node)
    guard leaves.arguments.count <= Self.maximumArguments else {
      throw scopes.subject.unsupported(
        "a comparison reads \(leaves.arguments.count) columns, "
          + "more than \(Self.maximumArguments)")
    }
    let condition = EvaluatedCondition(
      predicate: FetchPredicate(rewritten), leaves: leaves.leaves)
    return "cardfile_evaluate(\(["\(condition)"] + leaves.arguments))"
  }

  /// Collects the values that a comparison reads, and replaces its key paths by their indexes.
  private struct Leaves {
    let compiler: QueryCompiler
    let scopes: Scopes
    var leaves: [EvaluatedCondition.Leaf] = []
    var arguments: [SQL] = []
    /// The index of each leaf by its columns, so that equal key paths are passed once.
    private var indexes: [[SQL]: Int] = [:]

    init(compiler: QueryCompiler, scopes: Scopes) {
      self.compiler = compiler
      self.scopes = scopes
    }

    private mutating func replace(in comparison: Comparison) throws(StoreError) -> Comparison {
      var comparison = comparison
      comparison.left = try replace(in: comparison.left)
      comparison.right = try replace(in: comparison.right)
      return comparison
    }

    mutating func replace(in node: FetchPredicate.Node) throws(StoreError)
      -> FetchPredicate.Node
    {
      switch node {
      case .constant: return node
      case .comparison(let comparison) where comparison.modifier != .direct:
        guard let sql = try compiler.quantified(comparison, in: scopes) else {
          return .comparison(try replace(in: comparison))
        }
        let truth = add(.attribute(AttributeDescription("truth", .integer64)), [sql])
        return .comparison(.init(truth, .equal, .constant(.integer(1))))
      case .comparison(let comparison): return .comparison(try replace(in: comparison))
      case .and(let nodes):
        return .and(try nodes.map { node throws(StoreError) in try replace(in: node) })
      case .or(let nodes):
        return .or(try nodes.map { node throws(StoreError) in try replace(in: node) })
      case .not(let node): return .not(try replace(in: node))
      }
    }

    private mutating func replace(in expression: Expression) throws(StoreError) -> Expression {
      switch expression {
      case .constant, .object: return expression
      case .keyPath(let path): return try leaf(path, from: scopes.subject)
      case .selfObject: return try leaf([], from: scopes.subject)
      case .variable(let name, let path):
        guard let scope = scopes.variables[name] else { return .constant(.null) }
        return try leaf(path, from: scope)
      case .list(let elements):
        return .list(try elements.map { element throws(StoreError) in try replace(in: element) })
      case .function(let name, let arguments)
      where PredicateFunction(written: name) == .valueForKeyPath && arguments.count == 2:
        guard case .keyPath(let keys) = arguments[1] else {
          throw scopes.subject.unsupported("\(name) takes a key path")
        }
        return try value(at: keys, of: arguments[0])
      case .function(let name, let arguments):
        return .function(
          name, try arguments.map { argument throws(StoreError) in try replace(in: argument) })
      case .cast(let operand, let type): return .cast(try replace(in: operand), type)
      case .ternary(let condition, let first, let second):
        return .ternary(
          try replace(in: condition), try replace(in: first), try replace(in: second))
      case .element(let collection, .index(let index)):
        return .element(try replace(in: collection), .index(try replace(in: index)))
      case .element(let collection, let element):
        return .element(try replace(in: collection), element)
      case .subquery(let collection, let variable, let node):
        return try subquery(collection, variable: variable, node, keys: [])
      }
    }

    /// A key path that follows another expression.
    private mutating func value(at keys: [String], of expression: Expression) throws(StoreError)
      -> Expression
    {
      switch expression {
      case .subquery(let collection, let variable, let node):
        return try subquery(collection, variable: variable, node, keys: keys)
      default:
        throw scopes.subject.unsupported(
          "the key path \(keys.joined(separator: ".")) follows an unsupported expression")
      }
    }

    /// A key path to a value, an object, or a collection of them.
    private mutating func leaf(_ path: [String], from scope: QueryScope) throws(StoreError)
      -> Expression
    {
      let names = path.prefix { !$0.hasPrefix("@") }
      switch try scope.follow(names) {
      case .attribute(let column) where names.count == path.count:
        return add(.attribute(column.attribute), [column.value])
      case .object(let object) where names.count == path.count:
        return add(.init(object, storeIdentifier: compiler.storeIdentifier), object.columns)
      case .collection(let collection):
        return try elements(
          collection, operators: Array(path[names.endIndex...]), filter: nil)
      case .attribute, .object:
        throw scope.unsupported(
          "\(path.joined(separator: ".")): a collection operator needs a to-many relationship")
      }
    }

    /// The objects of a collection that satisfy a condition, with the value of the key path for
    /// each.
    private mutating func elements(
      _ collection: CollectionOperand, operators: [String],
      filter: ((CollectionScope) throws(StoreError) -> SQL)?
    ) throws(StoreError) -> Expression {
      let (objects, rest) = try CollectionScope.chain(collection)
      let names = rest + operators.filter { !$0.hasPrefix("@") }
      let element: EvaluatedCondition.Leaf
      let columns: [SQL]
      switch try objects.scope.follow(names) {
      case .attribute(let column):
        (element, columns) = (.attribute(column.attribute), [column.value])
      case .object(let object):
        element = .init(object, storeIdentifier: compiler.storeIdentifier)
        columns = object.columns
      case .collection(let inner):
        throw objects.scope.unsupported(
          "\(collection.relationship.name) and \(inner.relationship.name) are both to-many: "
            + "use ANY or SUBQUERY"
        )
      }
      let condition = try filter?(objects)
      let leaf = EvaluatedCondition.Leaf.collection(of: element, isObject: names.isEmpty)
      guard case .keyPath(var path) = add(leaf, [objects.groupedRows(columns, where: condition)])
      else { return .list([]) }
      if !rest.isEmpty { path.append(EvaluatedCondition.elementKey) }
      var namesValue = !rest.isEmpty
      for component in operators {
        if component.hasPrefix("@") {
          path.append(component)
        } else if !namesValue {
          path.append(EvaluatedCondition.elementKey)
          namesValue = true
        }
      }
      return .keyPath(path)
    }

    private mutating func subquery(
      _ source: Expression, variable: String, _ node: FetchPredicate.Node, keys: [String]
    ) throws(StoreError) -> Expression {
      guard case .collection(let collection)? = try compiler.target(of: source, in: scopes),
        collection.rest.isEmpty
      else {
        throw scopes.subject.unsupported("SUBQUERY needs a to-many relationship")
      }
      let (compiler, scopes) = (compiler, scopes)
      return try elements(collection, operators: keys) { objects throws(StoreError) in
        try compiler.filter(node, variable: variable, of: objects, in: scopes)
      }
    }

    private mutating func add(_ leaf: EvaluatedCondition.Leaf, _ columns: [SQL]) -> Expression {
      if let index = indexes[columns], leaves[index] == leaf { return .keyPath([String(index)]) }
      indexes[columns] = leaves.count
      leaves.append(leaf)
      arguments += columns
      return .keyPath([String(leaves.count - 1)])
    }
  }
}

extension EvaluatedCondition.Leaf {
  fileprivate init(_ object: ObjectOperand, storeIdentifier: String) {
    self = .object(
      storeIdentifier: storeIdentifier,
      entityName: object.entityName,
      entityNames: object.entityColumn == nil ? [:] : object.entityNames,
      keyCount: object.keyColumns.count, isRowid: object.isRowid)
  }
}

extension ObjectOperand {
  /// The columns that identify the object.
  fileprivate var columns: [SQL] { keyColumns + (entityColumn.map { [$0] } ?? []) }
}
