/// Where a migration reads the objects that there are.
package protocol MigrationReading {
  /// Their model.
  var model: ManagedObjectModel { get }

  /// Fetches objects.
  func ids(_ plan: FetchPlan) throws(StoreError) -> [ObjectID]

  /// Reads rows, whole; values in external files may be references.
  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?]

  /// Reads a value, from its external file too.
  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value

  /// Reads the objects of a relationship.
  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
}

/// The objects that there are, read in batches around those that are asked for.
final class MigrationRows {
  let reading: any MigrationReading
  /// The objects that were asked for, and those that lead from them to others.
  private var batch: Set<ObjectID> = []
  private var rows: [ObjectID: RowSnapshot] = [:]
  private var others: [ObjectID: RowSnapshot] = [:]
  private var destinations: [String: [ObjectID: [ObjectID]]] = [:]
  /// The first failure of a read: an operand cannot throw.
  private(set) var error: StoreError?

  private static let mostOthers = 4096

  init(_ reading: any MigrationReading) { self.reading = reading }

  /// Reads objects that are asked for next.
  func read(_ ids: [ObjectID]) throws(StoreError) {
    (batch, rows, destinations) = (Set(ids), [:], [:])
    for case let row? in try reading.rows(of: ids) { rows[row.id] = row }
  }

  /// The row of an object; nil if it does not exist.
  func row(of id: ObjectID) -> RowSnapshot? {
    if let row = rows[id] ?? others[id] { return row }
    if others.count > Self.mostOthers { others = [:] }
    let row = noting { () throws(StoreError) in try reading.rows(of: [id]).first ?? nil } ?? nil
    others[id] = row
    return row
  }

  func operand(forKey key: String, of id: ObjectID) -> PredicateOperand {
    guard let entity = reading.model.entity(named: id.entityName) else { return .missing }
    if let index = entity.attributeIndex(key) {
      let attribute = entity.attributes[index]
      if attribute.encoding == .externalData {
        let value = noting { () throws(StoreError) in try reading.value(of: key, for: id) }
        return .value(attribute.decode(value ?? .null))
      }
      return .value(attribute.decode(row(of: id)?.value(at: index) ?? .null))
    }
    guard let relationship = entity.relationship(named: key) else { return .missing }
    let found = objects(of: relationship, from: id).map {
      MigrationSource(objectID: $0, rows: self)
    }
    return relationship.isToMany
      ? .collection(found) : found.first.map(PredicateOperand.object) ?? .value(.null)
  }

  private func objects(of relationship: RelationshipDescription, from id: ObjectID) -> [ObjectID] {
    let isInBatch = batch.contains(id)
    let key = "\(id.entityName).\(relationship.name)"
    if isInBatch, let known = destinations[key] { return known[id] ?? [] }
    let ids = isInBatch ? batch.filter { $0.hasScope(of: id) } : [id]
    let found = noting { () throws(StoreError) in
      try reading.destinations(of: relationship.name, from: Array(ids))
    }
    if isInBatch { destinations[key] = found ?? [:] }
    return found?[id] ?? []
  }

  private func noting<Result>(_ read: () throws(StoreError) -> Result) -> Result? {
    do throws(StoreError) { return try read() } catch {
      self.error = self.error ?? error
      return nil
    }
  }
}
