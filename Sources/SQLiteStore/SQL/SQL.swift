import ObjectModel

/// A piece of SQL: text, and the values bound to the `?` in it.
///
/// Names go in through ``name(_:)``, values through ``value(_:)``; nothing a person typed is ever pasted into the text.
struct SQL: Hashable, Sendable {
  /// What is bound to a `?`.
  enum Binding: Hashable, Sendable {
    /// A stored value.
    case value(Value)
    /// A condition that `cardfile_evaluate` evaluates.
    case program(EvaluatedCondition)
  }

  private(set) var text: String
  private(set) var bindings: [Binding]

  private init(text: String, bindings: [Binding] = []) {
    self.text = text
    self.bindings = bindings
  }

  /// SQL of our own.
  static func raw(_ text: String) -> SQL { SQL(text: text) }

  /// The name of a table or column, quoted.
  static func name(_ name: String) -> SQL { SQL(text: quote(name)) }

  /// A column of a table's alias, quoted.
  ///
  /// With the alias SQLite never takes an unknown name for text.
  static func column(_ name: String, of alias: String) -> SQL {
    SQL(text: "\(alias).\(quote(name))")
  }

  /// A value, bound.
  static func value(_ value: Value) -> SQL { SQL(text: "?", bindings: [.value(value)]) }

  /// Values in parentheses, bound: `(?, ?)`.
  static func list(_ values: [Value]) -> SQL {
    let marks = values.isEmpty ? "" : String(repeating: "?, ", count: values.count - 1) + "?"
    return SQL(text: "(" + marks + ")", bindings: values.map(Binding.value))
  }

  /// The same text with other values bound.
  func binding(_ values: [Value]) -> SQL {
    SQL(text: text, bindings: values.map(Binding.value))
  }

  /// A condition for `cardfile_evaluate`, bound.
  static func program(_ condition: EvaluatedCondition) -> SQL {
    SQL(text: "?", bindings: [.program(condition)])
  }

  /// A name in quotes.
  static func quote(_ name: String) -> String {
    // A NUL would end the statement early; no table or column can have one in its name.
    var quoted = "\""
    for character in name.unicodeScalars where character != "\0" {
      quoted.unicodeScalars.append(character)
      if character == "\"" { quoted.append("\"") }
    }
    return quoted + "\""
  }

  static func + (left: SQL, right: SQL) -> SQL {
    SQL(text: left.text + right.text, bindings: left.bindings + right.bindings)
  }

  static func += (left: inout SQL, right: SQL) {
    left.text += right.text
    left.bindings += right.bindings
  }

  /// This in parentheses.
  var inParentheses: SQL { .raw("(") + self + .raw(")") }

  /// Whether nothing is in it.
  var isEmpty: Bool { text.isEmpty }
}

extension Sequence<SQL> {
  /// The pieces one after another, a text of our own between them.
  func joined(_ separator: String) -> SQL {
    var result = SQL.raw("")
    var isFirst = true
    for piece in self {
      if !isFirst { result += .raw(separator) }
      result += piece
      isFirst = false
    }
    return result
  }
}
