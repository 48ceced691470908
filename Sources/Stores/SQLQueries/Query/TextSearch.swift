import ObjectModel

/// A search for literal text in columns: CONTAINS, BEGINSWITH, ENDSWITH or LIKE.
struct TextSearch: Hashable {
  let operation: FetchPredicate.Operator
  /// The text, folded by the options.
  let needle: String
  let options: TextFolding.Options

  /// The function call that searches columns: 1 if any of them matches, else 0.
  func call(_ columns: [SQL]) -> SQL {
    let name: SQL =
      switch operation {
      case .beginsWith: "cardfile_begins"
      case .endsWith: "cardfile_ends"
      case .like: "cardfile_like"
      default: "cardfile_contains"
      }
    return "\(name)(\(Value.string(needle)), \(number: options.rawValue), \(columns))"
  }

  /// BEGINSWITH without options as a range, which can use an index; nil for any other search.
  func range(of column: ColumnOperand) -> SQL? {
    guard let (first, end) = bounds else { return nil }
    let form: SQL = "\(column.compared(withNumber: false)) COLLATE BINARY"
    return "(\(form) >= \(Value.string(first)) AND \(form) < \(Value.string(end)))"
  }

  /// The first text of that range, and the first one behind it.
  var bounds: (first: String, end: String)? {
    guard operation == .beginsWith, options.isEmpty, let last = needle.unicodeScalars.last,
      let next = UnicodeScalar(last.value == 0xD7FF ? 0xE000 : last.value + 1)
    else { return nil }
    var end = needle
    end.unicodeScalars.removeLast()
    end.unicodeScalars.append(next)
    return (needle, end)
  }
}

extension ColumnOperand {
  /// The column for a search of text: of a column of any kind of values, bytes are not read, however
  /// long they are.
  var searched: SQL {
    attribute.type == .undefined
      ? "CASE typeof(\(sql)) WHEN 'blob' THEN NULL ELSE \(sql) END" : sql
  }
}

extension QueryCompiler {
  /// The text search of a comparison, and its column; nil for any other comparison.
  func textSearch(_ comparison: FetchPredicate.Comparison, in scopes: Scopes) throws(StoreError)
    -> (TextSearch, ColumnOperand)?
  {
    guard [.contains, .beginsWith, .endsWith, .like].contains(comparison.operation),
      comparison.options.isSubset(of: .cd), case .constant(.string(let text)) = comparison.right,
      case .attribute(let operand)? = try target(of: comparison.left, in: scopes),
      [.native, .urlText].contains(operand.attribute.encoding)
    else { return nil }
    let options = comparison.options.folding
    let search = TextSearch(
      operation: comparison.operation, needle: TextFolding.fold(text, options), options: options)
    return (search, operand)
  }
}
