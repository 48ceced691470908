import ObjectModel

/// Gives one-to-one relationships of a file both of their ends: the other object leads back, and who
/// led to it before does not any more.
struct OneToOneEnds {
  private let relationships: [(description: RelationshipDescription, inverse: String)]
  private let model: ManagedObjectModel

  /// The relationships of a file; none in a whole store, whose objects have both ends.
  init(of maker: RowMaker, in model: ManagedObjectModel) {
    self.model = model
    relationships =
      maker.keepsKeys
      ? []
      : maker.mappedRelationships.compactMap { relationship in
        guard !relationship.isToMany, let inverse = model.inverse(of: relationship),
          !inverse.isToMany
        else { return nil }
        return (relationship, inverse.name)
      }
  }

  /// Completes a part of the file.
  ///
  /// - Parameters:
  ///   - request: The objects of the part. Of two that lead to one object the last one does.
  ///   - stored: The rows of those that are updated.
  ///   - bulk: Reads the other objects.
  ///   - others: What changes of other objects.
  /// - Throws: `StoreError`.
  func complete(
    _ request: inout SaveRequest, _ stored: [ObjectID: RowSnapshot], _ bulk: any BulkTransaction,
    _ others: inout [ObjectID: RowChange]
  ) throws(StoreError) {
    for (relationship, inverse) in relationships {
      let name = relationship.name
      let changes = request.inserted + request.updated
      let destinations = Set(changes.compactMap { $0.toOne[name] ?? nil }).sorted()
      let found = Dictionary(rows: try bulk.rows(of: destinations))
      func destination(_ name: String, of row: RowSnapshot?) -> ObjectID? {
        guard let row, let index = model.entity(named: row.id.entityName)?.toOneIndex(name),
          row.toOne.indices.contains(index)
        else { return nil }
        return row.toOne[index]
      }
      var sources: [ObjectID: Int] = [:]
      for (index, change) in changes.enumerated() {
        guard let new = change.toOne[name] else { continue }
        if let old = destination(name, of: stored[change.id]), old != new,
          others[old]?.toOne[inverse] == nil
        {
          others[old, default: RowChange(id: old)].toOne[inverse] = .some(nil)
        }
        guard let new, let row = found[new] else { continue }
        if let former = sources.updateValue(index, forKey: new) {
          request.setDestination(of: former, name, nil)
        } else if let former = destination(inverse, of: row), former != change.id {
          others[former, default: RowChange(id: former)].toOne[name] = .some(nil)
        }
        others[new, default: RowChange(id: new)].toOne[inverse] = .some(change.id)
      }
    }
  }
}

extension SaveRequest {
  /// Sets the destination of one of the inserted and then the updated objects.
  fileprivate mutating func setDestination(of index: Int, _ name: String, _ id: ObjectID?) {
    if index < inserted.count {
      inserted[index].toOne[name] = .some(id)
    } else {
      updated[index - inserted.count].toOne[name] = .some(id)
    }
  }

  /// Adds changes of objects, some of which may be updated already: what is set there stays.
  mutating func update(_ others: [ObjectID: RowChange]) {
    if others.isEmpty { return }
    var others = others
    for index in updated.indices {
      guard let other = others.removeValue(forKey: updated[index].id) else { continue }
      updated[index].toOne.merge(other.toOne) { own, _ in own }
    }
    updated += others.sorted { $0.key < $1.key }.map(\.value)
  }
}
