package import ObjectModel

extension QueryScope {
  /// The largest number of keys in one statement.
  package static let keysPerStatement = 500

  /// The condition that a row has one of several keys.
  ///
  /// The last key is repeated up to a power of two, so that few different statements are prepared.
  package func condition(keys: [ObjectKey]) -> SQL {
    var integers: [Value] = []
    var composites: [[Value]] = []
    let count = min(keys.count.roundedUpToPowerOfTwo, max(Self.keysPerStatement, keys.count))
    for key in keys + repeatElement(keys.last, count: count - keys.count).compactMap(\.self) {
      switch key {
      case .integer(let number): integers.append(.integer(number))
      case .composite(let values) where values.count == keyColumns.count: composites.append(values)
      case .composite, .temporary: break
      }
    }
    if table.hasRowid {
      guard !integers.isEmpty, let column = keyColumns.first else { return "0" }
      return "\(column) IN (\(integers))"
    }
    guard !composites.isEmpty else { return "0" }
    if keyColumns.count == 1 { return "\(keyColumns) IN (\(composites.flatMap(\.self)))" }
    let rows = composites.map { "(\($0))" as SQL }
    return "(\(keyColumns)) IN (VALUES \(rows))"
  }
}

extension Int {
  /// The least power of two that is not less than this.
  fileprivate var roundedUpToPowerOfTwo: Int {
    self < 2 ? self : 1 << ((self - 1).bitWidth - (self - 1).leadingZeroBitCount)
  }
}
