extension ObjectKey {
  /// The key that the values of the key attributes are; nil if there are none, or one is null.
  package init?(_ values: [Value]) {
    guard !values.isEmpty, !values.contains(.null) else { return nil }
    if values.count == 1, case .integer(let number) = values[0] {
      self = .integer(number)
    } else {
      self = .composite(values)
    }
  }
}

extension ObjectKey: Comparable {
  /// Whether a key comes before another: integers, then composite keys value by value, then
  /// temporary ones by number.
  public static func < (lhs: ObjectKey, rhs: ObjectKey) -> Bool {
    switch (lhs, rhs) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.temporary(let a), .temporary(let b)): return a < b
    case (.composite(let a), .composite(let b)):
      for (left, right) in zip(a, b) {
        let order = Value.compare(left, right)
        if order != 0 { return order < 0 }
      }
      return a.count < b.count
    case (.integer, _), (.composite, .temporary): return true
    case (.composite, _), (.temporary, _): return false
    }
  }
}

extension ObjectID: Comparable {
  /// Whether an ID comes before another: by key, then by the name of the entity, then by the store.
  public static func < (lhs: ObjectID, rhs: ObjectID) -> Bool {
    if case .integer(let left) = lhs.key, case .integer(let right) = rhs.key, left != right {
      return left < right
    }
    if lhs.key < rhs.key { return true }
    if rhs.key < lhs.key { return false }
    let order = lhs.entityName.compareBytes(with: rhs.entityName)
    return order != 0
      ? order < 0 : lhs.storeIdentifier.compareBytes(with: rhs.storeIdentifier) < 0
  }
}
