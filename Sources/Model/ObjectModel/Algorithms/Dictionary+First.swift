extension Dictionary {
  /// Creates a dictionary of pairs; of several with the same key it keeps the first.
  package init(firstOf pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}
