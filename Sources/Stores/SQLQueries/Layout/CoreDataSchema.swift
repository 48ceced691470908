import ObjectModel

/// What a Core Data store contains besides its objects: see core-data-stores 2, 4 and 6.
///
/// ``StoreLayout/coreData`` is nil for a plain database.
package struct CoreDataSchema: Hashable, Sendable {
  /// The store's own UUID, from Z_METADATA.
  package var storeIdentifier: String
  /// The entity numbers (Z_ENT) by entity name.
  package var entityNumbers: [String: Int64]
  /// The name of each entity's root entity, by entity name.
  ///
  /// The row of the root entity in Z_PRIMARYKEY contains the table's last primary key (Z_MAX).
  package var rootNames: [String: String]
  /// The tables of persistent history; nil if the store has none.
  package var history: HistoryTables?
  /// Why saving is refused unless it is forced; nil if it is not refused.
  package var writeRefusal: String?

  /// What the model has and the store lacks.
  package var missing: [Missing] = []
  /// Whether the model is derived from the tables, because the store has none.
  package var hasDerivedModel = false

  /// A table or column that the store should have.
  package struct Missing: Hashable, Sendable {
    package var entityName: String
    /// The property without a column or join table; nil for an entity without a table.
    package var propertyName: String?

    package init(entityName: String, propertyName: String? = nil) {
      self.entityName = entityName
      self.propertyName = propertyName
    }
  }

  /// The tables of persistent history.
  package struct HistoryTables: Hashable, Sendable {
    /// Whether ATRANSACTION refers to author, bundle and process in ATRANSACTIONSTRING, instead of
    /// containing them.
    package var hasStrings: Bool
    /// The number of ZTOMBSTONE columns, which keep values of a deleted object.
    package var tombstoneCount: Int

    package init(hasStrings: Bool, tombstoneCount: Int) {
      self.hasStrings = hasStrings
      self.tombstoneCount = tombstoneCount
    }
  }

  package init(
    storeIdentifier: String, entityNumbers: [String: Int64], rootNames: [String: String],
    history: HistoryTables? = nil, writeRefusal: String? = nil
  ) {
    self.storeIdentifier = storeIdentifier
    self.entityNumbers = entityNumbers
    self.rootNames = rootNames
    self.history = history
    self.writeRefusal = writeRefusal
  }

  /// The names of entities in the model, by number (Z_ENT).
  package var entityNames: [Int64: String] {
    Dictionary(firstOf: entityNumbers.map { ($0.value, $0.key) })
  }
}
