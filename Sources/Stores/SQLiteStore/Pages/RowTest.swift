import CSQLite
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
  struct Node {
    enum Kind {
      case constant(Bool), all, any, not, isNull, same, among
      case comparison(RowCondition.Order)
      case search(FetchPredicate.Operator, TextFolding.Options)
      /// Whether one of its parts holds, which a needle decides in most rows.
      case sought(needle: Int)
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
    /// The column that it is the same as.
    var other: Int32 = 0
    /// The keys that it is among, the least one first.
    var keys = UnsafeBufferPointer<Int64>(start: nil, count: 0)
  }

  /// The condition and its parts, which live as long as the test.
  let nodes: UnsafeMutableBufferPointer<Node>
  private let kept: [UnsafeMutableRawBufferPointer]
  /// What the scan is to seek in the rows.
  let needles: UnsafeMutableBufferPointer<cs_needle>

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
    needles = .allocate(capacity: builder.needles.count)
    _ = needles.initialize(from: builder.needles)
    nodes = .allocate(capacity: builder.nodes.count)
    _ = nodes.initialize(from: builder.nodes)
  }

  deinit {
    nodes.deallocate()
    needles.deallocate()
    for bytes in kept { bytes.deallocate() }
  }

  private struct Builder {
    let indexes: [SQL: Int32]
    let columns: [cs_column]
    let keys: [SQL: [Int64]]
    var nodes: [Node] = []
    var kept: [UnsafeMutableRawBufferPointer] = []
    var needles: [cs_needle] = []

    /// Adds a condition.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - isRequired: Whether rows for which it does not hold are not wanted.
    mutating func add(_ condition: RowCondition, isRequired: Bool) {
      let index = nodes.count
      switch condition {
      case .constant(let flag): add(.constant(flag))
      case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
        return add(parts[0], isRequired: isRequired)
      case .all(let parts):
        add(.all)
        for part in parts { add(part, isRequired: isRequired) }
      case .any(let parts):
        let searches = RowCondition.Search.all(in: parts)
        if searches.count == 1, searches[0].columns.count == parts.count {
          return add(searches[0], isRequired: isRequired)
        }
        add(.any)
        for search in searches { add(search, isRequired: false) }
        for part in parts where part.search == nil { add(part, isRequired: false) }
      case .not(let part):
        add(.not)
        add(part, isRequired: false)
      case .isNull(let column): add(.isNull, column)
      case .same(let column, let other):
        add(.same, column)
        nodes[index].other = indexes[other] ?? 0
      case .among(let column, let statement):
        add(.among, column)
        nodes[index].keys = (keys[statement] ?? []).withUnsafeBufferPointer { keep($0) }
      case .comparison(let column, let form, let order, let literal):
        add(.comparison(order), column, form)
        nodes[index].literal =
          literal.withStoredField { field in
            switch field {
            case .text(let bytes): .text(keep(bytes))
            case .bytes(let bytes): .bytes(keep(bytes))
            case .null, .integer, .double: field
            }
          } ?? .null
      case .search(let column, let form, let operation, let needle, let options):
        if let search = condition.search { return add(search, isRequired: isRequired) }
        add(.search(operation, options), column, form)
        nodes[index].needle = folded(needle)
      }
      nodes[index].end = nodes.count
    }

    private mutating func add(
      _ kind: Node.Kind, _ column: SQL? = nil, _ form: RowCondition.Form = .stored
    ) {
      nodes.append(Node(kind: kind, column: column.flatMap { indexes[$0] } ?? 0, form: form))
    }

    /// Adds a search in columns, which a needle decides in most rows.
    private mutating func add(_ search: RowCondition.Search, isRequired: Bool) {
      let index = nodes.count
      guard let needle = folded(search.needle) else {
        return add(.constant(false), isRequired: false)
      }
      let stored = search.columns.compactMap { indexes[$0].map { columns[Int($0)].index } }
      add(.sought(needle: needles.count))
      add(needle, search.options, in: Set(stored).filter { $0 >= 0 }.sorted(), isRequired)
      for column in search.columns {
        add(.search(.contains, search.options), column)
        nodes[nodes.count - 1].needle = needle
        nodes[nodes.count - 1].end = nodes.count
      }
      nodes[index].end = nodes.count
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
          places[index] = cs_source(
            first: source.first, least: source.seconds.lowerBound,
            span: UInt8(source.seconds.count - 1))
        }
      }
      sought.columns = columns.withUnsafeBufferPointer { keep($0).baseAddress }
      sought.column_count = Int32(columns.count)
      sought.is_required = isRequired ? 1 : 0
      needles.append(sought)
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

  /// Whether a row satisfies a part of the condition.
  ///
  /// - Parameters:
  ///   - nodes: The parts; the first one is the whole condition.
  ///   - index: The part.
  ///   - row: The row.
  ///   - sightings: What the scan has found of each needle.
  /// - Returns: Whether it does.
  static func holds(
    _ nodes: UnsafeMutablePointer<Node>, _ index: Int, _ row: ReceivedRow,
    _ sightings: UnsafePointer<UInt8>
  ) -> Bool {
    let node = nodes + index
    switch node.pointee.kind {
    case .constant(let flag): return flag
    case .all: return !hasPart(of: nodes, index, row, sightings, holding: false)
    case .any: return hasPart(of: nodes, index, row, sightings, holding: true)
    case .not: return !holds(nodes, index + 1, row, sightings)
    case .sought(let needle):
      let sighting = cs_sighting(UInt32(sightings[needle]))
      if sighting != CS_UNCERTAIN { return sighting == CS_PRESENT }
      return hasPart(of: nodes, index, row, sightings, holding: true)
    case .isNull: return row.type(node.pointee.column) == SQLITE_NULL
    case .same:
      let (field, other) = (row.field(node.pointee.column), row.field(node.pointee.other))
      if case .null = field { return row.type(node.pointee.other) == SQLITE_NULL }
      return RowCondition.Order.equal.holds(field, other)
    case .among:
      guard row.isInteger(node.pointee.column) else { return false }
      return contains(node.pointee.keys, row.integer(node.pointee.column))
    case .comparison(let order):
      let field = row.field(node.pointee.column)
      switch (node.pointee.form, field) {
      case (.stored, _): return order.holds(field, node.pointee.literal)
      case (.folded(let options), .text(let bytes)):
        return TextFolding.withFolded(bytes, options) {
          order.holds(.text($0), node.pointee.literal)
        }
      case (.seconds(let encoding), _):
        guard case .date(let date) = SQLFunctions.decode(field, encoding) else { return false }
        return order.holds(.double(date.timeIntervalSince1970), node.pointee.literal)
      case (.folded, _), (.text, _): return false
      }
    case .search(let operation, let options):
      if case .text(let encoding) = node.pointee.form {
        return SQLFunctions.hasText(row.field(node.pointee.column), encoding) {
          finds(node.pointee.needle, operation, options, in: $0)
        }
      }
      return row.type(node.pointee.column) == SQLITE_TEXT
        && finds(node.pointee.needle, operation, options, in: row.bytes(node.pointee.column))
    }
  }

  private static func hasPart(
    of nodes: UnsafeMutablePointer<Node>, _ index: Int, _ row: ReceivedRow,
    _ sightings: UnsafePointer<UInt8>, holding flag: Bool
  ) -> Bool {
    let end = nodes[index].end
    var part = index + 1
    while part < end {
      if holds(nodes, part, row, sightings) == flag { return true }
      part = nodes[part].end
    }
    return false
  }

  private static func contains(_ keys: UnsafeBufferPointer<Int64>, _ key: Int64) -> Bool {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key
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
