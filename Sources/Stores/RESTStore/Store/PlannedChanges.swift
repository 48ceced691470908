import ObjectModel

/// What a save asks of the service: new objects after those that they refer to, deletions last.
struct PlannedChanges {
  private(set) var all: [RESTChange] = []
  /// The keys of the objects that are not new.
  private(set) var keys: [ObjectID: RESTKey] = [:]
  private let request: SaveRequest
  private let store: RESTStore

  init(_ request: SaveRequest, in store: RESTStore) throws(StoreError) {
    (self.request, self.store) = (request, store)
    let known = (request.updated.map(\.id) + request.deleted.map(\.id) + destinations)
      .filter { !$0.isTemporary }
    let remote = try store.keys.remote(of: Array(Set(known)), in: store.cache)
    keys = remote.mapValues(\.key)
    for change in sorted(request.inserted) {
      all.append(try self.change(.create, change, remote[change.id]?.version))
    }
    for change in request.updated {
      all.append(try self.change(.update, change, remote[change.id]?.version))
    }
    try addLinks(remote.mapValues(\.version))
    for deletion in request.deleted {
      all.append(
        try change(.delete, RowChange(id: deletion.id), remote[deletion.id]?.version))
    }
  }

  /// The objects that the changes refer to.
  private var destinations: [ObjectID] {
    (request.inserted + request.updated).flatMap { $0.toOne.values.compactMap(\.self) }
      + (request.linked + request.unlinked).flatMap { [$0.source, $0.destination] }
  }

  /// New objects, each after the new ones that it refers to, as far as they do not refer to each
  /// other.
  private func sorted(_ inserted: [RowChange]) -> [RowChange] {
    let byID = Dictionary(firstOf: inserted.map { ($0.id, $0) })
    var (sorted, visited): ([RowChange], Set<ObjectID>) = ([], [])
    func visit(_ change: RowChange) {
      guard visited.insert(change.id).inserted else { return }
      for case let id? in change.toOne.values { if let other = byID[id] { visit(other) } }
      sorted.append(change)
    }
    inserted.forEach(visit)
    return sorted
  }

  private func change(_ kind: RESTChange.Kind, _ change: RowChange, _ version: String?)
    throws(StoreError) -> RESTChange
  {
    guard let entity = store.model.entity(named: change.id.entityName) else {
      throw StoreError(.unknownName, doing: request.phrase, subject: change.id.entityName)
    }
    let needed: RESTCapabilities =
      switch kind {
      case .create: .create
      case .update: .update
      case .delete: .delete
      }
    let can = try store.withClient { client throws(StoreError) in client.capabilities(of: entity) }
    guard can.contains(needed) else {
      throw StoreError(
        .readOnly, doing: request.phrase, subject: entity.name,
        detail: "the service cannot \(kind) these objects")
    }
    var values: [String: Value] = [:]
    for (name, stored) in change.values.dictionary {
      guard let attribute = entity.attribute(named: name), !attribute.isReadOnly else { continue }
      values[name] = attribute.decode(stored)
    }
    return RESTChange(
      kind: kind, id: change.id, entity: entity,
      key: change.id.isTemporary ? nil : keys[change.id] ?? .integer(change.id.integerKey),
      version: version, values: values, toOne: change.toOne, added: [:], removed: [:],
      idempotencyKey: store.idempotencyKey(of: change.id, kind))
  }

  /// Adds links to the changes of their sources.
  private mutating func addLinks(_ versions: [ObjectID: String?]) throws(StoreError) {
    if request.linked.isEmpty, request.unlinked.isEmpty { return }
    let deleted = Set(request.deleted.map(\.id))
    var indexes = Dictionary(firstOf: all.enumerated().map { ($1.id, $0) })
    func index(of id: ObjectID) throws(StoreError) -> Int? {
      if let index = indexes[id] { return index }
      if deleted.contains(id) { return nil }
      all.append(try change(.update, RowChange(id: id), versions[id] ?? nil))
      indexes[id] = all.count - 1
      return all.count - 1
    }
    for link in request.linked {
      if let index = try index(of: link.source) {
        all[index].added[link.relationshipName, default: []].append(link.destination)
      }
    }
    for link in request.unlinked {
      if let index = try index(of: link.source) {
        all[index].removed[link.relationshipName, default: []].append(link.destination)
      }
    }
  }
}
