import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Whether rows satisfy a condition.
///
/// The condition is plain memory: references to its parts would be counted for each row, which
/// takes longer than the tests.
final class RowTest {
  /// A part of the condition; its own parts follow it.
  private struct Node {
    enum Kind {
      case constant(Bool), all, any, not, isNull
      case comparison(RowCondition.Order)
      case search(FetchPredicate.Operator, TextFolding.Options)
    }

    let kind: Kind
    /// The index behind its last part.
    var end = 0
    var column: Int32 = 0
    var form = RowCondition.Form.stored
    /// What values are compared with.
    var literal = StoredField.null
    /// What is sought; nil if that is empty.
    var needle: FoldedNeedle?
  }

  private let nodes: UnsafeMutableBufferPointer<Node>
  private let kept: [UnsafeMutableBufferPointer<UInt8>]

  /// Makes a test.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - indexes: The index of each column in the rows.
  init(_ condition: RowCondition, _ indexes: [SQL: Int32]) {
    var nodes: [Node] = []
    var kept: [UnsafeMutableBufferPointer<UInt8>] = []
    Self.add(condition, indexes, to: &nodes, &kept)
    self.kept = kept
    self.nodes = .allocate(capacity: nodes.count)
    _ = self.nodes.initialize(from: nodes)
  }

  deinit {
    nodes.deallocate()
    for bytes in kept { bytes.deallocate() }
  }

  private static func add(
    _ condition: RowCondition, _ indexes: [SQL: Int32], to nodes: inout [Node],
    _ kept: inout [UnsafeMutableBufferPointer<UInt8>]
  ) {
    func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      kept.append(copy)
      return UnsafeBufferPointer(copy)
    }
    func node(_ kind: Node.Kind, _ column: SQL? = nil, _ form: RowCondition.Form = .stored) -> Node
    {
      Node(kind: kind, column: column.flatMap { indexes[$0] } ?? 0, form: form)
    }
    let index = nodes.count
    switch condition {
    case .constant(let flag): nodes.append(node(.constant(flag)))
    case .all: nodes.append(node(.all))
    case .any: nodes.append(node(.any))
    case .not: nodes.append(node(.not))
    case .isNull(let column): nodes.append(node(.isNull, column))
    case .comparison(let column, let form, let order, let literal):
      var comparison = node(.comparison(order), column, form)
      literal.withStoredField { field in
        comparison.literal =
          switch field {
          case .text(let bytes): .text(keep(bytes))
          case .bytes(let bytes): .bytes(keep(bytes))
          case .null, .integer, .double: field
          }
      }
      nodes.append(comparison)
    case .search(let column, let form, let operation, let needle, let options):
      var search = node(.search(operation, options), column, form)
      let bytes = needle.withBytes(keep)
      search.needle = bytes.isEmpty ? nil : FoldedNeedle(bytes)
      nodes.append(search)
    }
    for part in condition.parts { add(part, indexes, to: &nodes, &kept) }
    nodes[index].end = nodes.count
  }

  /// Whether a row satisfies the condition.
  func holds(_ row: ReceivedRow) -> Bool { holds(0, row) }

  private func holds(_ index: Int, _ row: ReceivedRow) -> Bool {
    let node = nodes[index]
    switch node.kind {
    case .constant(let flag): return flag
    case .all: return !hasPart(of: index, row, holding: false)
    case .any: return hasPart(of: index, row, holding: true)
    case .not: return !holds(index + 1, row)
    case .isNull: return row.type(node.column) == SQLITE_NULL
    case .comparison(let order):
      let field = row.field(node.column)
      switch (node.form, field) {
      case (.stored, _): return order.holds(field, node.literal)
      case (.folded(let options), .text(let bytes)):
        return TextFolding.withFolded(bytes, options) { order.holds(.text($0), node.literal) }
      case (.seconds(let encoding), _):
        guard case .date(let date) = SQLFunctions.decode(field, encoding) else { return false }
        return order.holds(.double(date.timeIntervalSince1970), node.literal)
      case (.folded, _), (.text, _): return false
      }
    case .search(let operation, let options):
      if case .text(let encoding) = node.form {
        return SQLFunctions.withText(of: row.field(node.column), encoding) {
          $0.map { Self.finds(node.needle, operation, options, in: $0) } ?? false
        }
      }
      return row.type(node.column) == SQLITE_TEXT
        && Self.finds(node.needle, operation, options, in: row.bytes(node.column))
    }
  }

  private func hasPart(of index: Int, _ row: ReceivedRow, holding flag: Bool) -> Bool {
    let end = nodes[index].end
    var part = index + 1
    while part < end {
      if holds(part, row) == flag { return true }
      part = nodes[part].end
    }
    return false
  }

  /// Whether a text has what is sought, as the SQL functions say.
  private static func finds(
    _ needle: FoldedNeedle?, _ operation: FetchPredicate.Operator, _ options: TextFolding.Options,
    in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let bytes = needle?.bytes ?? UnsafeBufferPointer(start: nil, count: 0)
    if operation == .like { return Pattern.like(text, foldedPattern: bytes, options) }
    guard let needle else { return false }
    return switch operation {
    case .beginsWith: TextFolding.hasPrefix(text, foldedNeedle: bytes, options)
    case .endsWith: TextFolding.hasSuffix(text, foldedNeedle: bytes, options)
    default: TextFolding.contains(text, needle, options)
    }
  }
}

extension RowCondition {
  /// The conditions that it is made of.
  fileprivate var parts: [RowCondition] {
    switch self {
    case .all(let parts), .any(let parts): parts
    case .not(let part): [part]
    default: []
    }
  }
}

extension RowCondition.Order {
  /// Whether a value is of a literal's storage class, and in this order to it.
  fileprivate func holds(_ field: StoredField, _ literal: StoredField) -> Bool {
    switch (field, literal) {
    case (.integer(let value), .integer(let number)): holds(Self.order(value, number))
    case (.double(let value), .double(let number)): holds(Self.order(value, number))
    case (.integer(let value), .double(let number)): holds(Self.order(value, number))
    case (.double(let value), .integer(let number)): holds(-Self.order(number, value))
    case (.text(let value), .text(let bytes)), (.bytes(let value), .bytes(let bytes)):
      holds(ByteOrder.compare(UnsafeRawBufferPointer(value), UnsafeRawBufferPointer(bytes)))
    default: false
    }
  }

  private func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
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
