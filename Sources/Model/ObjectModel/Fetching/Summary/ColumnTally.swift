import Foundation

/// The stored values of a column: each distinct one with the number of rows that have it.
///
/// It needs bounded memory: once there are very many distinct values, rows with others are only
/// sampled (see ``UncountedValues``).
package struct ColumnTally: Sendable {
  /// A distinct value.
  struct Entry: BitwiseCopyable, Sendable {
    let kind: Kind
    /// How many bytes are kept of a text or of bytes.
    let keptCount: UInt16
    /// The length of a text in characters (Unicode scalars), of bytes in bytes.
    let length: UInt32
    /// A number, or where the kept bytes begin.
    var bits: UInt64
    var rowCount: Int
  }

  /// The kinds of stored values.
  enum Kind: UInt8, Sendable { case integer, double, text, bytes }

  /// How much is kept of values.
  package struct Limits: Sendable {
    var distinctValues = 1 << 17
    var bytes = 6 << 20

    package init() {}

    /// Creates limits, for tests.
    package init(distinctValues: Int, bytes: Int) {
      (self.distinctValues, self.bytes) = (distinctValues, bytes)
    }
  }

  /// Of a longer text the first bytes are kept, and a hash of all.
  static let longestWhole = 1_024
  private static let hashSize = 8

  /// The number of rows.
  package private(set) var rowCount = 0
  /// The number of rows with NULL.
  package private(set) var nullCount = 0
  private(set) var entries: ContiguousArray<Entry> = []
  private(set) var uncounted: UncountedValues?
  private var bytes: ContiguousArray<UInt8> = []
  private var table = HashTable()
  private let limits: Limits

  /// Creates a tally of no rows.
  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Adds the value of a row, or of several.
  package mutating func add(_ field: StoredField, rowCount: Int = 1) {
    self.rowCount += rowCount
    switch field {
    case .null: nullCount += rowCount
    case .integer(let number): add(number, .integer, field, rowCount: rowCount)
    case .double(let number):
      // SQL compares numbers by value: 1.0 is 1.
      if let whole = Int64(exactly: number) {
        add(whole, .integer, .integer(whole), rowCount: rowCount)
      } else {
        add(Int64(bitPattern: number.bitPattern), .double, field, rowCount: rowCount)
      }
    case .text(let text):
      add(text, .text, length: Self.scalarCount(text), field, rowCount: rowCount)
    case .bytes(let data): add(data, .bytes, length: data.count, field, rowCount: rowCount)
    }
  }

  private mutating func add(_ bits: Int64, _ kind: Kind, _ field: StoredField, rowCount: Int) {
    let bits = UInt64(bitPattern: bits)
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    count(
      Entry(kind: kind, keptCount: 0, length: 0, bits: bits, rowCount: rowCount), none,
      hash: ByteHash.hash(of: bits, seed: kind.rawValue), field)
  }

  private mutating func add(
    _ value: UnsafeBufferPointer<UInt8>, _ kind: Kind, length: Int, _ field: StoredField,
    rowCount: Int
  ) {
    let hash = ByteHash.hash(of: value, seed: kind.rawValue)
    let start = UnsafeBufferPointer(rebasing: value.prefix(Self.longestWhole))
    let keptCount = start.count < value.count ? start.count + Self.hashSize : start.count
    count(
      Entry(
        kind: kind, keptCount: UInt16(keptCount), length: UInt32(clamping: length),
        bits: UInt64(bytes.count), rowCount: rowCount), start, hash: hash, field)
  }

  /// Counts the rows of a value.
  ///
  /// - Parameters:
  ///   - new: The entry that the value gets if it has none.
  ///   - start: The first bytes of a text or of bytes.
  ///   - hash: The hash of the whole value.
  ///   - field: The value.
  private mutating func count(
    _ new: Entry, _ start: UnsafeBufferPointer<UInt8>, hash: UInt64, _ field: StoredField
  ) {
    let found = find(hash, newBytes: Int(new.keptCount)) { entry, kept in
      guard entry.kind == new.kind, entry.length == new.length, entry.keptCount == new.keptCount
      else { return false }
      if !new.hasBytes { return entry.bits == new.bits }
      return Self.isEqual(UnsafeBufferPointer(rebasing: kept.prefix(start.count)), start)
        && (!new.isCut || Self.hash(ofCut: kept) == hash)
    }
    switch found {
    case .known(let index): entries[index].rowCount += new.rowCount
    case .added:
      entries.append(new)
      bytes.append(contentsOf: start)
      if new.isCut { withUnsafeBytes(of: hash) { bytes.append(contentsOf: $0) } }
    case .noRoom:
      if uncounted == nil { uncounted = UncountedValues() }
      uncounted?.add(field, hash: hash, length: Int(new.length), rowCount: new.rowCount)
    }
  }

  /// The hash of the whole value, which is kept behind the first bytes of a long one.
  private static func hash(ofCut kept: UnsafeBufferPointer<UInt8>) -> UInt64 {
    UnsafeRawBufferPointer(kept).loadUnaligned(fromByteOffset: longestWhole, as: UInt64.self)
  }

  private enum Found { case known(Int), added, noRoom }

  /// Finds the entry of a value, or adds a number to the table for the one that is to be appended.
  private mutating func find(
    _ hash: UInt64, newBytes: Int,
    where isEqual: (Entry, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Found {
    let hasRoom =
      entries.count < limits.distinctValues && bytes.count + newBytes <= limits.bytes
    let shortHash = UInt32(truncatingIfNeeded: hash)
    return entries.withUnsafeBufferPointer { entries in
      bytes.withUnsafeBufferPointer { bytes in
        func isEntry(_ index: Int) -> Bool {
          isEqual(entries[index], Self.kept(entries[index], in: bytes))
        }
        if hasRoom {
          return table.indexOrAdd(shortHash, where: isEntry).map(Found.known) ?? .added
        }
        return table.index(shortHash, where: isEntry).map(Found.known) ?? .noRoom
      }
    }
  }

  private static func isEqual(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    ByteOrder.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) == 0
  }

  private static func kept(
    _ entry: Entry, in bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    guard entry.hasBytes else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(
      rebasing: bytes[Int(entry.bits)..<Int(entry.bits) + Int(entry.keptCount)])
  }

  /// The number of Unicode scalars of a text: its bytes that continue none.
  private static func scalarCount(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    for byte in text where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  // MARK: Combining and reading

  /// Adds the rows of another tally.
  package mutating func add(_ other: ColumnTally) {
    rowCount += other.nullCount
    nullCount += other.nullCount
    for index in other.entries.indices {
      let entry = other.entries[index]
      if entry.isCut {
        addCut(entry, of: other)
      } else {
        other.withField(index) { add($0, rowCount: entry.rowCount) }
      }
    }
    guard let others = other.uncounted else { return }
    rowCount += others.rowCount
    if uncounted == nil { uncounted = UncountedValues() }
    uncounted?.add(others)
  }

  /// Adds an entry of which only the first bytes are kept.
  private mutating func addCut(_ entry: Entry, of other: ColumnTally) {
    rowCount += entry.rowCount
    other.bytes.withUnsafeBufferPointer { others in
      let kept = Self.kept(entry, in: others)
      let start = UnsafeBufferPointer(rebasing: kept[..<Self.longestWhole])
      var new = entry
      new.bits = UInt64(bytes.count)
      let field = entry.kind == .text ? StoredField.text(start) : .bytes(start)
      count(new, start, hash: Self.hash(ofCut: kept), field)
    }
  }

  /// The number of distinct values, of which those that are not counted one by one are estimated.
  var distinctCount: Int { entries.count + (uncounted?.distinctEstimate ?? 0) }

  /// Calls a closure with the field of an entry: of a long text its first bytes.
  func withField<Result>(_ index: Int, _ body: (StoredField) -> Result) -> Result {
    let entry = entries[index]
    return bytes.withUnsafeBufferPointer { bytes in
      let kept = Self.kept(entry, in: bytes)
      let start =
        entry.isCut ? UnsafeBufferPointer(rebasing: kept[..<Self.longestWhole]) : kept
      return switch entry.kind {
      case .integer: body(.integer(Int64(bitPattern: entry.bits)))
      case .double: body(.double(Double(bitPattern: entry.bits)))
      case .text: body(.text(start))
      case .bytes: body(.bytes(start))
      }
    }
  }
}

extension ColumnTally.Entry {
  /// Whether it is a text or bytes.
  fileprivate var hasBytes: Bool { kind == .text || kind == .bytes }

  /// Whether only the first bytes are kept.
  var isCut: Bool { Int(keptCount) > ColumnTally.longestWhole }
}
