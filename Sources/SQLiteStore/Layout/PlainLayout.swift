package import ObjectModel

/// Where the entities of a plain database stand: an entity a table or view, an attribute a column.
package struct PlainLayout: Hashable, Sendable {
  /// The entities as others see them.
  package var model: ManagedObjectModel
  /// The tables by entity name.
  package var tables: [String: PlainTable]
  /// Tables kept out of sight, each with its purpose.
  package var otherTables: [StoreSummary.OtherTable]

  package init(
    model: ManagedObjectModel, tables: [String: PlainTable],
    otherTables: [StoreSummary.OtherTable] = []
  ) {
    self.model = model
    self.tables = tables
    self.otherTables = otherTables
  }
}
