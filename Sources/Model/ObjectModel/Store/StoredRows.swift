/// Rows at hand, over which a fetch is evaluated without a query language: see
/// ``FetchPlan/evaluated(over:control:)``.
public protocol StoredRows: Sendable {
  /// The objects that there are.
  associatedtype ObjectIDs: Collection<ObjectID>

  /// The model of the rows.
  var model: ManagedObjectModel { get }

  /// The objects that there are, in any order.
  var objectIDs: ObjectIDs { get }

  /// Returns the row of an object; nil if it does not exist.
  func row(of id: ObjectID) -> RowSnapshot?

  /// Returns the destinations of a relationship, as `PersistentStore.destinations(of:from:)` does.
  ///
  /// The default finds those of to-ones and of their inverses, by looking at all rows; a
  /// many-to-many relationship has none, because no row has its links.
  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
}

extension StoredRows {
  /// Finds the destinations of a to-one relationship, or of the inverse of one.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    guard let entityName = ids.first?.entityName else { return [:] }
    guard let found = model.entity(named: entityName)?.relationship(named: relationship) else {
      throw StoreError(
        .unknownName, doing: "reading a relationship", subject: "\(entityName).\(relationship)")
    }
    if !found.isToMany {
      return ids.reduce(into: [:]) { destinations, id in
        if let to = destination(of: relationship, from: id) { destinations[id] = [to] }
      }
    }
    guard let inverse = found.inverseName else { return [:] }
    let names = Set(model.entityNames(inheritingFrom: found.destinationEntityName))
    let sources = Set(ids)
    var destinations: [ObjectID: [ObjectID]] = [:]
    for id in objectIDs where names.contains(id.entityName) {
      guard let source = destination(of: inverse, from: id), sources.contains(source) else {
        continue
      }
      destinations[source, default: []].append(id)
    }
    return destinations.mapValues { $0.sorted() }
  }

  /// The destination of a to-one relationship; nil if there is none, or it does not exist.
  package func destination(of name: String, from id: ObjectID) -> ObjectID? {
    guard let index = model.entity(named: id.entityName)?.toOneIndex(name),
      let toOne = row(of: id)?.toOne, toOne.indices.contains(index), let found = toOne[index],
      row(of: found) != nil
    else { return nil }
    return found
  }
}

/// Rows in memory, by the IDs of their objects.
public struct RowTable: StoredRows {
  /// The model of the rows.
  public let model: ManagedObjectModel
  private let rows: [ObjectID: RowSnapshot]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - rows: The rows; of two of one object the first counts.
  ///   - model: Their model.
  public init(_ rows: some Sequence<RowSnapshot>, model: ManagedObjectModel) {
    self.model = model
    self.rows = Dictionary(firstOf: rows.map { ($0.id, $0) })
  }

  /// Makes a table of the objects of one entity, whose keys count from 1.
  ///
  /// - Parameters:
  ///   - values: The values of each object's attributes, in the order of the entity.
  ///   - entityName: The entity.
  ///   - store: The store that has them.
  public init(_ values: [[Value]], of entityName: String, in store: some PersistentStore) {
    let rows = values.enumerated().map { index, values in
      let id = ObjectID(
        storeIdentifier: store.identifier, entityName: entityName, key: .integer(Int64(index + 1)))
      return RowSnapshot(id: id, version: 0, values: values)
    }
    self.init(rows, model: store.model)
  }

  /// The objects that there are, in any order.
  public var objectIDs: some Collection<ObjectID> { rows.keys }

  /// See ``StoredRows/row(of:)``.
  public func row(of id: ObjectID) -> RowSnapshot? { rows[id] }
}

/// An object of some rows, as predicates see it.
package struct RowSubject<Rows: StoredRows>: PredicateSubject {
  private let rows: Rows
  package let objectID: ObjectID

  package init(_ objectID: ObjectID, in rows: Rows) {
    (self.objectID, self.rows) = (objectID, rows)
  }

  package func operand(forKey key: String) -> PredicateOperand {
    guard let entity = rows.model.entity(named: objectID.entityName),
      let row = rows.row(of: objectID)
    else { return .missing }
    if let index = entity.attributeIndex(key) {
      let value = row.values.indices.contains(index) ? row.values[index] : .null
      return .value(entity.attributes[index].decode(value))
    }
    guard let relationship = entity.relationship(named: key) else { return .missing }
    let found = (try? rows.destinations(of: key, from: [objectID]))?[objectID] ?? []
    let subjects = found.map { RowSubject($0, in: rows) }
    return relationship.isToMany
      ? .collection(subjects) : subjects.first.map(PredicateOperand.object) ?? .value(.null)
  }
}
