extension FetchPredicate {
  /// Whether a comparison of two decoded values is true; used in memory and by SQL functions.
  ///
  /// - Parameters:
  ///   - operation: The operator; `between` is always false for two single values.
  ///   - left: The value on the left.
  ///   - right: The value on the right.
  ///   - options: The comparison options, such as `[cd]`.
  /// - Returns: The result; see ``FetchPredicate`` for null and for values of different kinds.
  /// - Throws: ``FetchPredicateError`` if MATCHES has an invalid expression or gives up.
  package static func holds(
    _ operation: Operator, _ left: Value, _ right: Value, options: Options
  ) throws -> Bool {
    switch operation {
    case .equal: left.isNull && right.isNull || areEqual(left, right, options)
    case .notEqual: left.isNull != right.isNull || !left.isNull && !areEqual(left, right, options)
    case .less: order(left, right, options).map { $0 < 0 } ?? false
    case .lessOrEqual: order(left, right, options).map { $0 <= 0 } ?? false
    case .greater: order(left, right, options).map { $0 > 0 } ?? false
    case .greaterOrEqual: order(left, right, options).map { $0 >= 0 } ?? false
    case .contains, .beginsWith, .endsWith: textHolds(operation, left, right, options)
    case .in: textHolds(.contains, right, left, options)
    case .like: Pattern.like(left, right, options)
    case .matches: try Pattern.matches(left, right, options)
    case .between: false
    }
  }

  /// Whether two values other than null have comparable kinds and are equal.
  static func areEqual(_ left: Value, _ right: Value, _ options: Options) -> Bool {
    if let left = left.text, let right = right.text {
      let folding = options.folding
      return folding.isEmpty
        ? left.hasSameBytes(as: right)
        : ByteOrder.compare(
          TextFolding.foldedBytes(left, folding), TextFolding.foldedBytes(right, folding)) == 0
    }
    return order(left, right, options) == 0
  }

  /// The order of two values (negative, 0 or positive); nil if either is null or NaN, or the kinds
  /// are not comparable.
  ///
  /// Comparable are numbers and booleans, dates, text and URLs, and data and UUIDs, each with each
  /// other.
  static func order(_ left: Value, _ right: Value, _ options: Options) -> Int? {
    switch (left, right) {
    case (.date, .date), (.data, .data), (.uuid, .uuid), (.data, .uuid), (.uuid, .data):
      return Value.compare(left, right)
    default: break
    }
    if let left = left.number, let right = right.number {
      let isNumber = !left.approximation.isNaN && !right.approximation.isNaN
      return isNumber ? Number.compare(left, right) : nil
    }
    guard let a = left.text, let b = right.text else { return nil }
    if options.contains(.l) {
      return FetchSortDescriptor("", comparison: .localized).compare(left, right)
    }
    let folding = options.folding
    if folding.isEmpty { return a.compareBytes(with: b) }
    return ByteOrder.compare(
      TextFolding.foldedBytes(a, folding), TextFolding.foldedBytes(b, folding))
  }

  private static func textHolds(
    _ operation: Operator, _ left: Value, _ right: Value, _ options: Options
  ) -> Bool {
    guard let text = left.text, let sought = right.text else { return false }
    let folding = options.folding
    return sought.withBytes { sought in
      TextFolding.withFolded(sought, folding) { needle in
        // As in NSPredicate, the empty text is never contained.
        guard !needle.isEmpty else { return false }
        return text.withBytes { text in
          switch operation {
          case .beginsWith: TextFolding.hasPrefix(text, foldedNeedle: needle, folding)
          case .endsWith: TextFolding.hasSuffix(text, foldedNeedle: needle, folding)
          default: TextFolding.contains(text, foldedNeedle: needle, folding)
          }
        }
      }
    }
  }
}

extension FetchPredicate.Options {
  /// How text is folded before it is compared.
  package var folding: TextFolding.Options {
    var folding: TextFolding.Options = []
    if contains(.c) { folding.insert(.case) }
    if contains(.d) { folding.insert(.diacritics) }
    return folding
  }
}
