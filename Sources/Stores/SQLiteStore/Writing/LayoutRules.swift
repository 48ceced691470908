import ObjectModel
import SQLQueries

/// A column and the value that is written to it.
typealias ColumnValue = (name: String, value: Value)

/// What a save writes beside the values of objects.
///
/// It differs between plain tables and Core Data's.
protocol LayoutRules: AnyObject {
  /// The rows of the save.
  var rows: SaveRows { get }

  /// Whether the order of a to-many is stored in order keys, so that links stay when it changes.
  var hasOrderKeys: Bool { get }

  /// Writes the order keys of ordered relationships.
  var orders: OrderWriter { get }

  /// Whether ``begin(before:deleted:)`` and ``finish(deleted:)`` need the deleted rows.
  var needsDeletedRows: Bool { get }

  /// Begins or ends to collect what the store's own triggers report, which fail without that.
  func observeTriggers(_ areObserved: Bool) throws(StoreError)

  /// The key of a new row whose values do not say it.
  ///
  /// - Throws: ``StoreError``, also if no keys are left.
  func nextKey(column: String, in scope: QueryScope) throws(StoreError) -> Int64

  /// The columns of a new row that belong to no property.
  ///
  /// - Throws: ``StoreError``.
  func ownColumns(of change: RowChange, besides written: [ColumnValue], in scope: QueryScope)
    throws(StoreError) -> [ColumnValue]

  /// The columns that are written together with the foreign key of a to-one of an inserted or
  /// updated object; the destination is nil for none.
  ///
  /// - Throws: ``StoreError``.
  func columns(
    with toOne: EntityTable.ToOne, to destination: ObjectID?, key: [Value], of change: RowChange,
    in scope: QueryScope
  ) throws(StoreError) -> [ColumnValue]

  /// Updates a row with a closure, which is given the assignments (`"name" = 1`) that every update
  /// of a row adds to its own.
  func update(_ id: ObjectID, with body: ([SQL]) throws(StoreError) -> Void) throws(StoreError)

  /// The order columns of a new row of a join table.
  func orderColumns(of source: [Value], _ destination: [Value], in table: EntityTable.JoinTable)
    throws(StoreError) -> [(name: String, value: SQL)]

  /// Whether a join table has each pair twice, in both directions.
  func isMirrored(_ table: EntityTable.JoinTable) -> Bool

  /// The values of a row's columns that no property shows: ``RowSnapshot/otherColumns``.
  func otherColumns(of id: ObjectID) throws(StoreError) -> [String: Value]

  /// The text of a constraint error on an object's row, in the names of the model where they
  /// differ.
  func describe(_ detail: String, of id: ObjectID) throws(StoreError) -> String

  /// Called before the first statement that writes.
  ///
  /// - Parameters:
  ///   - before: The rows to be updated, as they are, in the order of the request.
  ///   - deleted: The rows to be deleted.
  /// - Throws: ``StoreError``.
  func begin(before: [RowSnapshot?], deleted: [RowSnapshot]) throws(StoreError)

  /// Called when properties of an object, by their names, have changed.
  func noteChange(of id: ObjectID, _ properties: @autoclosure () -> Set<String>)

  /// Called after the rows and links were written.
  ///
  /// - Parameter deleted: The rows that were deleted.
  /// - Returns: Objects that have changed, those that the request does not name among them.
  /// - Throws: ``StoreError``.
  func finish(deleted: [RowSnapshot]) throws(StoreError) -> [ObjectID]

  /// The names of the properties that changed in an object that ``finish(deleted:)`` returned or
  /// ``noteChange(of:_:)`` has noted, if no trigger of a user has changed it; nil if they are not
  /// known.
  func changedKeys(of id: ObjectID) -> Set<String>?
}

extension LayoutRules {
  /// Updates a row with assignments (`"name" = ?`), and with what every update of a row adds.
  func update(_ id: ObjectID, set assignments: [SQL]) throws(StoreError) {
    try update(id) { own throws(StoreError) in try rows.update(id, set: assignments + own) }
  }
}
