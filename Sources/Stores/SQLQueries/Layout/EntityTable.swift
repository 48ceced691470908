package import ObjectModel

/// The table or view of an entity, and the columns of its properties.
package struct EntityTable: Hashable, Sendable {
  /// The key of a row.
  package enum Key: Hashable, Sendable {
    /// The 64-bit rowid, by a name that no other column has: `rowid`, `_rowid_`, `oid`, or that of
    /// the INTEGER PRIMARY KEY.
    case rowid(name: String)
    /// The columns of a text or composite key.
    case columns([String])
    /// None, as in a view: objects are read-only, and a row's ID is its number in the result.
    case none
  }

  /// The column that identifies a row's entity in a table of several entities: Z_ENT.
  package struct EntityColumn: Hashable, Sendable {
    /// The column's name.
    package let name: String
    /// The column's value by entity name.
    package let values: [String: Value]
    /// The entity name by the column's value.
    package let entityNames: [Value: String]

    package init(name: String, values: [String: Value]) {
      self.name = name
      self.values = values
      entityNames = Dictionary(firstOf: values.map { ($0.value, $0.key) })
    }
  }

  /// The table's or view's name.
  package var name: String
  /// The schema that it is in; nil where names of tables stand alone, as in SQLite.
  package var schema: String?
  /// The key of its rows.
  package var key: Key
  /// The column that identifies a row's entity; nil if the table has one entity.
  package var entityColumn: EntityColumn?
  /// The column of each attribute, in the order of the entity's attributes.
  package var columns: [String]
  /// The to-one relationships by name.
  package var toOne: [String: ToOne]
  /// The to-many relationships by name.
  package var toMany: [String: ToMany]
  /// The columns whose collation SQLite does not have here, which are compared by their bytes
  /// instead; nil if it has those of all columns and indexes.
  ///
  /// No index of the table is used, because the order of some is not known.
  package var uncollated: Set<String>?

  package init(
    name: String, schema: String? = nil, key: Key, entityColumn: EntityColumn? = nil,
    columns: [String],
    toOne: [String: ToOne] = [:], toMany: [String: ToMany] = [:], uncollated: Set<String>? = nil
  ) {
    self.name = name
    self.schema = schema
    self.key = key
    self.entityColumn = entityColumn
    self.columns = columns
    self.toOne = toOne
    self.toMany = toMany
    self.uncollated = uncollated
  }
}
