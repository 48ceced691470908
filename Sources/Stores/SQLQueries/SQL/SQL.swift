package import ObjectModel

/// A piece of SQL: text, names, and values that are bound.
///
/// Written as a string literal with interpolations: `"SELECT \(columns) FROM \(name: table) WHERE
/// \(key) = \(value)"`. The literal parts are SQL; values are bound, names are quoted, and a
/// `String` without a label does not compile, so text that a person typed never becomes part of a
/// statement. See ``StringInterpolation``.
///
/// How names are quoted and values are bound is the engine's: ``text(in:)`` writes the statement.
package struct SQL: Hashable, Sendable {
  /// What is bound.
  package enum Binding: Hashable, Sendable {
    /// A stored value.
    case value(Value)
    /// A condition that `cardfile_evaluate` evaluates.
    case program(EvaluatedCondition)
  }

  /// A part of a statement.
  enum Segment: Hashable, Sendable {
    /// Text that is the same for every engine; two never follow each other.
    case text(String)
    /// The name of a table or column.
    case name(String)
    case binding(Binding)
    /// Values with commas between them; at least two.
    case bindings([Binding])
  }

  private(set) var segments: [Segment]

  fileprivate init(_ segments: [Segment] = []) { self.segments = segments }

  /// What is bound, in the order of the text.
  package var bindings: [Binding] {
    var bindings: [Binding] = []
    for segment in segments {
      switch segment {
      case .text, .name: break
      case .binding(let binding): bindings.append(binding)
      // One long list, of keys, is the most frequent case: it is not copied.
      case .bindings(let list): if bindings.isEmpty { bindings = list } else { bindings += list }
      }
    }
    return bindings
  }

  fileprivate mutating func append(text: String) {
    guard !text.isEmpty else { return }
    if case .text(let last) = segments.last {
      segments[segments.count - 1] = .text(last + text)
    } else {
      segments.append(.text(text))
    }
  }

  fileprivate mutating func append(_ bindings: [Binding]) {
    switch bindings.count {
    case 0: break
    case 1: segments.append(.binding(bindings[0]))
    default: segments.append(.bindings(bindings))
    }
  }

  /// The name of a table or column, quoted.
  package static func name(_ name: String) -> SQL { SQL([.name(name)]) }

  /// A column of a table's alias, quoted: `t0."title"`.
  ///
  /// With the alias SQLite never reads an unknown name as a string literal.
  package static func column(_ name: String, of alias: Alias) -> SQL { "\(alias).\(name: name)" }

  /// A bound value.
  package static func value(_ value: Value) -> SQL { SQL([.binding(.value(value))]) }

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

  /// Binds other values.
  ///
  /// - Parameter values: As many as there are bindings.
  /// - Returns: The same text with the values.
  package func binding(_ values: [Value]) -> SQL {
    var next = values.makeIterator()
    func rebind(_ binding: Binding) -> Binding { next.next().map(Binding.value) ?? binding }
    return SQL(
      segments.map { segment in
        switch segment {
        case .text, .name: segment
        case .binding(let binding): .binding(rebind(binding))
        case .bindings(let list): .bindings(list.map(rebind))
        }
      })
  }

  /// An expression of the database's own schema, in parentheses, which SQLite has accepted there.
  ///
  /// It may be used only in queries on a connection that cannot write, and where SQLite would evaluate
  /// it by itself.
  package init(schema expression: String) {
    self.init()
    append(text: expression)
  }

  /// Whether the text is empty.
  package var isEmpty: Bool { segments.isEmpty }
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
      sql.segments.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { sql.append(text: String(decoding: $0, as: UTF8.self)) }
    }

    /// Appends a piece of SQL with its bindings.
    package mutating func appendInterpolation(_ piece: SQL) { sql += piece }

    /// Appends pieces of SQL, a comma between them.
    package mutating func appendInterpolation(_ pieces: [SQL]) { sql += pieces.joined(", ") }

    /// Appends a bound value.
    package mutating func appendInterpolation(_ value: Value) { sql += .value(value) }

    /// Appends a bound number.
    package mutating func appendInterpolation(_ number: Int64) { sql += .value(.integer(number)) }

    /// Appends bound values, a comma between them.
    package mutating func appendInterpolation(_ values: [Value]) {
      sql.append(values.map(Binding.value))
    }

    /// Appends a bound condition for `cardfile_evaluate`.
    package mutating func appendInterpolation(_ condition: EvaluatedCondition) {
      sql.append([.program(condition)])
    }

    /// Appends the name of a table or column, quoted.
    package mutating func appendInterpolation(name: String) { sql += .name(name) }

    /// Appends names of tables or columns, quoted, a comma between them.
    package mutating func appendInterpolation(names: [String]) {
      appendInterpolation(names.map(SQL.name))
    }

    /// Appends a column of a table's alias, the name quoted.
    package mutating func appendInterpolation(column name: String, of alias: Alias) {
      sql.append(text: alias.text + ".")
      sql += .name(name)
    }

    /// Appends an alias.
    package mutating func appendInterpolation(_ alias: Alias) { sql.append(text: alias.text) }

    /// Appends the digits of a number that is part of the statement, as in a function's options.
    package mutating func appendInterpolation(number: some BinaryInteger) {
      sql.append(text: String(number))
    }

    /// Appends ` WHERE ` and the conditions joined with AND; nothing if there are none.
    ///
    /// - Parameter conditions: The conditions, each safe to stand beside AND. Nil ones are left
    ///   out.
    package mutating func appendInterpolation(where conditions: [SQL?]) {
      let conditions = conditions.compactMap(\.self).filter { !$0.isEmpty }
      guard !conditions.isEmpty else { return }
      sql.append(text: " WHERE ")
      sql += conditions.joined(" AND ")
    }
  }

  package init(stringLiteral text: StaticString) {
    self.init()
    append(text: text.description)
  }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  package static func += (left: inout SQL, right: SQL) {
    guard let first = right.segments.first else { return }
    guard case .text(let text) = first else {
      left.segments += right.segments
      return
    }
    left.append(text: text)
    left.segments += right.segments.dropFirst()
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
