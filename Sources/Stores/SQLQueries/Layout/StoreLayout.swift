package import ObjectModel

/// How a store's entities map to tables: an entity to a table or a part of one, an attribute to a
/// column.
package struct StoreLayout: Hashable, Sendable {
  /// The model.
  package var model: ManagedObjectModel
  /// The tables by entity name.
  package var tables: [String: EntityTable]
  /// Tables that are not entities, each with its purpose.
  package var otherTables: [StoreSummary.OtherTable]
  /// What a Core Data store contains besides its objects; nil for a plain database.
  package var coreData: CoreDataSchema?
  /// The tables of foreign keys that cannot be enforced, children and parents, in small letters.
  package var unenforcedTables: Set<String>
  /// The collations that SQLite does not have here, and without which it opens no table that has
  /// them in its key.
  package var fallbackCollations: [String]

  package init(
    model: ManagedObjectModel, tables: [String: EntityTable],
    otherTables: [StoreSummary.OtherTable] = [], coreData: CoreDataSchema? = nil,
    unenforcedTables: Set<String> = [], fallbackCollations: [String] = []
  ) {
    self.model = model
    self.tables = tables
    self.otherTables = otherTables
    self.coreData = coreData
    self.unenforcedTables = unenforcedTables
    self.fallbackCollations = fallbackCollations
  }
}

extension StoreLayout {
  /// The entities whose rows are objects of an entity: itself and its subentities in its table.
  package func entityNames(of name: String) -> [String] {
    tables[name]?.entityColumn == nil ? [name] : model.entityNames(inheritingFrom: name)
  }
}
