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
    var parser = try PredicateParser(
      format, arguments: argumentArray.map(\.predicateArgument.expression))
    let node = try parser.parse()
    self.init(node, source: Source(text: format, ranges: parser.ranges))
  }
}
