package import Foundation
package import ObjectModel

/// Stored values encoded as one blob: the result of `cardfile_group_rows` and an argument of
/// `cardfile_evaluate`.
///
/// A value is a byte for its storage class, then eight bytes of a number, or eight bytes of a
/// length and the bytes of text or a blob.
package struct EncodedRows {
  package private(set) var data: Data

  package init(_ data: Data = Data()) { self.data = data }

  /// Appends a value.
  package mutating func append(_ value: Value) {
    switch value {
    case .integer(let number): append(1, UInt64(bitPattern: number))
    case .double(let number): append(2, number.bitPattern)
    case .string(let text):
      append(3, UInt64(text.utf8.count))
      data.append(contentsOf: text.utf8)
    case .data(let bytes):
      append(4, UInt64(bytes.count))
      data.append(bytes)
    default: data.append(0)
    }
  }

  private mutating func append(_ kind: UInt8, _ number: UInt64) {
    data.append(kind)
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
  }

  /// The values in rows of a number of columns.
  ///
  /// Decoding stops at bytes that are not a valid value.
  func rows(of count: Int) -> [[Value]] {
    var rest = data[...]
    var rows: [[Value]] = []
    var row: [Value] = []
    while let value = Self.take(&rest) {
      row.append(value)
      if row.count == count {
        rows.append(row)
        row.removeAll(keepingCapacity: true)
      }
    }
    return rows
  }

  private static func take(_ rest: inout Data) -> Value? {
    guard let kind = rest.popFirst() else { return nil }
    if kind == 0 { return .null }
    guard rest.count >= 8 else { return nil }
    let number = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(8)
    switch kind {
    case 1: return .integer(Int64(bitPattern: number))
    case 2: return .double(Double(bitPattern: number))
    default:
      guard let count = Int(exactly: number), count <= rest.count else { return nil }
      let bytes = rest.prefix(count)
      rest = rest.dropFirst(count)
      return kind == 3 ? .string(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))
    }
  }
}
