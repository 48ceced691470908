extension FetchPredicateError {
  /// Creates an error with a range in Unicode scalars.
  init(
    _ message: String, scalars: Range<Int>, of text: String, expected: String = "",
    suggestions: [String] = []
  ) {
    self.init(
      message, in: text, at: Self.characters(scalars, of: text), expected: expected,
      suggestions: suggestions)
  }

  /// Converts a range of Unicode scalars to the range of characters that contains it.
  private static func characters(_ scalars: Range<Int>, of text: String) -> Range<Int> {
    var (lower, upper): (Int?, Int?) = (nil, nil)
    var (character, scalar) = (0, 0)
    for next in text {
      let end = scalar + next.unicodeScalars.count
      if lower == nil, scalars.lowerBound < end { lower = character }
      if upper == nil, scalars.upperBound <= end { upper = character + (scalars.isEmpty ? 0 : 1) }
      (character, scalar) = (character + 1, end)
    }
    let start = lower ?? character
    return start..<max(start, upper ?? character)
  }
}
