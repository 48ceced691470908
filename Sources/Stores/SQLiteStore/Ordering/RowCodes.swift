import ObjectModel

/// The codes of rows in the order in which they were read: only their number while each is the next
/// one, and then four or eight bytes each.
///
/// It saves no time, but 8 MB of the 61 that the sections of a million rows would need at most.
struct RowCodes: ~Copyable {
  let coding: ObjectIDCoding
  private let coder: ObjectIDCoding.KeyCoder
  /// The first code, and the number of codes, while each is the next one.
  private var first: Int64 = 0
  private var consecutiveCount = 0
  private var isConsecutive = true
  /// The codes, if one was not the next one.
  private var codes = WideningBuffer<UInt32, Int64>()
  private var lastKey: Int64?
  /// Whether each key was greater than the one before it.
  private(set) var isAscending = true

  init(_ coding: ObjectIDCoding) { (self.coding, coder) = (coding, coding.keyCoder) }

  var count: Int { isConsecutive ? consecutiveCount : codes.count }
  var byteCount: Int { codes.byteCount }

  subscript(index: Int) -> Int64 { isConsecutive ? first + Int64(index) : codes[index] }

  /// Adds the next row; whether its key has a code.
  mutating func append(key: Int64, entityIndex: Int) -> Bool {
    guard let code = coder.code(ofKey: key, entityIndex: entityIndex) else { return false }
    if let lastKey, key <= lastKey { isAscending = false }
    lastKey = key
    append(code)
    return true
  }

  private mutating func append(_ code: Int64) {
    if isConsecutive {
      if consecutiveCount == 0 { first = code }
      if code &- first == consecutiveCount {
        consecutiveCount += 1
        return
      }
      for index in 0..<consecutiveCount { codes.append(first + Int64(index)) }
      isConsecutive = false
    }
    codes.append(code)
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
