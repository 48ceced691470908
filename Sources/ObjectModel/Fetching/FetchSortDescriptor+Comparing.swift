extension FetchSortDescriptor {
  /// A value made ready to be compared many times: its text is folded once.
  ///
  /// Its order is the ascending one; ``FetchSortDescriptor/compare(_:_:)-(SortValue,_)`` turns it round where asked.
  public struct SortValue: Comparable, Sendable {
    /// The decoded value.
    public let value: Value
    private let folded: [UInt8]?

    fileprivate init(_ value: Value, folding options: TextFolding.Options?) {
      self.value = value
      folded = options.flatMap { options in
        value.text.map { TextFolding.foldedBytes($0, options) }
      }
    }

    fileprivate static func compare(_ a: SortValue, _ b: SortValue) -> Int {
      if let left = a.folded, let right = b.folded {
        let order = ByteOrder.compare(left, right)
        if order != 0 { return order }
      }
      return Value.compare(a.value, b.value)
    }

    /// Whether one value comes before the other when ascending.
    public static func < (lhs: SortValue, rhs: SortValue) -> Bool { compare(lhs, rhs) < 0 }

    /// Whether neither value comes first.
    public static func == (lhs: SortValue, rhs: SortValue) -> Bool { compare(lhs, rhs) == 0 }
  }

  /// How text is folded before it is compared; nil when it is compared as it is.
  ///
  /// Folded texts that are equal are then compared as they are.
  public var folding: TextFolding.Options? {
    switch comparison {
    case .binary: nil
    case .caseInsensitive: .case
    case .localized(numeric: false): .localized
    case .localized(numeric: true): TextFolding.Options.localized.union(.numeric)
    }
  }

  /// Makes a value ready to be compared many times.
  ///
  /// - Parameter value: A decoded value.
  /// - Returns: The value with its text folded.
  public func sortValue(_ value: Value) -> SortValue { SortValue(value, folding: folding) }

  /// Compares two values in this descriptor's order, its direction included.
  ///
  /// - Parameters:
  ///   - a: One decoded value.
  ///   - b: The other.
  /// - Returns: -1 when `a` comes first, 1 when `b` does, 0 when neither.
  public func compare(_ a: Value, _ b: Value) -> Int { compare(sortValue(a), sortValue(b)) }

  /// Compares two values made ready by ``sortValue(_:)``, in this descriptor's order, its direction included.
  ///
  /// - Parameters:
  ///   - a: One value.
  ///   - b: The other.
  /// - Returns: -1 when `a` comes first, 1 when `b` does, 0 when neither.
  public func compare(_ a: SortValue, _ b: SortValue) -> Int {
    let order = SortValue.compare(a, b)
    return ascending ? order : -order
  }
}
