import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Writes the sort keys of a column's values: bytes whose order is the order of the values.
///
/// The order is that of ``FetchSortDescriptor/SortValue``, without a value in memory for each row:
/// sort keys are made of bytes in SQLite's loop, and compared as bytes.
///
/// A sort key is a class (NULL, number, text, bytes; foreign values after all of them) followed by
/// the value: the image of a number, or the folded text, two zeros, and the text itself.
struct SortKeyEncoder {
  /// The classes of values, in SQLite's order, and the bit that marks foreign values.
  enum Class {
    static let null: UInt8 = 1
    static let number: UInt8 = 2
    static let text: UInt8 = 3
    static let bytes: UInt8 = 4
    static let foreign: UInt8 = 0x80
  }

  /// How values are decoded before they are compared; nil to compare them as they are stored.
  private let decoded: AttributeDescription?
  /// The kind of value that the column should have; nil for any.
  private let kind: AttributeDescription.Kind?
  let folding: TextFolding.Options?

  /// Encodes the values of a sort column.
  init(_ column: ColumnOperand, folding: TextFolding.Options?) {
    decoded = column.form == .stored ? nil : column.attribute
    kind = column.attribute.kind
    self.folding = folding
  }

  /// Encodes the values of a key, in the order in which SQLite compares them.
  init() { (decoded, kind, folding) = (nil, nil, nil) }

  /// Whether a value's text is folded.
  func folds(type: Int32) -> Bool { folding != nil && decoded == nil && type == SQLITE_TEXT }

  /// Writes the sort key of a value, but for the stored bytes with which that of a text or of bytes
  /// ends.
  ///
  /// - Parameters:
  ///   - stored: The bytes of the value.
  ///   - type: Its storage class.
  ///   - key: Where the key is appended.
  /// - Returns: Whether the stored bytes must follow.
  func append(
    _ stored: UnsafeBufferPointer<UInt8>, _ type: Int32, to key: inout GrowingBuffer<UInt8>
  ) -> Bool {
    if let decoded {
      append(decode(stored, type, decoded), type, to: &key)
      return false
    }
    switch type {
    case SQLITE_TEXT:
      let isForeign =
        switch kind {
        case nil, .text, .date: false
        case .number, .boolean, .bytes, .uuid: true
        }
      append(Class.text, isForeign: isForeign, to: &key)
      if let folding { append(stored, folding, to: &key) }
      return true
    case SQLITE_BLOB:
      let isForeign =
        switch kind {
        case nil, .bytes: false
        case .uuid: stored.count != 16
        case .number, .text, .boolean, .date: true
        }
      append(Class.bytes, isForeign: isForeign, to: &key)
      return true
    case SQLITE_INTEGER:
      let number = UnsafeRawBufferPointer(stored).loadUnaligned(as: Int64.self)
      let isFlag = number == 0 || number == 1
      append(
        Class.number, isForeign: isNumberForeign && !(kind == .boolean && isFlag), to: &key)
      NumberImage(number).append(to: &key)
    case SQLITE_FLOAT:
      append(Class.number, isForeign: isNumberForeign, to: &key)
      let number = UnsafeRawBufferPointer(stored).loadUnaligned(as: Double.self)
      NumberImage(number).append(to: &key)
    default: append(Class.null, isForeign: false, to: &key)
    }
    return false
  }

  private var isNumberForeign: Bool {
    switch kind {
    case nil, .number, .date: false
    case .text, .boolean, .bytes, .uuid: true
    }
  }

  /// Writes the sort key of a date, a decimal or a UUID: what `cardfile_sort_key` returns.
  private func append(_ value: Value, _ type: Int32, to key: inout GrowingBuffer<UInt8>) {
    let number: Double
    switch value {
    case _ where type == SQLITE_NULL: return append(Class.null, isForeign: false, to: &key)
    case .date(let date): number = date.timeIntervalSinceReferenceDate
    case .decimal(let decimal): number = Number.decimal(decimal).approximation
    case .uuid(let uuid):
      append(Class.bytes, isForeign: false, to: &key)
      return withUnsafeBytes(of: uuid.uuid) {
        key.append($0.assumingMemoryBound(to: UInt8.self))
      }
    default: return append(Class.bytes, isForeign: true, to: &key)
    }
    // SQLite stores NaN as NULL.
    if number.isNaN { return append(Class.null, isForeign: false, to: &key) }
    append(Class.number, isForeign: false, to: &key)
    NumberImage(number).append(to: &key)
  }

  /// The decoded value; ISO dates, the most frequent ones, are parsed in place.
  private func decode(
    _ stored: UnsafeBufferPointer<UInt8>, _ type: Int32, _ attribute: AttributeDescription
  ) -> Value {
    guard attribute.encoding == .isoText, type == SQLITE_TEXT else {
      return attribute.decode(Value(stored: stored, type: type))
    }
    return ISODate.referenceSeconds(utf8: stored)
      .map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
  }

  private func append(
    _ valueClass: UInt8, isForeign: Bool, to key: inout GrowingBuffer<UInt8>
  ) {
    key.append(isForeign ? valueClass | Class.foreign : valueClass)
  }

  /// Writes a folded text and two zeros.
  private func append(
    _ text: UnsafeBufferPointer<UInt8>, _ folding: TextFolding.Options,
    to key: inout GrowingBuffer<UInt8>
  ) {
    let start = key.count
    let capacity = TextFolding.capacity(for: text.count)
    key.reserve(capacity + 2)
    let room = UnsafeMutableBufferPointer(start: key.start + start, count: capacity)
    let count = TextFolding.fold(text, folding, to: room)
    key.advance(by: count)
    key.terminate(from: start)
  }
}

extension GrowingBuffer<UInt8> {
  /// The first eight of some bytes, the first one in the highest byte; zeros behind fewer.
  func prefix(from start: Int = 0, count: Int) -> UInt64 {
    var prefix: UInt64 = 0
    for index in 0..<min(count, 8) { prefix |= UInt64(self[start + index]) << (56 - 8 * index) }
    return prefix
  }

  /// Appends two zeros to the bytes behind an index, and 255 to each zero among them, so that none
  /// of two such byte strings begins with the other.
  mutating func terminate(from start: Int) {
    if memchr(self.start + start, 0, count - start) != nil {
      let bytes = Array(UnsafeBufferPointer(start: self.start + start, count: count - start))
      removeAll(from: start)
      for byte in bytes {
        append(byte)
        if byte == 0 { append(255) }
      }
    }
    append(0)
    append(0)
  }
}

extension Value {
  /// A value from the bytes of a column.
  init(stored: UnsafeBufferPointer<UInt8>, type: Int32) {
    let raw = UnsafeRawBufferPointer(stored)
    switch type {
    case SQLITE_INTEGER: self = .integer(raw.loadUnaligned(as: Int64.self))
    case SQLITE_FLOAT: self = .double(raw.loadUnaligned(as: Double.self))
    case SQLITE_TEXT: self = .string(String(storedText: stored))
    case SQLITE_BLOB: self = .data(Data(raw))
    default: self = .null
    }
  }
}

/// Ten bytes whose order is the order of numbers: the double nearest to the number, and what an
/// integer differs from it by.
///
/// Rounding keeps the order, so that numbers with different doubles are in their order, and those
/// with equal doubles in that of their differences.
struct NumberImage {
  private let double: UInt64
  private let difference: UInt16

  init(_ number: Int64) {
    let nearest = Double(number)
    self.init(nearest, difference: Int128(number) - Int128(nearest))
  }

  init(_ number: Double) { self.init(number, difference: 0) }

  private init(_ number: Double, difference: Int128) {
    let bits = (number + 0).bitPattern  // -0 is 0
    double = bits >> 63 == 1 ? ~bits : bits | 1 << 63
    self.difference = UInt16(0x8000 + Int(difference))
  }

  /// Writes the bytes.
  func append(to bytes: inout GrowingBuffer<UInt8>) {
    withUnsafeBytes(of: double.bigEndian) { bytes.append($0.assumingMemoryBound(to: UInt8.self)) }
    bytes.append(UInt8(difference >> 8))
    bytes.append(UInt8(difference & 0xFF))
  }
}
