/// SQLite's type affinity of a column: how it converts values that it is compared with.
package enum ColumnAffinity: Hashable, Sendable {
  case text, numeric, none
  /// Unknown, as for a column of a view: SQLite might convert a value compared with it.
  case unknown

  /// The affinity of a declared type, by SQLite's rules (datatype3.html, 3.1).
  package init(declaredType: String) {
    let type = declaredType.uppercased()
    if type.contains("INT") {
      self = .numeric
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") {
      self = .none
    } else if type == "ANY" {  // none in a STRICT table, numeric in another
      self = .unknown
    } else {
      self = .numeric
    }
  }

  /// Whether a value is converted when it is compared with the column.
  func converts(number: Bool) -> Bool {
    switch self {
    case .text: number
    case .numeric: !number
    case .none: false
    case .unknown: true
    }
  }
}
