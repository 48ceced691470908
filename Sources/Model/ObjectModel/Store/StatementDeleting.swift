/// A store that deletes all objects which a fetch returns with one statement, however many they are:
/// without reading them, and without an undo.
package protocol StatementDeleting: PersistentStore {
  /// Why the objects of an entity cannot be deleted so, beside what refers to them; nil for nothing.
  func deletionObstacle(of entityName: String) throws(StoreError) -> String?

  /// Deletes the objects of a fetch in a transaction of its own.
  ///
  /// - Parameters:
  ///   - plan: The fetch, of all objects that meet its predicate.
  ///   - expected: How many they must be, so that none is deleted otherwise; nil for any number.
  ///   - returnsIDs: Whether their IDs are returned.
  ///   - control: Cancels, from another thread.
  /// - Returns: What was deleted.
  /// - Throws: ``StoreError``; nothing was deleted then.
  func deleteAll(
    _ plan: FetchPlan, expecting expected: Int?, returnsIDs: Bool, control: FetchControl?
  ) throws(StoreError) -> DeletedObjects
}

/// What one statement has deleted.
package struct DeletedObjects: Sendable {
  package var count: Int
  /// The objects, in no order; empty if they were not asked for.
  package var ids: [ObjectID]

  package init(count: Int, ids: [ObjectID] = []) { (self.count, self.ids) = (count, ids) }
}

extension StatementDeleting {
  /// Why the objects of an entity cannot be deleted with one statement; nil if they can.
  ///
  /// What refers to them would have to follow the delete rules.
  package func obstacleToDeletingAll(of entityName: String) throws(StoreError) -> String? {
    let relationships = model.entities.flatMap { entity in
      entity.relationships.filter {
        entity.name == entityName && $0.isToMany || $0.destinationEntityName == entityName
      }.map { "\(entity.name).\($0.name)" }
    }
    if let reason = summary.readOnlyReason ?? model.entity(named: entityName)?.readOnlyReason {
      return reason
    }
    if let first = relationships.first { return "objects refer to each other by \(first)" }
    return try deletionObstacle(of: entityName)
  }
}

extension StoreError {
  /// The error of a deletion that met another number of objects than it was asked for.
  package init(deletedCount count: Int, insteadOf expected: Int, doing: String) {
    self.init(
      .conflict, doing: doing,
      detail: "\(Value.grouped(count)) objects match now and not \(Value.grouped(expected))",
      remedy: "count them again")
  }
}

extension PersistentStore {
  /// The store that deletes with one statement: this one, or the one that it wraps; nil for none.
  package var statementDeleting: (any StatementDeleting)? {
    (self as? any StatementDeleting) ?? (self as? any ForwardingStore)?.base.statementDeleting
  }
}
