/// The kinds that functions, operators and CAST take and return.
extension PredicateValidator {
  /// The type of a function's result; literals among the arguments are converted.
  func typeOfCall(
    _ name: String, _ arguments: inout [Checked], at occurrence: Occurrence
  ) throws(FetchPredicateError) -> PredicateType {
    guard let function = PredicateFunction(written: name) else {
      throw error("The function “\(name)” is unknown", at: occurrence)
    }
    if function.isAggregate { return try typeOfAggregate(function, &arguments) }
    for argument in arguments where argument.type.isCollection || argument.type.isList {
      throw oneValue(argument)
    }
    switch function {
    case .now: return .value(.date, of: nil)
    case .random: return .value(.number, of: nil)
    case .add, .subtract: return try typeOfSum(function, &arguments)
    case .uppercase, .lowercase, .canonical:
      try require([.text], function, &arguments)
      return .value(.text, of: nil)
    case .length:
      try require([.text, .data], function, &arguments)
      return .value(.number, of: nil)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      try require([.number], function, &arguments)
      for argument in arguments { try requireWhole(argument, function) }
      return .value(.number, of: nil)
    default:
      try require([.number], function, &arguments)
      return .value(.number, of: nil)
    }
  }

  /// Requires each argument to be of one of some kinds.
  private func require(
    _ kinds: [PredicateKind], _ function: PredicateFunction, _ arguments: inout [Checked]
  ) throws(FetchPredicateError) {
    for index in arguments.indices {
      if kinds == [.number] { arguments[index] = number(arguments[index]) }
      let type = arguments[index].type
      if type.isNull || arguments[index].isUnknown { continue }
      guard let kind = type.kind, kinds.contains(kind) else {
        throw unsuitable(arguments[index], function, kinds[0].phrase)
      }
    }
  }

  private func unsuitable(
    _ argument: Checked, _ function: PredicateFunction, _ wanted: String
  ) -> FetchPredicateError {
    error(
      "\(function.infix?.sign ?? function.written) needs \(wanted), but “\(argument.text)” is "
        + argument.type.phrase, at: argument.occurrence)
  }

  /// Requires a number that can be whole.
  private func requireWhole(
    _ argument: Checked, _ function: PredicateFunction
  ) throws(FetchPredicateError) {
    let isWhole: Bool
    switch (argument.literal, argument.type.attribute?.type) {
    case (let literal?, _) where !literal.isNull:
      isWhole = literal.number?.approximation.rounded() == literal.number?.approximation
    case (_, .double?), (_, .float?), (_, .decimal?): isWhole = false
    default: isWhole = true
    }
    if !isWhole { throw unsuitable(argument, function, "a whole number") }
  }

  /// The argument with text that is a number as a number.
  private func number(_ argument: Checked) -> Checked {
    guard case .constant(.string(let text)) = argument.expression,
      let value = Self.read(text, as: .number, nil)
    else { return argument }
    var result = argument
    result.expression = .constant(value)
    result.type = .value(.number, of: nil)
    return result
  }

  /// Numbers, or dates and seconds.
  private func typeOfSum(
    _ function: PredicateFunction, _ arguments: inout [Checked]
  ) throws(FetchPredicateError) -> PredicateType {
    for index in arguments.indices {
      let argument = number(arguments[index])
      arguments[index] = argument
      guard case .constant(.string(let text)) = argument.expression,
        let date = Self.read(text, as: .date, nil)
      else { continue }
      arguments[index].expression = .constant(date)
      arguments[index].type = .value(.date, of: nil)
    }
    for argument in arguments where !argument.type.isNull && !argument.isUnknown {
      guard argument.type.kind == .number || argument.type.kind == .date else {
        throw unsuitable(argument, function, "numbers, or a date and seconds")
      }
    }
    let kinds = arguments.map(\.type.kind)
    switch (kinds.first ?? nil, kinds.last ?? nil) {
    case (.any, _), (_, .any): return .value(.any, of: nil)
    case (.date, .date):
      if function == .subtract { return .value(.number, of: nil) }
      throw error("Two dates cannot be added", at: arguments[1].occurrence, expected: "seconds")
    case (.number, .date) where function == .subtract:
      throw error(
        "A date cannot be subtracted from a number", at: arguments[1].occurrence,
        expected: "seconds")
    case (.date, _), (_, .date): return .value(.date, of: nil)
    default: return .value(.number, of: nil)
    }
  }

  private func typeOfAggregate(
    _ function: PredicateFunction, _ arguments: inout [Checked]
  ) throws(FetchPredicateError) -> PredicateType {
    guard var argument = arguments.first else { return .null }
    if function == .count { return .value(.number, of: nil) }
    var type = argument.type.member
    if argument.type.isList {
      if ![.min, .max, .mode].contains(function) { argument.parts = argument.parts.map(number) }
      type = try unify(&argument.parts, in: "The list")
      argument.expression = .list(argument.parts.map(\.expression))
      arguments[0] = argument
    }
    if type.isNull { return function == .sum ? .value(.number, of: nil) : .null }
    guard let kind = type.kind else {
      throw error(
        "\(function.written) needs values, but “\(argument.text)” "
          + (argument.type.isCollection ? "leads to objects" : "is \(type.phrase)"),
        at: argument.occurrence, expected: "an attribute after it, or count")
    }
    if [.min, .max, .mode].contains(function) { return type }
    guard kind == .number || kind == .any else {
      throw error(
        "\(function.written) needs numbers, but “\(argument.text)” is \(type.phrase)",
        at: argument.occurrence)
    }
    return .value(.number, of: nil)
  }

  /// The type of CAST.
  func typeOfCast(
    _ value: Checked, to name: String, at occurrence: Occurrence
  ) throws(FetchPredicateError) -> PredicateType {
    guard let cast = PredicateCast(written: name) else {
      throw error("The type “\(name)” is unknown", at: occurrence)
    }
    if value.type.isCollection || value.type.isList { throw oneValue(value) }
    guard value.type.isNull || value.type.kind.map(cast.takes) == true else {
      throw error(
        "“\(value.text)” is \(value.type.phrase) and cannot be cast to \(name)",
        at: value.occurrence)
    }
    return .value(cast.kind, of: nil)
  }
}

extension PredicateCast {
  /// The kind of its values.
  fileprivate var kind: PredicateKind {
    switch self {
    case .date: .date
    case .string, .url: .text
    case .number, .decimal, .integer, .double, .bool: .number
    case .uuid: .uuid
    case .data: .data
    case .objectID: .any
    }
  }

  /// Whether some values of a kind can be cast.
  fileprivate func takes(_ kind: PredicateKind) -> Bool {
    switch self {
    case .string: true
    case .date, .number, .decimal, .integer, .double, .bool:
      [.number, .date, .text, .any].contains(kind)
    case .uuid, .data, .url: kind == self.kind || kind == .text || kind == .any
    case .objectID: false
    }
  }
}

extension FetchPredicate.Expression {
  /// The expression with a key path after it; nil if that cannot be evaluated in every store.
  func followed(
    by path: PredicateValidator.Path, from type: PredicateType
  ) -> FetchPredicate.Expression? {
    let keys = path.keys
    if keys.isEmpty { return self }
    switch self {
    case .keyPath(let own): return .keyPath(own + keys)
    case .variable(let name, let own): return .variable(name, own + keys)
    case .selfObject: return .keyPath(keys)
    case .subquery:
      return .function(PredicateFunction.valueForKeyPath.rawValue, [self, .keyPath(keys)])
    case .element(let collection, let element):
      // The value of the first object is the first value; a collection of each has no such form.
      guard element != .size, !path.type.isCollection, path.manyCount == 0 else { return nil }
      let each = PredicateValidator.Path(type: path.type, keys: keys)
      return collection.followed(by: each, from: type).map { .element($0, element) }
    case .ternary(let node, let yes, let no):
      guard let yes = yes.followed(by: path, from: type),
        let no = no.followed(by: path, from: type)
      else { return nil }
      return .ternary(node, yes, no)
    case .function(PredicateFunction.valueForKeyPath.rawValue, let arguments):
      guard arguments.count == 2, case .keyPath(let own) = arguments[1] else { return nil }
      return .function(
        PredicateFunction.valueForKeyPath.rawValue, [arguments[0], .keyPath(own + keys)])
    case .constant(.null): return self
    case .constant(.string) where keys == [VirtualKey.length]:
      return .function(PredicateFunction.length.rawValue, [self])
    case .function where keys == [VirtualKey.length], .cast where keys == [VirtualKey.length]:
      return .function(PredicateFunction.length.rawValue, [self])
    case .constant, .object, .list, .function, .cast: return nil
    }
  }
}
