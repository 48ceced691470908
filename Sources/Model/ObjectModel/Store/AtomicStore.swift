/// A store whose rows are all at hand: those of a file that is read whole, of a service's answer, or
/// constants.
///
/// Core Data calls it an atomic store.
/// It has an identifier, a model and its rows; fetches, values and relationships follow from them. It
/// is read-only, unless it has a `save(_:)` of its own.
///
///     final class Planets: AtomicStore {
///       let identifier = "planets"
///       let model = ManagedObjectModel { Entity("Planet") { Attribute("name", .string) } }
///       func storedRows() -> RowTable {
///         RowTable([["Mercury"], ["Venus"], ["Earth"]], of: "Planet", in: self)
///       }
///     }
public protocol AtomicStore: PersistentStore {
  /// The rows of the store.
  associatedtype Rows: StoredRows

  /// Returns the rows as they are now.
  ///
  /// It is called for each read: a store that takes time to get them keeps them.
  ///
  /// - Throws: ``StoreError`` if they cannot be read.
  func storedRows() throws(StoreError) -> Rows
}

extension AtomicStore {
  /// The identifier as the name, of a store that cannot be changed.
  public var summary: StoreSummary {
    StoreSummary(
      name: identifier, kind: "Rows in memory", readOnlyReason: "it has no way to save changes")
  }

  /// Evaluates the fetch over the rows.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try plan.evaluated(over: storedRows(), control: control)
  }

  /// Looks the rows up.
  public func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    let rows = try storedRows()
    return ids.map(rows.row)
  }

  /// Looks the value up.
  public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    guard let index = model.entity(named: id.entityName)?.attributeIndex(attribute) else {
      throw StoreError(.unknownName, doing: "reading a value", subject: attribute)
    }
    return try storedRows().row(of: id)?.values[index] ?? .null
  }

  /// Finds the destinations among the rows.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try storedRows().destinations(of: relationship, from: ids)
  }
}
