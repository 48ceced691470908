import ObjectModel
import SQLQueries

/// The statements of one save that insert whole rows of an entity, each prepared once.
///
/// A row that leaves columns to their defaults, because nobody has set them, has a statement without
/// them; most rows of an entity leave the same.
final class RowInsertions {
  private let scope: QueryScope
  /// The column of the key.
  private let keyColumn: String
  /// The attributes that are written beside the key; not what the database computes.
  private let written: [Int]
  private var insertions: [Insertion] = []
  /// The number of statements that stay prepared.
  private static let limit = 16

  /// A statement, and what it binds: the key, attributes, then columns of no attribute.
  private final class Insertion {
    let statement: Statement
    let sql: SQL
    let filled: [Int]
    /// The indexes of the attributes that are not bound.
    let unset: Set<Int>
    let own: [String]

    init(
      _ statement: consuming Statement, _ sql: SQL, filled: [Int], unset: Set<Int>, own: [String]
    ) {
      self.statement = statement
      (self.sql, self.filled, self.unset, self.own) = (sql, filled, unset, own)
    }
  }

  /// Starts without statements; nil if rows of the entity cannot be written as they are.
  init?(_ scope: QueryScope) {
    let (attributes, columns) = (scope.entity.attributes, scope.table.columns)
    guard case .rowid(let name) = scope.table.key, columns.count == attributes.count,
      !attributes.contains(where: { $0.encoding == .externalData })
    else { return nil }
    self.scope = scope
    keyColumn = name
    written = columns.indices.filter { columns[$0] != name && !attributes[$0].isReadOnly }
  }

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - values: The values of all attributes.
  ///   - unset: The indexes of those that are not written: their columns get their defaults.
  ///   - key: The key.
  ///   - own: Columns of no attribute.
  ///   - statements: The statements of the save.
  /// - Throws: ``StoreError``.
  func insert(
    _ values: RowValues, unset: Set<Int>, key: Int64, own: [ColumnValue],
    with statements: SaveStatements
  ) throws(StoreError) {
    let insertion = try insertion(unset: unset, own: own, statements)
    let logged = { [Value.integer(key)] + insertion.filled.map { values[$0] } + own.map(\.value) }
    try statements.logging(insertion.sql.binding(logged())) { () throws(StoreError) in
      try run(insertion, values, key: key, own: own)
    }
  }

  private func run(_ insertion: Insertion, _ values: RowValues, key: Int64, own: [ColumnValue])
    throws(StoreError)
  {
    try insertion.statement.bind(.integer(key), at: 1, outlivesRun: true)
    func run(_ bindValues: (Int, Int32) throws(StoreError) -> Void) throws(StoreError) {
      var place: Int32 = 2
      for index in insertion.filled {
        try bindValues(index, place)
        place += 1
      }
      for (_, value) in own {
        try insertion.statement.bind(value, at: place)
        place += 1
      }
      defer { insertion.statement.reset() }
      _ = try insertion.statement.step()
    }
    guard let packed = values.packed else {
      var failure: StoreError?
      // From the buffer, so that no value is retained.
      (values.unpacked ?? Array(values)).withUnsafeBufferPointer { values in
        do throws(StoreError) {
          try run { index, place throws(StoreError) in
            try insertion.statement.bind(values[index], at: place)
          }
        } catch { failure = error }
      }
      if let failure { throw failure }
      return
    }
    try packed.readFields { fields throws(StoreError) in
      try run { index, place throws(StoreError) in
        try insertion.statement.bind(fields[index], at: place, outlivesRun: true)
      }
    }
  }

  /// The statement for rows that fill the same columns.
  private func insertion(unset: Set<Int>, own: [ColumnValue], _ statements: SaveStatements)
    throws(StoreError) -> Insertion
  {
    for place in insertions.indices.reversed() {
      let known = insertions[place]
      // Most rows have one set in common, which is known without looking at its elements.
      if known.unset == unset, known.own.elementsEqual(own, by: { $0 == $1.name }) { return known }
    }
    let filled = written.filter { !unset.contains($0) }
    let names = [keyColumn] + filled.map { scope.table.columns[$0] } + own.map(\.name)
    let sql: SQL = """
      INSERT INTO \(name: scope.table.name) (\(names: names)) \
      VALUES (\(names.map { _ in Value.null }))
      """
    let new = Insertion(
      try statements.prepare(sql), sql, filled: filled, unset: unset, own: own.map(\.name))
    insertions = insertions.suffix(Self.limit - 1) + [new]
    return new
  }
}
