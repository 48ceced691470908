extension PredicateParser {
  /// Parses a function call, or a SUBQUERY, TERNARY, CAST or FUNCTION expression.
  mutating func call(_ name: String, _ level: Int) throws(FetchPredicateError) -> Parsed {
    let start = token.range
    try checkNesting(level + 1)
    advance()
    let outer = compared
    compared = nil
    defer { compared = outer }
    try expect("(", "“\(name)”")
    switch name.uppercased() {
    case "SUBQUERY": return try subquery(level + 1, from: start.lowerBound)
    case "TERNARY": return try ternary(level + 1, from: start.lowerBound)
    case "CAST", "CASTOBJECT:TOTYPE:": return try cast(level + 1, from: start.lowerBound)
    case "FUNCTION": return try selector(level + 1, from: start.lowerBound)
    default:
      let (arguments, depth) = try list(until: ")", level, "“\(name)(”")
      return try function(name, at: start, arguments, depth, from: start.lowerBound)
    }
  }

  private mutating func function(
    _ name: String, at range: Range<Int>, _ arguments: [FetchPredicate.Expression], _ depth: Int,
    from start: Int
  ) throws(FetchPredicateError) -> Parsed {
    if name.lowercased().hasPrefix("distancetolocation") {
      throw error("\(name) is not supported: attributes cannot contain locations", at: range)
    }
    if let only = arguments.first, arguments.count == 1,
      PredicateFunction.identities.contains(PredicateFunction.plain(name))
    {
      forget(only)
      return try only.isLeaf
        ? leaf(only, from: start) : made(.expression(only), depth: depth, from: start)
    }
    guard let function = PredicateFunction(written: name) else {
      let names = PredicateFunction.allCases.map(\.written) + ["SUBQUERY", "CAST", "TERNARY"]
      throw error(
        "The function “\(name)” is unknown", at: range,
        suggestions: NearestNames.suggestions(for: name, in: names))
    }
    if function.isAggregate, arguments.count > 1 {
      let list = try made(.expression(.list(arguments)), depth: depth + 1, from: start)
      return try made(
        .expression(.function(function.rawValue, [try expression(list)])), depth: depth + 2,
        from: start)
    }
    guard arguments.count == function.arity else {
      throw error(
        "\(function.written) takes \(function.arity) argument\(function.arity == 1 ? "" : "s"), "
          + "not \(arguments.count)", at: range)
    }
    return try made(
      .expression(.function(function.rawValue, arguments)), depth: depth + 1, from: start)
  }

  private mutating func subquery(_ level: Int, from start: Int) throws(FetchPredicateError)
    -> Parsed
  {
    let collection = try arithmetic(level)
    try expect(",", "SUBQUERY")
    guard case .variable(let name) = token.kind else {
      throw error("SUBQUERY needs a variable", expected: "$x")
    }
    progress.variables[name] = try expression(collection)
    advance()
    try expect(",", "SUBQUERY")
    let inner = try disjunction(level)
    let node = try condition(inner)
    try expect(")", "SUBQUERY")
    return try made(
      .expression(.subquery(try expression(collection), variable: name, node)),
      depth: max(collection.depth, inner.depth) + 1, from: start)
  }

  private mutating func ternary(_ level: Int, from start: Int) throws(FetchPredicateError) -> Parsed
  {
    let test = try disjunction(level)
    let node = try condition(test)
    try expect(",", "TERNARY")
    let yes = try arithmetic(level)
    try expect(",", "TERNARY")
    let no = try arithmetic(level)
    try expect(")", "TERNARY")
    return try made(
      .expression(.ternary(node, try expression(yes), try expression(no))),
      depth: max(test.depth, yes.depth, no.depth) + 1, from: start)
  }

  /// Parses a CAST.
  ///
  /// A literal that is cast to a type without literals of its own (such as a date) becomes a
  /// constant of that type at once.
  private mutating func cast(_ level: Int, from start: Int) throws(FetchPredicateError) -> Parsed {
    let inner = try arithmetic(level)
    let value = try expression(inner)
    try expect(",", "CAST")
    let type = try text("CAST")
    guard let cast = PredicateCast(written: type) else {
      throw error(
        "The type “\(type)” is unknown", at: tokens[position - 1].range,
        expected: PredicateCast.names.joined(separator: ", "),
        suggestions: NearestNames.suggestions(for: type, in: PredicateCast.names))
    }
    try expect(")", "CAST")
    guard case .constant(let literal) = value, !literal.isNull else {
      return try made(.expression(.cast(value, type)), depth: inner.depth + 1, from: start)
    }
    if cast == .objectID, let id = literal.text.flatMap(ObjectID.init(uriRepresentation:)) {
      forget(value)
      return try leaf(.object(id), from: start)
    }
    guard [.date, .decimal, .uuid, .url, .data, .objectID].contains(cast) else {
      return try made(.expression(.cast(value, type)), depth: inner.depth + 1, from: start)
    }
    let meant = cast.value(literal)
    if meant.isNull {
      throw error("“\(literal)” cannot be cast to \(type)", at: inner.range)
    }
    forget(value)
    return try self.literal(meant, from: start)
  }

  /// Parses `FUNCTION(x, "selector", …)`; the target `x` is the first argument.
  private mutating func selector(_ level: Int, from start: Int) throws(FetchPredicateError)
    -> Parsed
  {
    let target = try arithmetic(level)
    try expect(",", "FUNCTION")
    let name = try text("FUNCTION")
    let range = tokens[position - 1].range
    var arguments = [try expression(target)]
    var depth = target.depth
    if accept(",") {
      let (more, deepest) = try list(until: ")", level, "FUNCTION")
      arguments += more
      depth = max(depth, deepest)
    } else {
      try expect(")", "FUNCTION")
    }
    return try function(name, at: range, arguments, depth, from: start)
  }

  /// Parses a text in quotes, or a `%@` with a text.
  private mutating func text(_ context: String) throws(FetchPredicateError) -> String {
    let parsed = try primary(0)
    guard case .expression(.constant(.string(let text))) = parsed.content else {
      throw error("\(context) needs a name in quotes", at: parsed.range, expected: "text")
    }
    forget(.constant(.string(text)))
    return text
  }
}
