package import ObjectModel

/// A piece of SQL: text, and the values bound to the `?` in it.
///
/// Written as a string literal with interpolations: `"SELECT \(columns) FROM \(name: table) WHERE
/// \(key) = \(value)"`. The literal parts are SQL; values are bound, names are quoted, and a
/// `String` without a label does not compile, so text that a person typed never becomes part of a
/// statement. See ``StringInterpolation``.
package struct SQL: Hashable, Sendable {
  /// What is bound to a `?`.
  package enum Binding: Hashable, Sendable {
    /// A stored value.
    case value(Value)
    /// A condition that `cardfile_evaluate` evaluates.
    case program(EvaluatedCondition)
  }

  package private(set) var text: String
  package private(set) var bindings: [Binding]

  fileprivate init(text: String = "", bindings: [Binding] = []) {
    self.text = text
    self.bindings = bindings
  }

  /// The name of a table or column, quoted.
  package static func name(_ name: String) -> SQL { SQL(text: quote(name)) }

  /// A column of a table's alias, quoted: `t0."title"`.
  ///
  /// With the alias SQLite never reads an unknown name as a string literal.
  package static func column(_ name: String, of alias: Alias) -> SQL { "\(alias).\(name: name)" }

  /// A bound value.
  package static func value(_ value: Value) -> SQL { SQL(text: "?", bindings: [.value(value)]) }

  /// A name in double quotes.
  package static func quote(_ name: String) -> String {
    // A NUL would end the statement early; no table or column can have one in its name.
    var quoted = "\""
    for character in name.unicodeScalars where character != "\0" {
      quoted.unicodeScalars.append(character)
      if character == "\"" { quoted.append("\"") }
    }
    return quoted + "\""
  }

  /// Compares two lists pair by pair: `a = b AND c = d`.
  ///
  /// - Parameters:
  ///   - left: The left sides. Their collation and affinity apply, as a foreign key's parent
  ///     columns' do.
  ///   - right: The right sides; what one list has more than the other is ignored.
  /// - Returns: The condition; empty for empty lists.
  package static func equal(_ left: [SQL], _ right: [SQL]) -> SQL {
    zip(left, right).map { "\($0) = \($1)" as SQL }.joined(" AND ")
  }

  /// The same text with other values bound.
  package func binding(_ values: [Value]) -> SQL {
    SQL(text: text, bindings: values.map(Binding.value))
  }

  /// An expression of the database's own schema, in parentheses, which SQLite has accepted there.
  ///
  /// It may be used only in queries on a connection that cannot write.
  package init(schema expression: String) { self.init(text: expression) }

  /// Whether the text is empty.
  package var isEmpty: Bool { text.isEmpty }
}

extension SQL {
  /// The alias of a table in a statement, which needs no quotes.
  package struct Alias: Hashable, Sendable, ExpressibleByStringLiteral {
    fileprivate let text: String

    /// An alias written in the source.
    package init(stringLiteral text: StaticString) { self.text = text.description }

    /// A numbered alias: `t0`, `t1`, ….
    package init(number: Int) { text = "t\(number)" }
  }
}

extension SQL: ExpressibleByStringInterpolation {
  /// Builds SQL from a literal and its interpolations.
  ///
  /// The literal parts are of type `StaticString`, so SQL cannot be made from a `String` at run
  /// time.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = SQL()

    package init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { sql.text += String(decoding: $0, as: UTF8.self) }
    }

    /// Appends a piece of SQL with its bindings.
    package mutating func appendInterpolation(_ piece: SQL) { sql += piece }

    /// Appends pieces of SQL, a comma between them.
    package mutating func appendInterpolation(_ pieces: [SQL]) { sql += pieces.joined(", ") }

    /// Appends `?` and binds the value to it.
    package mutating func appendInterpolation(_ value: Value) { sql += .value(value) }

    /// Appends `?` and binds the number to it.
    package mutating func appendInterpolation(_ number: Int64) { sql += .value(.integer(number)) }

    /// Appends `?, ?, …` and binds the values to them.
    package mutating func appendInterpolation(_ values: [Value]) {
      if !values.isEmpty { sql.text += "?" + String(repeating: ", ?", count: values.count - 1) }
      sql.bindings += values.map(Binding.value)
    }

    /// Appends `?` and binds a condition for `cardfile_evaluate` to it.
    package mutating func appendInterpolation(_ condition: EvaluatedCondition) {
      sql += SQL(text: "?", bindings: [.program(condition)])
    }

    /// Appends the name of a table or column, quoted.
    package mutating func appendInterpolation(name: String) { sql.text += SQL.quote(name) }

    /// Appends names of tables or columns, quoted, a comma between them.
    package mutating func appendInterpolation(names: [String]) {
      appendInterpolation(names.map(SQL.name))
    }

    /// Appends a column of a table's alias, the name quoted.
    package mutating func appendInterpolation(column name: String, of alias: Alias) {
      appendInterpolation(alias)
      sql.text += "." + SQL.quote(name)
    }

    /// Appends columns of a table's alias, the names quoted, a comma between them.
    package mutating func appendInterpolation(columns names: [String], of alias: Alias) {
      appendInterpolation(.columns(names, of: alias))
    }

    /// Appends an alias.
    package mutating func appendInterpolation(_ alias: Alias) { sql.text += alias.text }

    /// Appends the digits of a number that is part of the statement, as in a function's options.
    package mutating func appendInterpolation(number: some BinaryInteger) {
      sql.text += String(number)
    }

    /// Appends ` WHERE ` and the conditions joined with AND; nothing if there are none.
    ///
    /// - Parameter conditions: The conditions, each safe to stand beside AND. Nil ones are left
    ///   out.
    package mutating func appendInterpolation(where conditions: [SQL?]) {
      let conditions = conditions.compactMap(\.self).filter { !$0.isEmpty }
      guard !conditions.isEmpty else { return }
      sql.text += " WHERE "
      sql += conditions.joined(" AND ")
    }
  }

  package init(stringLiteral text: StaticString) { self.init(text: text.description) }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  package static func += (left: inout SQL, right: SQL) {
    left.text += right.text
    left.bindings += right.bindings
  }
}

extension [SQL] {
  /// Columns of a table's alias, quoted.
  package static func columns(_ names: [String], of alias: SQL.Alias) -> [SQL] {
    names.map { .column($0, of: alias) }
  }
}

extension Sequence<SQL> {
  /// The pieces one after another, a separator between them.
  package func joined(_ separator: SQL) -> SQL {
    var result = SQL()
    var isFirst = true
    for piece in self {
      if !isFirst { result += separator }
      result += piece
      isFirst = false
    }
    return result
  }
}
