/// What a store in Core Data's layout keeps beside its objects: see core-data-stores 2, 4 and 6.
///
/// A layout that has one is Core Data's; one without is a plain database's.
package struct CoreDataSchema: Hashable, Sendable {
  /// The store's own UUID, from Z_METADATA.
  package var storeIdentifier: String
  /// The numbers of entities (Z_ENT) by their names in the model.
  package var entityNumbers: [String: Int64]
  /// The root entity of each entity, by their names in the model: under its number the last key of their table is kept
  /// (Z_MAX).
  package var rootNames: [String: String]
  /// The version of the framework that wrote the store last; nil when the metadata does not say.
  package var frameworkVersion: Int?
  /// The tables of persistent history; nil when the store keeps none.
  package var history: HistoryTables?
  /// Why nothing may be written unless it is forced; nil when it may.
  package var writeRefusal: String?

  /// The tables of persistent history.
  package struct HistoryTables: Hashable, Sendable {
    /// Whether author, bundle and process stand in a table of strings, and not in the transaction.
    package var hasStrings: Bool
    /// How many values a change of a deletion can keep.
    package var tombstoneCount: Int

    package init(hasStrings: Bool, tombstoneCount: Int) {
      self.hasStrings = hasStrings
      self.tombstoneCount = tombstoneCount
    }
  }

  package init(
    storeIdentifier: String, entityNumbers: [String: Int64], rootNames: [String: String],
    frameworkVersion: Int? = nil, history: HistoryTables? = nil, writeRefusal: String? = nil
  ) {
    self.storeIdentifier = storeIdentifier
    self.entityNumbers = entityNumbers
    self.rootNames = rootNames
    self.frameworkVersion = frameworkVersion
    self.history = history
    self.writeRefusal = writeRefusal
  }
}
