import ObjectModel
import SQLQueries

/// Computes the derived attributes of the objects that a save affects, where no trigger of the
/// database does.
///
/// Affected are the objects of the save and those that lead to or led to one of them by a
/// relationship that a derivation reads.
final class DerivedValues {
  private let rows: SaveRows
  private let rules: any LayoutRules
  /// What is computed, by entity.
  private let derived: [String: [DerivedAttribute]]
  /// Objects that led to one of the save before it was written.
  private var former: Set<ObjectID> = []

  /// Prepares a save.
  ///
  /// The result is nil if no attribute has to be computed.
  init?(_ rows: SaveRows, _ rules: any LayoutRules) {
    self.rows = rows
    self.rules = rules
    let hasTriggers = rows.layout.coreData != nil
    derived = rows.layout.model.entities.reduce(into: [:]) { derived, entity in
      let own = DerivedAttribute.all(of: entity).filter {
        !hasTriggers || !$0.hasTrigger(in: entity)
      }
      if !own.isEmpty { derived[entity.name] = own }
    }
    if derived.isEmpty { return nil }
  }

  /// Finds the objects that lead to those that will be changed or deleted; called before anything is
  /// written.
  func begin() throws(StoreError) {
    let request = rows.request
    former = try sources(leadingTo: request.updated.map(\.id) + request.deleted.map(\.id))
  }

  /// Computes the values; called after everything else is written.
  ///
  /// - Returns: The objects whose values changed.
  /// - Throws: ``StoreError``.
  func finish() throws(StoreError) -> [ObjectID] {
    let request = rows.request
    let written = Set(
      rows.insertedIDs + request.updated.map(\.id))
    let ends = (request.linked + request.unlinked).flatMap { [$0.source, $0.destination] }
      .compactMap(rows.storedID)
    let deleted = Set(request.deleted.map(\.id))
    var affected = try former.union(sources(leadingTo: Array(written))).union(written).union(ends)
    affected = affected.filter { derived[$0.entityName] != nil && !deleted.contains($0) }
    var changed: [ObjectID] = []
    let subjects = StoredSubjects(rows)
    for chunk in affected.sorted().chunks(of: QueryScope.keysPerStatement) {
      try subjects.read(Array(chunk))
      for id in chunk {
        guard let row = subjects.row(of: id) else { continue }
        var assignments: [SQL] = []
        let table = try rows.scope(id.entityName).table
        for derived in derived[id.entityName] ?? []
        where !derived.isTime || written.contains(id) || ends.contains(id) {
          let value = try derived.value(of: subjects.subject(id))
          guard value != row.values[derived.index] else { continue }
          assignments.append("\(name: table.columns[derived.index]) = \(value)")
          rules.noteChange(of: id, [derived.attribute.name])
        }
        if let error = subjects.error { throw error }
        guard !assignments.isEmpty else { continue }
        try rules.update(id, set: assignments)
        changed.append(id)
      }
    }
    return changed
  }

  /// The objects with derived attributes that lead to some objects by a relationship that a
  /// derivation reads.
  private func sources(leadingTo ids: [ObjectID]) throws(StoreError) -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    let model = rows.layout.model
    for (entityName, attributes) in derived {
      for name in Set(attributes.flatMap(\.relationshipNames)) {
        guard let relationship = rows.relationship(name, of: entityName) else { continue }
        let names = Set(model.entityNames(inheritingFrom: relationship.destinationEntityName))
        let targets = ids.filter { names.contains($0.entityName) }
        for chunk in targets.chunks(of: QueryScope.keysPerStatement) {
          let condition = FetchPredicate.Comparison(
            .keyPath([name]), .in, .list(chunk.map { .object($0) }),
            modifier: relationship.isToMany ? .any : .direct)
          let predicate: ValidatedPredicate
          do {
            predicate = try FetchPredicate(.comparison(condition))
              .validated(forEntity: entityName, in: model)
          } catch {
            throw StoreError(.other, doing: rows.request.phrase, detail: error.description)
          }
          let plan = FetchPlan(
            entityName: entityName, includesSubentities: false, predicate: predicate)
          let connection = rows.statements.connection
          found.formUnion(try rows.reader.fetch(plan, control: nil, on: connection).ids)
        }
      }
    }
    return found
  }
}

extension DerivedAttribute {
  /// Whether a store in Core Data's layout has triggers that update the attribute: counts, values of
  /// a to-one's destination, and the time of the last save.
  fileprivate func hasTrigger(in entity: EntityDescription) -> Bool {
    CoreDataBlueprint.Derivation(attribute.details.derivation, of: entity) != nil
  }
}

/// The rows of a save's transaction as subjects of expressions; each row is read once.
final class StoredSubjects {
  private let rows: SaveRows
  private var snapshots: [ObjectID: RowSnapshot] = [:]
  /// The first error of a subject, which cannot throw.
  private(set) var error: StoreError?

  init(_ rows: SaveRows) { self.rows = rows }

  /// Reads rows that were not read before.
  func read(_ ids: [ObjectID]) throws(StoreError) {
    let unread = ids.filter { snapshots[$0] == nil }
    guard !unread.isEmpty else { return }
    let read = try rows.reader.snapshots(
      of: unread, isWhole: true, on: rows.statements.connection)
    snapshots.merge(read) { $1 }
  }

  func row(of id: ObjectID) -> RowSnapshot? { snapshots[id] }

  func subject(_ id: ObjectID) -> some PredicateSubject { Subject(objectID: id, store: self) }

  private struct Subject: PredicateSubject {
    let objectID: ObjectID
    let store: StoredSubjects

    func operand(forKey key: String) -> PredicateOperand {
      store.operand(forKey: key, of: objectID)
    }
  }

  private func operand(forKey key: String, of id: ObjectID) -> PredicateOperand {
    guard let entity = rows.layout.model.entity(named: id.entityName) else { return .missing }
    do throws(StoreError) {
      if let index = entity.attributeIndex(key) {
        try read([id])
        let value = snapshots[id]?.values[index] ?? .null
        return .value(entity.attributes[index].decode(value))
      }
      guard let relationship = entity.relationship(named: key) else { return .missing }
      let found =
        try rows.reader.destinations(
          of: key, from: [id], on: rows.statements.connection)[id] ?? []
      if !relationship.isToMany {
        return found.first.map { .object(Subject(objectID: $0, store: self)) } ?? .value(.null)
      }
      return .collection(found.map { Subject(objectID: $0, store: self) })
    } catch {
      self.error = self.error ?? error
      return .missing
    }
  }
}
