import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Whether a row satisfies a condition.
///
/// Each thread has tests of its own: both would count the references of a shared one for each row.
typealias RowTest = (ReceivedRow) -> Bool

extension RowCondition {
  /// The condition as a test, with the index of each column in the rows.
  func test(_ indexes: [SQL: Int32]) -> RowTest {
    func index(_ column: SQL) -> Int32 { indexes[column] ?? 0 }
    switch self {
    case .constant(let flag): return { _ in flag }
    case .all(let parts):
      let tests = parts.map { $0.test(indexes) }
      return { row in tests.allSatisfy { $0(row) } }
    case .any(let parts):
      let tests = parts.map { $0.test(indexes) }
      return { row in tests.contains { $0(row) } }
    case .not(let part):
      let test = part.test(indexes)
      return { !test($0) }
    case .isNull(let column):
      let column = index(column)
      return { $0.type(column) == SQLITE_NULL }
    case .comparison(let column, let form, let order, let literal):
      let (column, literal) = (index(column), Literal(literal))
      switch form {
      case .stored:
        return { row in literal.compare(row.field(column)).map(order.includes) ?? false }
      case .folded(let options):
        return { row in
          guard row.type(column) == SQLITE_TEXT else { return false }
          return TextFolding.withFolded(row.bytes(column), options) {
            literal.compare(.text($0)).map(order.includes) ?? false
          }
        }
      case .seconds(let encoding):
        return { row in
          guard case .date(let date) = SQLFunctions.decode(row.field(column), encoding) else {
            return false
          }
          return literal.compare(.double(date.timeIntervalSince1970)).map(order.includes) ?? false
        }
      case .text: return { _ in false }
      }
    case .search(let column, let form, let operation, let needle, let options):
      let (column, search) = (index(column), Search(operation, needle, options))
      if case .text(let encoding) = form {
        return { row in
          SQLFunctions.withText(of: row.field(column), encoding) { $0.map(search.finds) ?? false }
        }
      }
      return { $0.type(column) == SQLITE_TEXT && search.finds($0.bytes(column)) }
    }
  }
}

extension RowCondition.Order {
  /// Whether the order of a value and a literal (-1, 0 or 1) is this one.
  fileprivate func includes(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

/// Bytes that stay where they are.
private final class KeptBytes {
  let buffer: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    buffer = UnsafeBufferPointer(copy)
  }

  deinit { buffer.deallocate() }
}

/// What values are compared with.
private struct Literal {
  private enum Kind {
    case integer(Int64), double(Double), text(KeptBytes), bytes(KeptBytes), none
  }

  private let kind: Kind

  init(_ value: Value) {
    kind =
      value.withStoredField { field -> Kind in
        switch field {
        case .null: .none
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .text(let bytes): .text(KeptBytes(bytes))
        case .bytes(let bytes): .bytes(KeptBytes(bytes))
        }
      } ?? .none
  }

  /// The order of a value to the literal: -1, 0 or 1; nil if it is of another storage class.
  func compare(_ field: StoredField) -> Int? {
    switch (field, kind) {
    case (.integer(let value), .integer(let number)): Self.order(value, number)
    case (.double(let value), .double(let number)): Self.order(value, number)
    case (.integer(let value), .double(let number)): Self.order(value, number)
    case (.double(let value), .integer(let number)): -Self.order(number, value)
    case (.text(let value), .text(let kept)), (.bytes(let value), .bytes(let kept)):
      ByteOrder.compare(UnsafeRawBufferPointer(value), UnsafeRawBufferPointer(kept.buffer))
    default: nil
    }
  }

  private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }

  /// Compares exactly, as SQLite does: no double is rounded to an integer or the other way.
  private static func order(_ integer: Int64, _ double: Double) -> Int {
    if double < -0x1p63 { return 1 }
    if double >= 0x1p63 { return -1 }
    let whole = Int64(double.rounded(.towardZero))
    return whole == integer ? order(Double(integer), double) : order(integer, whole)
  }
}

/// A search for folded text.
private struct Search {
  private let operation: FetchPredicate.Operator
  private let options: TextFolding.Options
  private let needle: KeptBytes
  private let rarest: Int

  init(_ operation: FetchPredicate.Operator, _ needle: String, _ options: TextFolding.Options) {
    self.operation = operation
    self.options = options
    let needle = needle.withBytes(KeptBytes.init)
    self.needle = needle
    rarest = needle.buffer.isEmpty ? 0 : FoldedNeedle(needle.buffer).rarest
  }

  /// Whether a text has what is sought, as the SQL functions say.
  func finds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let needle = needle.buffer
    return switch operation {
    case .like: Pattern.like(text, foldedPattern: needle, options)
    case _ where needle.isEmpty: false
    case .beginsWith: TextFolding.hasPrefix(text, foldedNeedle: needle, options)
    case .endsWith: TextFolding.hasSuffix(text, foldedNeedle: needle, options)
    default: TextFolding.contains(text, FoldedNeedle(needle, rarest: rarest), options)
    }
  }
}
