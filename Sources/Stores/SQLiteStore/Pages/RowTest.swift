import CSQLite
import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// A condition on rows as the scan of a table tests it: see row_test.c.
///
/// It is plain memory: references to its parts would be counted for each row, which takes longer
/// than the tests.
final class RowTest {
  /// A part that C leaves to Swift: folded texts and decoded values.
  struct Decision {
    enum Kind {
      /// Whether a text is in some orders to a literal.
      case comparison(orders: Int32, cs_value)
      case search(FetchPredicate.Operator, TextFolding.Options)
    }

    let kind: Kind
    let form: RowCondition.Form
    /// What is sought; nil if that is empty.
    var needle: FoldedNeedle?
  }

  /// The condition and its parts, which live as long as the test.
  let tests: UnsafeMutableBufferPointer<cs_test>
  let decisions: UnsafeMutableBufferPointer<Decision>
  /// What the scan is to seek in the rows.
  let needles: UnsafeMutableBufferPointer<cs_needle>
  private let kept: [UnsafeMutableRawBufferPointer]

  /// Makes a test.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - indexes: The index of each column in the rows.
  ///   - columns: The columns of the rows.
  ///   - keys: The keys that statements of the condition have found, the least one first.
  init(
    _ condition: RowCondition, _ indexes: [SQL: Int32], _ columns: [cs_column],
    _ keys: [SQL: [Int64]]
  ) {
    var builder = Builder(indexes: indexes, columns: columns, keys: keys)
    builder.add(condition, isRequired: true)
    kept = builder.kept
    tests = Self.copy(builder.tests)
    decisions = Self.copy(builder.decisions)
    needles = Self.copy(builder.needles)
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = copy.initialize(from: elements)
    return copy
  }

  deinit {
    tests.deallocate()
    decisions.deallocate()
    needles.deallocate()
    for bytes in kept { bytes.deallocate() }
  }

  private struct Builder {
    let indexes: [SQL: Int32]
    let columns: [cs_column]
    let keys: [SQL: [Int64]]
    var tests: [cs_test] = []
    var decisions: [Decision] = []
    var needles: [cs_needle] = []
    var kept: [UnsafeMutableRawBufferPointer] = []

    /// Adds a condition.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - isRequired: Whether rows for which it does not hold are not wanted.
    mutating func add(_ condition: RowCondition, isRequired: Bool) {
      let index = tests.count
      switch condition {
      case .constant(let flag): add(flag ? CS_ALL : CS_ANY)
      case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
        return add(parts[0], isRequired: isRequired)
      case .all(let parts):
        add(CS_ALL)
        for part in parts { add(part, isRequired: isRequired) }
      case .any(let parts):
        let searches = RowCondition.Search.all(in: parts)
        if searches.count == 1, searches[0].columns.count == parts.count {
          return add(searches[0], isRequired: isRequired)
        }
        add(CS_ANY)
        for search in searches { add(search, isRequired: false) }
        for part in parts where part.search == nil { add(part, isRequired: false) }
      case .not(let part):
        add(CS_NOT)
        add(part, isRequired: false)
      case .isNull(let column): add(CS_NULL, column)
      case .same(let column, let other):
        add(CS_SAME, column, number: indexes[other] ?? 0)
      case .among(let column, let statement):
        let keys = (keys[statement] ?? []).withUnsafeBufferPointer { keep($0) }
        add(CS_AMONG, column, number: Int32(keys.count))
        tests[index].keys = keys.baseAddress
      case .comparison(let column, let form, let order, let value):
        let (literal, orders) = (literal(value), order.orders)
        if form == .stored {
          add(CS_COMPARED, column)
          (tests[index].literal, tests[index].orders) = (literal, orders)
        } else {
          decide(.comparison(orders: orders, literal), column, form)
        }
      case .search(let column, let form, let operation, let needle, let options):
        if let search = condition.search { return add(search, isRequired: isRequired) }
        decide(.search(operation, options), column, form, folded(needle))
      }
      tests[index].end = Int32(tests.count)
    }

    private mutating func add(_ kind: cs_test_kind, _ column: SQL? = nil, number: Int32 = 0) {
      var test = cs_test()
      (test.kind, test.number, test.end) = (kind, number, Int32(tests.count + 1))
      test.column = column.flatMap { indexes[$0] } ?? 0
      tests.append(test)
    }

    private mutating func decide(
      _ kind: Decision.Kind, _ column: SQL, _ form: RowCondition.Form, _ needle: FoldedNeedle? = nil
    ) {
      add(CS_DECIDED, column, number: Int32(decisions.count))
      decisions.append(Decision(kind: kind, form: form, needle: needle))
    }

    /// Adds a search in columns, which a needle decides in most rows.
    private mutating func add(_ search: RowCondition.Search, isRequired: Bool) {
      let index = tests.count
      guard let needle = folded(search.needle) else { return add(CS_ANY) }
      let stored = search.columns.compactMap { indexes[$0].map { columns[Int($0)].index } }
      add(CS_SOUGHT, number: Int32(needles.count))
      add(needle, search.options, in: Set(stored).filter { $0 >= 0 }.sorted(), isRequired)
      for column in search.columns {
        decide(.search(.contains, search.options), column, .stored, needle)
      }
      tests[index].end = Int32(tests.count)
    }

    /// Adds a needle for the scan.
    private mutating func add(
      _ needle: FoldedNeedle, _ options: TextFolding.Options, in columns: [Int32],
      _ isRequired: Bool
    ) {
      let sources = needle.sources(options)
      let isFolded = !options.isDisjoint(with: [.case, .diacritics])
      var sought = cs_needle()
      sought.bytes = needle.bytes.baseAddress
      sought.count = isFolded && sources == nil ? 0 : Int32(needle.bytes.count)
      sought.rarest = Int32(needle.rarest)
      sought.folds_case = options.contains(.case) ? 1 : 0
      sought.beside = Int32(needle.beside)
      sought.is_folded = sources == nil ? 0 : 1
      sought.source_count = Int32(sources?.count ?? 0)
      withUnsafeMutableBytes(of: &sought.sources) { bytes in
        let places = bytes.bindMemory(to: cs_source.self)
        for (index, source) in (sources ?? []).enumerated() {
          let least = source.seconds.trailingZeroBitCount
          let last = 63 - source.seconds.leadingZeroBitCount
          places[index] = cs_source(
            first: source.first, least: 0x80 | UInt8(least), span: UInt8(last - least),
            seconds: source.seconds, singles: source.singles)
        }
      }
      sought.columns = columns.withUnsafeBufferPointer { keep($0).baseAddress }
      sought.column_count = Int32(columns.count)
      sought.is_required = isRequired ? 1 : 0
      needles.append(sought)
    }

    /// A value as C compares it; a value of no storage class compares with none.
    private mutating func literal(_ value: Value) -> cs_value {
      value.withStoredField { field in
        switch field {
        case .null: cs_value()
        case .integer(let number):
          cs_value(bytes: nil, count: 0, number: number, type: SQLITE_INTEGER)
        case .double(let number):
          cs_value(
            bytes: nil, count: 0, number: Int64(bitPattern: number.bitPattern), type: SQLITE_FLOAT)
        case .text(let bytes): cs_value(keep(bytes), SQLITE_TEXT)
        case .bytes(let bytes): cs_value(keep(bytes), SQLITE_BLOB)
        }
      } ?? cs_value()
    }

    private mutating func folded(_ text: String) -> FoldedNeedle? {
      let bytes = text.withBytes { keep($0) }
      return bytes.isEmpty ? nil : FoldedNeedle(bytes)
    }

    private mutating func keep<Element: BitwiseCopyable>(_ elements: UnsafeBufferPointer<Element>)
      -> UnsafeBufferPointer<Element>
    {
      let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
      _ = copy.initialize(from: elements)
      kept.append(UnsafeMutableRawBufferPointer(copy))
      return UnsafeBufferPointer(copy)
    }
  }

  /// Whether a value satisfies a part of the condition.
  ///
  /// - Parameters:
  ///   - decision: The part.
  ///   - row: The row with only this value.
  /// - Returns: Whether it does.
  static func holds(_ decision: UnsafePointer<Decision>, _ row: ReceivedRow) -> Bool {
    switch decision.pointee.kind {
    case .comparison(let orders, let literal):
      switch decision.pointee.form {
      case .folded(let options):
        guard row.type(0) == SQLITE_TEXT else { return false }
        return TextFolding.withFolded(row.bytes(0), options) {
          isInOrder(cs_value($0, SQLITE_TEXT), literal, orders)
        }
      case .seconds(let encoding):
        guard case .date(let date) = SQLFunctions.decode(row.field(0), encoding) else {
          return false
        }
        let bits = Int64(bitPattern: date.timeIntervalSince1970.bitPattern)
        return isInOrder(
          cs_value(bytes: nil, count: 0, number: bits, type: SQLITE_FLOAT), literal, orders)
      case .stored, .text: return false
      }
    case .search(let operation, let options):
      let needle = decision.pointee.needle
      if case .text(let encoding) = decision.pointee.form {
        return SQLFunctions.hasText(row.field(0), encoding) {
          finds(needle, operation, options, in: $0)
        }
      }
      return row.type(0) == SQLITE_TEXT && finds(needle, operation, options, in: row.bytes(0))
    }
  }

  private static func isInOrder(_ left: cs_value, _ right: cs_value, _ orders: Int32) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { cs_isInOrder(left, $0, orders) != 0 }
    }
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
  /// A search for one text in stored columns.
  fileprivate struct Search {
    let needle: String
    let options: TextFolding.Options
    var columns: [SQL]

    /// The searches among conditions of which one must hold, each text once.
    static func all(in parts: [RowCondition]) -> [Search] {
      parts.compactMap(\.search).reduce(into: []) { searches, search in
        let known = searches.firstIndex {
          $0.needle == search.needle && $0.options == search.options
        }
        if let known { searches[known].columns += search.columns } else { searches.append(search) }
      }
    }
  }

  /// The search that it is; nil for any other condition.
  fileprivate var search: Search? {
    guard case .search(let column, .stored, .contains, let needle, let options) = self else {
      return nil
    }
    return Search(needle: needle, options: options, columns: [column])
  }
}

extension RowCondition.Order {
  /// The orders of C that it has.
  fileprivate var orders: Int32 {
    let orders: [cs_order] =
      switch self {
      case .equal: [CS_EQUAL]
      case .less: [CS_LESS]
      case .lessOrEqual: [CS_LESS, CS_EQUAL]
      case .greater: [CS_GREATER]
      case .greaterOrEqual: [CS_GREATER, CS_EQUAL]
      }
    return orders.reduce(0) { $0 | Int32($1.rawValue) }
  }
}

extension cs_value {
  fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>, _ type: Int32) {
    self.init(bytes: bytes.baseAddress, count: Int64(bytes.count), number: 0, type: type)
  }
}
