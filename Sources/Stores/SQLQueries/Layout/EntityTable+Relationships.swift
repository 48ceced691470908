extension EntityTable {
  /// The columns that refer to a to-one relationship's destination:
  /// `this.columns = destination.referenced`.
  package struct ToOne: Hashable, Sendable {
    /// Columns of this table.
    package var columns: [String]
    /// Columns of the destination's table, in the same order.
    package var referenced: [String]
    /// Whether `referenced` is the destination's key, so that `columns` alone give its object ID.
    package var referencesKey: Bool
    /// Whether `referenced` is the foreign key, so that only the destination's row is written.
    package var isInverse: Bool
    /// The column with the entity number (Z_ENT) of the destination; nil if there is none.
    package var entityColumn: String?
    /// The column with the object's position in the inverse, an ordered to-many relationship; nil
    /// if the inverse is not ordered.
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

  /// How the rows of a to-many relationship's destination are found.
  package enum ToMany: Hashable, Sendable {
    /// By a foreign key in the destination's table.
    case foreignKey(ForeignKey)
    /// By a join table.
    case join(JoinTable)
  }

  /// A foreign key of the destination: `destination.columns = this.referenced`.
  package struct ForeignKey: Hashable, Sendable {
    /// Columns of the destination's table.
    package var columns: [String]
    /// Columns of this table, in the same order.
    package var referenced: [String]
    /// The destination's column that orders the objects; nil if the relationship is not ordered.
    package var orderColumn: String?
    /// Whether no to-one relationship of the destination uses the columns, so that the to-many
    /// relationship writes them.
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

  /// A join table: each row relates two objects.
  package struct JoinTable: Hashable, Sendable {
    /// The table's name.
    package var name: String
    /// Its columns that refer to the source's `sourceReferenced`.
    package var sourceColumns: [String]
    /// The source's columns.
    package var sourceReferenced: [String]
    /// Its columns that refer to the destination's `destinationReferenced`.
    package var destinationColumns: [String]
    /// The destination's columns.
    package var destinationReferenced: [String]
    /// Its column that orders the destinations; nil if the relationship is not ordered.
    package var orderColumn: String?
    /// Its column that orders the sources; nil if the inverse is not ordered.
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
}
