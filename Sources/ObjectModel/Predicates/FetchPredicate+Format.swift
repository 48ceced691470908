extension FetchPredicate {
  /// Reads a predicate from its format.
  ///
  /// - Parameters:
  ///   - format: The text, in the language of NSPredicate.
  ///   - arguments: What `%@`, `%K`, `%d` and so on stand for, in order. An array is one list.
  /// - Throws: ``FetchPredicateError`` that tells the place in the format.
  public init(format: String, _ arguments: any PredicateArgument...) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Reads a predicate from its format.
  ///
  /// - Parameters:
  ///   - format: The text, in the language of NSPredicate.
  ///   - argumentArray: What `%@`, `%K`, `%d` and so on stand for, in order.
  /// - Throws: ``FetchPredicateError`` that tells the place in the format.
  public init(
    format: String, argumentArray: [any PredicateArgument]
  ) throws(FetchPredicateError) {
    var parser = try PredicateParser(
      format, arguments: argumentArray.map(\.predicateArgument.expression))
    node = try parser.parse()
    source = Source(text: format, places: parser.places)
  }
}
