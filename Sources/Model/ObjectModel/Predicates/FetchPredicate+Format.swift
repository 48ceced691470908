extension FetchPredicate {
  /// Parses a predicate format.
  ///
  /// - Parameters:
  ///   - format: The text, in NSPredicate's format language.
  ///   - arguments: The values for `%@`, `%K`, `%d` and so on, in order. An array is one list.
  /// - Throws: ``FetchPredicateError`` with the range of the error in the format.
  public init(format: String, _ arguments: any PredicateArgument...) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Parses a predicate format with its arguments in an array.
  ///
  /// - Parameters:
  ///   - format: The text, in NSPredicate's format language.
  ///   - argumentArray: The values for `%@`, `%K`, `%d` and so on, in order.
  /// - Throws: ``FetchPredicateError`` with the range of the error in the format.
  public init(
    format: String, argumentArray: [any PredicateArgument]
  ) throws(FetchPredicateError) {
    try self.init(
      format, arguments: argumentArray.map(\.predicateArgument.expression), readsDates: false)
  }

  /// Parses what a person typed: a date such as `1990-05-01` needs no quotes.
  init(typed text: String) throws(FetchPredicateError) {
    try self.init(text, arguments: [], readsDates: true)
  }

  private init(
    _ format: String, arguments: [Expression], readsDates: Bool
  ) throws(FetchPredicateError) {
    var parser = try PredicateParser(format, arguments: arguments, readsDates: readsDates)
    let node = try parser.parse()
    self.init(node, source: Source(text: format, ranges: parser.ranges))
  }
}
