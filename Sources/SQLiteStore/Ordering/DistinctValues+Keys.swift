import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

extension DistinctValues {
  /// Adds a value: its sort key, and its type and stored bytes, with which the key of a text or of
  /// bytes ends.
  mutating func add(_ stored: UnsafeBufferPointer<UInt8>, _ type: Int32) {
    let start = bytes.count
    let endsWithStored = appendKey(stored, type)
    var keyCount = bytes.count - start
    bytes.append(UInt8(truncatingIfNeeded: type))
    let storedStart = bytes.count - start
    bytes.append(stored)
    if endsWithStored { keyCount = bytes.count - start }
    entries.append(
      Entry(
        prefix: prefix(from: start, count: keyCount), start: UInt32(start),
        keyCount: UInt32(keyCount), storedStart: UInt32(storedStart),
        storedCount: UInt32(stored.count)))
  }

  /// Writes the sort key; whether the stored bytes must follow as its end.
  private mutating func appendKey(_ stored: UnsafeBufferPointer<UInt8>, _ type: Int32) -> Bool {
    guard column.form == .stored else {
      appendKey(ofDecoded: stored, type)
      return false
    }
    let kind = column.attribute.kind
    switch type {
    case SQLITE_TEXT:
      let isForeign =
        switch kind {
        case nil, .text, .date: false
        case .number, .boolean, .bytes, .uuid: true
        }
      append(Class.text, isForeign: isForeign)
      appendFolded(stored)
      return true
    case SQLITE_BLOB:
      let isForeign =
        switch kind {
        case nil, .bytes: false
        case .uuid: stored.count != 16
        case .number, .text, .boolean, .date: true
        }
      append(Class.bytes, isForeign: isForeign)
      return true
    case SQLITE_INTEGER:
      let number = UnsafeRawBufferPointer(stored).loadUnaligned(as: Int64.self)
      let isFlag = number == 0 || number == 1
      append(Class.number, isForeign: isNumberForeign && !(kind == .boolean && isFlag))
      NumberImage(number).append(to: &bytes)
    case SQLITE_FLOAT:
      append(Class.number, isForeign: isNumberForeign)
      let number = UnsafeRawBufferPointer(stored).loadUnaligned(as: Double.self)
      NumberImage(number).append(to: &bytes)
    default: append(Class.null, isForeign: false)
    }
    return false
  }

  private var isNumberForeign: Bool {
    switch column.attribute.kind {
    case nil, .number, .date: false
    case .text, .boolean, .bytes, .uuid: true
    }
  }

  /// Writes the sort key of a date, a decimal or a UUID: what `cardfile_sort_key` returns.
  private mutating func appendKey(ofDecoded stored: UnsafeBufferPointer<UInt8>, _ type: Int32) {
    let number: Double
    switch decode(stored, type) {
    case _ where type == SQLITE_NULL: return append(Class.null, isForeign: false)
    case .date(let date): number = date.timeIntervalSinceReferenceDate
    case .decimal(let decimal): number = Number.decimal(decimal).approximation
    case .uuid(let uuid):
      append(Class.bytes, isForeign: false)
      return withUnsafeBytes(of: uuid.uuid) {
        bytes.append($0.assumingMemoryBound(to: UInt8.self))
      }
    default: return append(Class.bytes, isForeign: true)
    }
    // SQLite has NULL for a number that is none.
    if number.isNaN { return append(Class.null, isForeign: false) }
    append(Class.number, isForeign: false)
    NumberImage(number).append(to: &bytes)
  }

  /// The decoded value; ISO dates, the most frequent ones, are parsed in place.
  private func decode(_ stored: UnsafeBufferPointer<UInt8>, _ type: Int32) -> Value {
    guard column.attribute.encoding == .isoText, type == SQLITE_TEXT else {
      return column.attribute.decode(Value(stored: stored, type: type))
    }
    return ISODate.referenceSeconds(utf8: stored)
      .map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
  }

  private mutating func append(_ valueClass: UInt8, isForeign: Bool) {
    bytes.append(isForeign ? valueClass | Class.foreign : valueClass)
  }

  /// Writes a folded text and two zeros; a zero in the text is followed by 255.
  private mutating func appendFolded(_ text: UnsafeBufferPointer<UInt8>) {
    guard let folding else { return }
    let start = bytes.count
    let capacity = TextFolding.capacity(for: text.count)
    bytes.reserve(capacity + 2)
    let room = UnsafeMutableBufferPointer(start: bytes.start + start, count: capacity)
    let count = TextFolding.fold(text, folding, to: room)
    if room[..<count].contains(0) {
      let folded = Array(room[..<count])
      for byte in folded {
        bytes.append(byte)
        if byte == 0 { bytes.append(255) }
      }
    } else {
      bytes.advance(by: count)
    }
    bytes.append(0)
    bytes.append(0)
  }

  private func prefix(from start: Int, count: Int) -> UInt64 {
    var prefix: UInt64 = 0
    for index in 0..<min(count, 8) { prefix |= UInt64(bytes[start + index]) << (56 - 8 * index) }
    return prefix
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
