import ObjectModel

/// The codes of rows in the order in which they were read: four bytes each while they fit.
struct RowCodes: ~Copyable {
  let coding: ObjectIDCoding
  private var small = GrowingBuffer<UInt32>()
  private var large = GrowingBuffer<Int64>(capacity: 1)
  private var isLarge = false
  private var lastKey: Int64?
  /// Whether each key was greater than the one before it.
  private(set) var isAscending = true

  init(_ coding: ObjectIDCoding) { self.coding = coding }

  var count: Int { isLarge ? large.count : small.count }
  var byteCount: Int { small.byteCount + large.byteCount }

  subscript(index: Int) -> Int64 { isLarge ? large[index] : Int64(small[index]) }

  /// Adds the next row; whether its key has a code.
  mutating func append(key: Int64, entityIndex: Int) -> Bool {
    guard let code = coding.code(ofKey: key, entityIndex: entityIndex) else { return false }
    if let lastKey, key <= lastKey { isAscending = false }
    lastKey = key
    append(code)
    return true
  }

  private mutating func append(_ code: Int64) {
    if !isLarge {
      if let code = UInt32(exactly: code) { return small.append(code) }
      widen()
    }
    large.append(code)
  }

  private mutating func widen() {
    large = GrowingBuffer(capacity: small.count * 2)
    for index in 0..<small.count { large.append(Int64(small[index])) }
    small = GrowingBuffer(capacity: 1)
    isLarge = true
  }

  /// Adds rows with greater keys.
  mutating func append(_ others: borrowing RowCodes) {
    isAscending = isAscending && others.isAscending
    for index in 0..<others.count { append(others[index]) }
  }

  /// The rows in the order of their keys.
  var rowsByKey: [UInt32] {
    let all = (0..<count).map { coding.key(ofCode: self[$0]) }
    return (0..<UInt32(count)).sorted { all[Int($0)] < all[Int($1)] }
  }
}
