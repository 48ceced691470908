package import ObjectModel

/// Where the entities of a store stand: an entity a table or a part of one, an attribute a column.
package struct StoreLayout: Hashable, Sendable {
  /// The entities as others see them.
  package var model: ManagedObjectModel
  /// The tables by entity name.
  package var tables: [String: EntityTable]
  /// Tables kept out of sight, each with its purpose.
  package var otherTables: [StoreSummary.OtherTable]
  /// What Core Data keeps beside the objects; nil for a plain database.
  package var coreData: CoreDataSchema?

  package init(
    model: ManagedObjectModel, tables: [String: EntityTable],
    otherTables: [StoreSummary.OtherTable] = [], coreData: CoreDataSchema? = nil
  ) {
    self.model = model
    self.tables = tables
    self.otherTables = otherTables
    self.coreData = coreData
  }
}
