/// SQLite's type affinity of a column: how it would convert what it is compared with.
enum ColumnAffinity: Hashable, Sendable {
  case text, numeric, none
  /// Not known, as for a column of a view: anything may be converted.
  case unknown

  /// Tells the affinity from a declared type, by SQLite's rules (datatype3.html, 3.1).
  init(declaredType: String) {
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

  /// Whether comparing with a value of some kind would convert the value.
  func converts(number: Bool) -> Bool {
    switch self {
    case .text: number
    case .numeric: !number
    case .none: false
    case .unknown: true
    }
  }
}
