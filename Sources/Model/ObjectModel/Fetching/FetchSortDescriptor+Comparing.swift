extension FetchSortDescriptor {
  /// A value prepared for many comparisons by its descriptor: its text is folded only once.
  package struct SortValue: Sendable {
    /// The decoded value.
    package let value: Value
    fileprivate let folded: [UInt8]?
    /// Whether the value is not of its attribute's kind, and comes last in either direction.
    let isForeign: Bool

    init(
      _ value: Value, of attribute: AttributeDescription?, folding options: TextFolding.Options?
    ) {
      isForeign = attribute?.isForeign(value) ?? false
      self.value = isForeign && attribute?.collapsesForeignValues == true ? .null : value
      let text = self.value.text
      folded = options.flatMap { options in
        text.map { TextFolding.foldedBytes($0, options) }
      }
    }
  }

  /// How text is folded before it is compared; nil for a comparison of the unchanged text.
  ///
  /// Texts that are equal after folding are then compared unfolded.
  package var folding: TextFolding.Options? {
    switch comparison {
    case .binary, .collation: nil
    case .caseInsensitive: .case
    case .localized(numeric: false): .localized
    case .localized(numeric: true): TextFolding.Options.localized.union(.numeric)
    }
  }

  /// Prepares a value for many comparisons.
  package func sortValue(_ value: Value) -> SortValue { sortValue(value, of: nil) }

  /// Prepares a value of an attribute for many comparisons; values of another kind than the
  /// attribute's come last in either direction.
  package func sortValue(_ value: Value, of attribute: AttributeDescription?) -> SortValue {
    SortValue(value, of: attribute, folding: folding)
  }

  /// Compares two values in this descriptor's order, including its direction.
  ///
  /// - Parameters:
  ///   - a: One decoded value.
  ///   - b: The other.
  /// - Returns: -1 when `a` comes first, 1 when `b` does, 0 when neither.
  package func compare(_ a: Value, _ b: Value) -> Int { compare(sortValue(a), sortValue(b)) }

  /// Compares two values prepared by ``sortValue(_:)`` in this descriptor's order, including its
  /// direction.
  ///
  /// - Parameters:
  ///   - a: One value.
  ///   - b: The other.
  /// - Returns: -1 when `a` comes first, 1 when `b` does, 0 when neither.
  package func compare(_ a: SortValue, _ b: SortValue) -> Int {
    if a.isForeign != b.isForeign { return a.isForeign ? 1 : -1 }
    let order = ascendingOrder(a, b)
    return ascending ? order : -order
  }

  private func ascendingOrder(_ a: SortValue, _ b: SortValue) -> Int {
    if let left = a.folded, let right = b.folded {
      let order = ByteOrder.compare(left, right)
      if order != 0 { return order }
    }
    if let collation, let left = a.value.text, let right = b.value.text {
      return collation.compare(left, right)
    }
    return Value.compare(a.value, b.value)
  }
}
