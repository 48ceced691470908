import ObjectModel
import SQLQueries

/// The statements of one save that write rows of an entity.
///
/// Each is prepared once, and found by what it binds: most rows of a save fill the same columns, so
/// that their SQL is not written again for each row. Without that an update of 10,000 objects takes a
/// quarter longer; without whole rows a save of as many new ones takes twice the time.
final class RowWrites {
  private enum Kind: Int, CaseIterable { case insertion, keyedInsertion, wholeInsertion, update }

  /// A statement, and what it binds.
  private final class Write {
    let statement: Statement
    let sql: SQL
    let columns: [String]
    /// The attributes that a whole row leaves to the defaults of their columns.
    let unset: Set<Int>
    /// The attributes of a whole row that are bound.
    let filled: [Int]
    /// What an update assigns beside the columns.
    let own: [SQL]

    init(
      _ statement: consuming Statement, _ sql: SQL, _ columns: [String], unset: Set<Int>,
      filled: [Int], own: [SQL]
    ) {
      self.statement = statement
      (self.sql, self.columns) = (sql, columns)
      (self.unset, self.filled, self.own) = (unset, filled, own)
    }

    func binds(_ others: [ColumnValue]) -> Bool { columns.elementsEqual(others) { $0 == $1.name } }
  }

  private let scope: QueryScope
  private let statements: SaveStatements
  /// The columns of the key.
  private let keys: [String]
  /// The attributes of a whole row beside the key, without those that the database computes; nil if
  /// rows cannot be written as they are.
  private let written: [Int]?
  private var writes: [[Write]] = Kind.allCases.map { _ in [] }

  init(_ scope: QueryScope, _ statements: SaveStatements) {
    (self.scope, self.statements) = (scope, statements)
    keys = scope.table.keyColumnNames
    let (attributes, columns) = (scope.entity.attributes, scope.table.columns)
    if case .rowid(let name) = scope.table.key, columns.count == attributes.count,
      !attributes.contains(where: { $0.encoding == .externalData })
    {
      written = columns.indices.filter { columns[$0] != name && !attributes[$0].isReadOnly }
    } else {
      written = nil
    }
  }

  /// Inserts a row with values in some columns.
  ///
  /// - Parameters:
  ///   - columns: The values.
  ///   - hasKey: Whether they have the key. Then SQLite is not asked for it: with RETURNING it copies
  ///     the pages that each row changes, which takes thrice as long.
  /// - Returns: Its key; nil if no row was inserted, or the key is known.
  /// - Throws: ``StoreError``.
  func insert(_ columns: [ColumnValue], hasKey: Bool) throws(StoreError) -> [Value]? {
    let values = columns.map(\.value)
    let kind = hasKey ? Kind.keyedInsertion : .insertion
    if let known = known(kind, where: { $0.binds(columns) }) { return try run(known, values) }
    let names = columns.map(\.name)
    let tail: SQL =
      names.isEmpty
      ? "DEFAULT VALUES" : "(\(names: names)) VALUES (\(names.map { _ in Value.null }))"
    let returning: SQL = hasKey ? "" : " RETURNING \(names: keys)"
    let sql: SQL = "INSERT INTO \(name: scope.table.name) \(tail)\(returning)"
    return try run(prepare(kind, sql, names), values)
  }

  /// Updates a row.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - columns: The columns and their new values.
  ///   - own: Assignments of constants that are made too.
  /// - Throws: ``StoreError``.
  func update(_ id: ObjectID, set columns: [ColumnValue], _ own: [SQL]) throws(StoreError) {
    let values = columns.map(\.value) + id.keyValues
    if let known = known(.update, where: { $0.own == own && $0.binds(columns) }) {
      _ = try run(known, values)
      return
    }
    let assignments: [SQL] = columns.map { "\(name: $0.name) = \(Value.null)" } + own
    let identity = SQL.equal(keys.map(SQL.name), keys.map { _ in SQL.value(.null) })
    let sql: SQL = "UPDATE \(name: scope.table.name) SET \(assignments) WHERE \(identity)"
    _ = try run(prepare(.update, sql, columns.map(\.name), own: own), values)
  }

  /// Inserts a row whose values are all known.
  ///
  /// - Parameters:
  ///   - values: The values of all attributes.
  ///   - unset: The indexes of those that are not written: their columns get their defaults.
  ///   - key: The key.
  ///   - own: Columns of no attribute.
  /// - Returns: Whether it was inserted; if not, rows of the entity cannot be written whole.
  /// - Throws: ``StoreError``.
  func insertWhole(_ values: RowValues, unset: Set<Int>, key: Int64, own: [ColumnValue])
    throws(StoreError) -> Bool
  {
    guard let written, values.count == scope.entity.attributes.count else { return false }
    let write: Write
    // Most rows have one set in common, which is known without looking at its elements.
    if let known = known(.wholeInsertion, where: { $0.unset == unset && $0.binds(own) }) {
      write = known
    } else {
      let filled = written.filter { !unset.contains($0) }
      let names = keys + filled.map { scope.table.columns[$0] } + own.map(\.name)
      let sql: SQL = """
        INSERT INTO \(name: scope.table.name) (\(names: names)) \
        VALUES (\(names.map { _ in Value.null }))
        """
      write = try prepare(.wholeInsertion, sql, own.map(\.name), unset: unset, filled: filled)
    }
    let logged = { [Value.integer(key)] + write.filled.map { values[$0] } + own.map(\.value) }
    try statements.logging(write.sql.binding(logged())) { () throws(StoreError) in
      try bind(values, key: key, own: own, to: write)
    }
    return true
  }

  private func bind(_ values: RowValues, key: Int64, own: [ColumnValue], to write: Write)
    throws(StoreError)
  {
    try write.statement.bind(.integer(key), at: 1, outlivesRun: true)
    func run(_ bindValue: (Int, Int32) throws(StoreError) -> Void) throws(StoreError) {
      var parameter: Int32 = 2
      for index in write.filled {
        try bindValue(index, parameter)
        parameter += 1
      }
      for (_, value) in own {
        try write.statement.bind(value, at: parameter)
        parameter += 1
      }
      defer { write.statement.reset() }
      _ = try write.statement.step()
    }
    if let packed = values.packed {
      return try packed.readFields { fields throws(StoreError) in
        try run { index, parameter throws(StoreError) in
          try write.statement.bind(fields[index], at: parameter, outlivesRun: true)
        }
      }
    }
    var failure: StoreError?
    // From the buffer, so that no value is retained.
    (values.unpacked ?? Array(values)).withUnsafeBufferPointer { values in
      do throws(StoreError) {
        try run { index, parameter throws(StoreError) in
          try write.statement.bind(values[index], at: parameter)
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Binds values to a statement and runs it.
  ///
  /// - Returns: The first row of its RETURNING; nil for none.
  private func run(_ write: Write, _ values: [Value]) throws(StoreError) -> [Value]? {
    try statements.logging(write.sql.binding(values)) { () throws(StoreError) in
      for (offset, value) in values.enumerated() {
        try write.statement.bind(value, at: Int32(truncatingIfNeeded: offset + 1))
      }
      defer { write.statement.reset() }
      var row: [Value]?
      while try write.statement.step() { row = row ?? write.statement.values }
      return row
    }
  }

  /// The number of statements of a kind that stay prepared.
  private static let limit = 16

  private func known(_ kind: Kind, where fits: (Write) -> Bool) -> Write? {
    writes[kind.rawValue].last(where: fits)
  }

  private func prepare(
    _ kind: Kind, _ sql: SQL, _ columns: [String], unset: Set<Int> = [], filled: [Int] = [],
    own: [SQL] = []
  ) throws(StoreError) -> Write {
    let new = Write(
      try statements.prepare(sql), sql, columns, unset: unset, filled: filled, own: own)
    writes[kind.rawValue] = writes[kind.rawValue].suffix(Self.limit - 1) + [new]
    return new
  }
}
