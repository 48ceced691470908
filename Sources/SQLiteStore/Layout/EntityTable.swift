package import ObjectModel

/// The table or view in which an entity stands, and the columns of its properties.
package struct EntityTable: Hashable, Sendable {
  /// The key of a row.
  package enum Key: Hashable, Sendable {
    /// The 64-bit rowid, by a name that no column has taken (`rowid`, `_rowid_`, `oid`, or the INTEGER PRIMARY KEY's).
    case rowid(name: String)
    /// The columns of a text or composite key.
    case columns([String])
    /// A view, or a thing without a key: readable, not editable; a row's ID is its place in the store's order.
    case none
  }

  /// A table or view that a to-many relationship reaches.
  package enum ToMany: Hashable, Sendable {
    /// Rows of the destination whose columns hold this row's values.
    case foreignKey(ForeignKey)
    /// Rows of a table of pairs.
    case join(JoinTable)
  }

  /// Columns of the destination that refer to this table: `destination.columns = this.referenced`.
  package struct ForeignKey: Hashable, Sendable {
    /// Columns of the destination's table.
    package var columns: [String]
    /// Columns of this table, in the same order.
    package var referenced: [String]
    /// The destination's column that orders the objects; nil when they have no order.
    package var orderColumn: String?
    /// Whether no to-one of the destination stands for the columns, so that the to-many itself writes them.
    package var isHidden: Bool

    package init(
      columns: [String], referenced: [String], orderColumn: String? = nil, isHidden: Bool = false
    ) {
      self.columns = columns
      self.referenced = referenced
      self.orderColumn = orderColumn
      self.isHidden = isHidden
    }
  }

  /// A column that tells entities apart which share a table.
  package struct EntityColumn: Hashable, Sendable {
    /// The column's name.
    package let name: String
    /// What stands in it, by the name of the entity.
    package let marks: [String: Value]
    /// The names of entities by what stands in it.
    package let entityNames: [Value: String]

    package init(name: String, marks: [String: Value]) {
      self.name = name
      self.marks = marks
      entityNames = Dictionary(
        marks.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The columns that hold a to-one's destination: `this.columns = destination.referenced`.
  package struct ToOne: Hashable, Sendable {
    /// Columns of this table.
    package var columns: [String]
    /// Columns of the destination's table, in the same order.
    package var referenced: [String]
    /// Whether `referenced` is the destination's key, so that its ID can be told without reading it.
    package var referencesKey: Bool
    /// Whether the foreign key stands in the destination (`referenced`), which alone writes it.
    package var isInverse: Bool
    /// The column that holds the number of the destination's own entity; nil where the key says it all.
    package var entityColumn: String?
    /// The column that holds the object's place in the ordered to-many at the other end; nil without an order.
    package var orderColumn: String?

    package init(
      columns: [String], referenced: [String], referencesKey: Bool, isInverse: Bool = false,
      entityColumn: String? = nil, orderColumn: String? = nil
    ) {
      self.columns = columns
      self.referenced = referenced
      self.referencesKey = referencesKey
      self.isInverse = isInverse
      self.entityColumn = entityColumn
      self.orderColumn = orderColumn
    }
  }

  /// A table whose rows are pairs of objects.
  package struct JoinTable: Hashable, Sendable {
    /// The table's name.
    package var name: String
    /// Its columns that hold the source's `sourceReferenced` values.
    package var sourceColumns: [String]
    /// The source's columns.
    package var sourceReferenced: [String]
    /// Its columns that hold the destination's `destinationReferenced` values.
    package var destinationColumns: [String]
    /// The destination's columns.
    package var destinationReferenced: [String]
    /// Its column that orders the destinations; nil when they have no order.
    package var orderColumn: String?
    /// Its column that orders the sources of a destination, where the relationship back has an order too; else nil.
    package var inverseOrderColumn: String?

    package init(
      name: String, sourceColumns: [String], sourceReferenced: [String],
      destinationColumns: [String], destinationReferenced: [String], orderColumn: String? = nil,
      inverseOrderColumn: String? = nil
    ) {
      self.name = name
      self.sourceColumns = sourceColumns
      self.sourceReferenced = sourceReferenced
      self.destinationColumns = destinationColumns
      self.destinationReferenced = destinationReferenced
      self.orderColumn = orderColumn
      self.inverseOrderColumn = inverseOrderColumn
    }
  }

  /// The table's or view's name.
  package var name: String
  /// The key of its rows.
  package var key: Key
  /// The column that tells a row's entity, where entities share the table; nil where one has it for itself.
  package var entityColumn: EntityColumn?
  /// The column of each attribute, in the order of the entity's attributes.
  package var columns: [String]
  /// The to-one relationships by name.
  package var toOne: [String: ToOne]
  /// The to-many relationships by name.
  package var toMany: [String: ToMany]

  package init(
    name: String, key: Key, entityColumn: EntityColumn? = nil, columns: [String],
    toOne: [String: ToOne] = [:], toMany: [String: ToMany] = [:]
  ) {
    self.name = name
    self.key = key
    self.entityColumn = entityColumn
    self.columns = columns
    self.toOne = toOne
    self.toMany = toMany
  }
}
