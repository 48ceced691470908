import ObjectModel
import SQLQueries

/// Derives the attributes of an entity from the columns of its table.
struct AttributePlan {
  private let table: Catalog.Table
  private let typings: [ColumnTyping]

  /// Evaluates the declarations of a table's columns, some of which are in foreign keys.
  init(table: Catalog.Table, keyColumns: Set<String>, isCoreData: Bool) {
    self.table = table
    typings = table.columns.map { column in
      ColumnTyping(
        column, isKey: column.keyPosition > 0 || keyColumns.contains(column.name),
        isCoreData: isCoreData)
    }
  }

  /// Returns the attributes, sampling values of the columns whose declared type is not specific.
  func attributes(sampler: inout ColumnSampler) throws -> [AttributeDescription] {
    let open = table.columns.indices.filter { typings[$0].needsSample }
    let samples = try sampler.sample(open.map { table.columns[$0] }, of: table)
    let sampleByColumn = Dictionary(uniqueKeysWithValues: zip(open, samples))
    return table.columns.indices.map { index in
      attribute(
        table.columns[index], typings[index].decide(sampleByColumn[index] ?? ColumnSample()))
    }
  }

  private func attribute(_ column: Catalog.Column, _ decision: ColumnTyping.Decision)
    -> AttributeDescription
  {
    let literal = column.defaultText.map(DefaultLiteral.value)
    // SQLite itself fills a rowid, a generated column, and a default that is an expression.
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
