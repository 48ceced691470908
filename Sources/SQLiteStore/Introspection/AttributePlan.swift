import ObjectModel

/// The attributes that the columns of a table make.
struct AttributePlan {
  private let table: Catalog.Table
  private let typings: [ColumnTyping]

  /// Looks at the declarations of a table's columns.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - keyColumns: Its columns that refer to rows of other tables.
  ///   - isCoreData: Whether the database is a Core Data store.
  init(table: Catalog.Table, keyColumns: Set<String>, isCoreData: Bool) {
    self.table = table
    typings = table.columns.map { column in
      ColumnTyping(
        column, isKey: column.keyPlace > 0 || keyColumns.contains(column.name),
        isCoreData: isCoreData)
    }
  }

  /// Makes the attributes, looking at values where declarations leave types open.
  func attributes(sampler: inout ColumnSampler) throws -> [AttributeDescription] {
    let open = table.columns.indices.filter { typings[$0].needsSample }
    let samples = try sampler.sample(open.map { table.columns[$0] }, of: table)
    let sampleByColumn = Dictionary(uniqueKeysWithValues: zip(open, samples))
    return table.columns.indices.map { place in
      attribute(
        table.columns[place], typings[place].decide(sampleByColumn[place] ?? ColumnSample()))
    }
  }

  private func attribute(_ column: Catalog.Column, _ decision: ColumnTyping.Decision)
    -> AttributeDescription
  {
    let literal = column.defaultText.map(DefaultLiteral.value)
    // The database itself fills a rowid, a generated column, and one whose default it computes.
    let isFilled =
      column.isGenerated || column == table.rowidAlias
      || (column.defaultText != nil && literal == .some(nil))
    var attribute = AttributeDescription(
      column.name, decision.type, encoding: decision.encoding,
      isOptional: !column.isNotNull || isFilled, isReadOnly: column.isGenerated,
      declaredType: column.declaredType)
    if !column.isGenerated, let stored = literal ?? nil {
      attribute.defaultValue = attribute.decode(stored)
    }
    return attribute
  }
}
