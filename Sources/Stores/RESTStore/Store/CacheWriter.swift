import Foundation
import ObjectModel

/// What an answer of the service means for the cache.
struct CacheChange: Sendable {
  /// Objects as they are in the service.
  var objects: [RemoteObject] = []
  /// Keys of objects that the service has no more, by entity.
  var deletedKeys: [String: [RESTKey]] = [:]
  /// Objects that the service has no more.
  var deleted: Set<ObjectID> = []
  /// The entity of which all objects have been read.
  var completed: Completed?
  /// An entity of which all objects have been read.
  struct Completed {
    var entityName: String
    /// What to ask for changes with; nil if the service cannot tell.
    var token: String?
    /// The version of the answer, an ETag, if it was one page; nil if it has none.
    var version: String?
  }
  /// Whose rows are newer than what is written, because they were saved meanwhile.
  var newer: @Sendable (ObjectID) -> Bool = { _ in false }
}

/// Writes what the service answered into the cache, in one transaction with the bookkeeping.
struct CacheWriter: Sendable {
  /// What was written.
  struct Result: Sendable {
    /// The objects, in their order.
    var ids: [ObjectID] = []
    /// Whether any row is another one now.
    var hasChanges = false
  }

  let cache: any BulkStore
  let keys: RemoteKeys
  var model: ManagedObjectModel { keys.model }

  func write(_ change: CacheChange) throws(StoreError) -> Result {
    let links = try LinkDifference(
      change.objects.contains { !toManyNames($0).isEmpty } ? cache : nil)
    do {
      return try cache.saveTogether(changing: changes, doing: "keeping what the service answered") {
        transaction in
        var writing = CacheWriting(writer: self, transaction: transaction)
        return try writing.write(change, links)
      }
    } catch {
      throw error as? StoreError ?? StoreError(.other, doing: "saving", detail: "\(error)")
    }
  }

  /// The relationships of an object that are links, of which it says where they lead.
  func toManyNames(_ object: RemoteObject) -> [String] {
    object.references.keys.filter { name in
      guard object.shared.toOneIndexes[name] == nil,
        let relationship = object.entity.relationship(named: name)
      else { return false }
      return model.inverse(of: relationship)?.isToMany ?? true
    }
  }

  private var changes: StoreChanges {
    var changes = StoreChanges()
    for entity in cache.model.entities {
      changes.inserted.insert(entity.name)
      changes.deleted.insert(entity.name)
      changes.updated[entity.name] = Set(
        entity.attributes.map(\.name) + entity.relationships.map(\.name))
    }
    return changes
  }
}

/// The links of objects that the cache has; it is only read if links come.
struct LinkDifference {
  let cache: (any PersistentStore)?

  init(_ cache: (any PersistentStore)?) throws(StoreError) { self.cache = cache }

  /// The links that are to be made and removed, so that a relationship leads to some objects.
  func links(_ relationship: String, from id: ObjectID, to wanted: [ObjectID]) throws(StoreError)
    -> (added: [ObjectLink], removed: [ObjectLink])
  {
    let present = try cache?.destinations(of: relationship, from: [id])[id] ?? []
    let (old, new) = (Set(present), Set(wanted))
    return (
      wanted.filter { !old.contains($0) }.map { ObjectLink(relationship, from: id, to: $0) },
      present.filter { !new.contains($0) }.map { ObjectLink(relationship, from: id, to: $0) }
    )
  }
}

/// One transaction of a ``CacheWriter``.
private struct CacheWriting {
  /// A key of the service.
  struct Key: Hashable {
    let root: String
    let text: String
  }

  let writer: CacheWriter
  let transaction: any BulkTransaction
  /// The numbers of the keys that have a row of their own.
  private var numbers: [Key: Int64] = [:]
  private var result = CacheWriter.Result()

  init(writer: CacheWriter, transaction: any BulkTransaction) {
    (self.writer, self.transaction) = (writer, transaction)
  }

  private var keys: RemoteKeys { writer.keys }

  mutating func write(_ change: CacheChange, _ links: LinkDifference) throws(StoreError)
    -> CacheWriter.Result
  {
    try findNumbers(change)
    try writeObjects(change)
    try writeLinks(change, links)
    try delete(change)
    if let completed = change.completed { try complete(completed) }
    return result
  }

  // MARK: Keys

  /// Looks up the numbers of keys that are texts, and gives new ones.
  private mutating func findNumbers(_ change: CacheChange) throws(StoreError) {
    if keys.textual.isEmpty { return }
    var wanted: Set<Key> = []
    func want(_ key: RESTKey, _ entityName: String) {
      guard keys.textual.contains(entityName) else { return }
      wanted.insert(Key(root: keys.root(of: entityName), text: key.text))
    }
    for object in change.objects {
      want(object.key, object.shared.name)
      for reference in object.references.values.joined() {
        want(reference.key, reference.entityName)
      }
    }
    for (entityName, deleted) in change.deletedKeys {
      for key in deleted { want(key, entityName) }
    }
    guard !wanted.isEmpty else { return }
    let lookup = try transaction.lookup(["entity", "key"], of: CacheModel.key)
    var (save, fresh): (SaveRequest, [Key]) = (request, [])
    for key in wanted {
      let values: [Value] = [.string(key.root), .string(key.text)]
      if case .one(let id) = try lookup.match(values) {
        numbers[key] = id.integerKey
        continue
      }
      let id = ObjectID(
        storeIdentifier: "", entityName: CacheModel.key, key: .temporary(UInt64(fresh.count)))
      fresh.append(key)
      save.inserted.append(
        RowChange(id: id, values: ["entity": values[0], "key": values[1]]))
    }
    guard !fresh.isEmpty else { return }
    for (temporary, id) in try transaction.save(save).permanentIDs {
      if case .temporary(let index) = temporary.key { numbers[fresh[Int(index)]] = id.integerKey }
    }
  }

  private func id(of key: RESTKey, in entityName: String) throws(StoreError) -> ObjectID? {
    let number =
      try keys.number(of: key, in: entityName)
      ?? numbers[Key(root: keys.root(of: entityName), text: key.text)]
    return number.map { keys.id(entityName, $0) }
  }

  // MARK: Rows

  private var request: SaveRequest {
    var request = SaveRequest()
    (request.checksDestinations, request.returnsRows) = (false, false)
    request.returnsDeletedRows = false
    return request
  }

  private mutating func writeObjects(_ change: CacheChange) throws(StoreError) {
    var objects: [(id: ObjectID, object: RemoteObject)] = []
    var places: [ObjectID: Int] = [:]
    for object in change.objects {
      guard let id = try id(of: object.key, in: object.shared.name) else { continue }
      result.ids.append(id)
      if change.newer(id) { continue }
      // The same object may come twice, alone and inside of another one.
      if let place = places[id] {
        objects[place].object.values.merge(object.values) { $1 }
        objects[place].object.references.merge(object.references) { $1 }
        objects[place].object.version = object.version ?? objects[place].object.version
      } else {
        places[id] = objects.count
        objects.append((id, object))
      }
    }
    let rows = try transaction.rows(of: objects.map(\.id))
    var (save, updatedRows): (SaveRequest, [RowSnapshot?]) = (request, [])
    for ((id, object), row) in zip(objects, rows) {
      let written = try rowChange(id, object, row)
      if row == nil {
        save.inserted.append(written)
      } else if !written.values.keys.isEmpty || !written.toOne.isEmpty {
        save.updated.append(written)
        updatedRows.append(row)
      }
    }
    if save.count > 0 { result.hasChanges = true }
    let versions = objects.compactMap { id, object in
      object.version.map { (id: keys.versionID(of: id), version: Value.string($0)) }
    }
    for ((id, version), row) in zip(versions, try transaction.rows(of: versions.map(\.id)))
    where row?.value(at: 0) != version {
      let written = RowChange(id: id, values: ["version": version])
      if row == nil {
        save.inserted.append(written)
      } else {
        save.updated.append(written)
        updatedRows.append(row)
      }
    }
    guard save.count > 0 else { return }
    _ = try transaction.save(save, updatedRows: updatedRows)
  }

  /// What of an object is another than in its row; all of it if there is none.
  private func rowChange(_ id: ObjectID, _ object: RemoteObject, _ row: RowSnapshot?)
    throws(StoreError) -> RowChange
  {
    let values = if let row { try changedValues(object, row) } else { try newValues(object) }
    var toOne: [String: ObjectID?] = [:]
    for (name, references) in object.references {
      guard let index = object.shared.toOneIndexes[name] else { continue }
      let destination = try references.first.flatMap { reference throws(StoreError) in
        try self.id(of: reference.key, in: reference.entityName)
      }
      // The row may lead to an object of a subentity.
      if row == nil || row?.destination(at: index)?.key != destination?.key {
        toOne[name] = .some(destination)
      }
    }
    return RowChange(
      id: id, version: row?.version, values: values, toOne: toOne)
  }

  private func changedValues(_ object: RemoteObject, _ row: RowSnapshot) throws(StoreError)
    -> ChangedValues
  {
    var values: [String: Value] = [:]
    for (index, name) in object.shared.attributeNames.enumerated() {
      guard let value = object.values[name] else { continue }
      let old = row.value(at: index)
      let stored = try stored(value, at: index, of: object, like: old)
      if stored != old { values[name] = stored }
    }
    return ChangedValues(values)
  }

  private func newValues(_ object: RemoteObject) throws(StoreError) -> ChangedValues {
    let names = object.shared.attributeNames
    var (values, unset) = ([Value](repeating: .null, count: names.count), Set<Int>())
    for (index, name) in names.enumerated() {
      if let value = object.values[name] {
        values[index] = try stored(value, at: index, of: object, like: .null)
      } else {
        unset.insert(index)
      }
    }
    return ChangedValues(row: RowValues(values), names: names, unset: unset)
  }

  private func stored(
    _ value: Value, at index: Int, of object: RemoteObject, like old: Value
  ) throws(StoreError) -> Value {
    do { return try object.shared.description.attributes[index].encode(value, like: old) } catch {
      throw StoreError(
        .other, doing: "reading", subject: "\(object.shared.name) \(object.key.text)",
        detail: error.description)
    }
  }

  private mutating func writeLinks(_ change: CacheChange, _ difference: LinkDifference)
    throws(StoreError)
  {
    var save = request
    for object in change.objects {
      for name in writer.toManyNames(object) {
        guard let id = try id(of: object.key, in: object.shared.name), !change.newer(id) else {
          continue
        }
        let wanted = try (object.references[name] ?? []).map { reference throws(StoreError) in
          try self.id(of: reference.key, in: reference.entityName)
        }.compactMap(\.self)
        // A link has two ends: the others follow when their objects come.
        let present = zip(wanted, try transaction.rows(of: wanted)).filter { $0.1 != nil }.map(\.0)
        let links = try difference.links(name, from: id, to: present)
        save.linked += links.added
        save.unlinked += links.removed
      }
    }
    guard !save.linked.isEmpty || !save.unlinked.isEmpty else { return }
    result.hasChanges = true
    _ = try transaction.save(save)
  }

  private mutating func delete(_ change: CacheChange) throws(StoreError) {
    var ids = change.deleted
    for (entityName, deleted) in change.deletedKeys {
      for key in deleted {
        guard let id = try id(of: key, in: entityName) else { continue }
        // The object may be of a subentity.
        for name in writer.model.entityNames(inheritingFrom: entityName) {
          ids.insert(keys.id(name, id.integerKey))
        }
      }
    }
    let sorted = ids.filter { !change.newer($0) }.sorted()
    let present = zip(sorted, try transaction.rows(of: sorted)).filter { $0.1?.id == $0.0 }
    guard !present.isEmpty else { return }
    result.hasChanges = true
    let versions = present.map { keys.versionID(of: $0.0) }
    let known = zip(versions, try transaction.rows(of: versions)).filter { $0.1 != nil }
    var save = request
    save.deleted = (present + known).map { RowDeletion(id: $0.0) }
    _ = try transaction.save(save)
  }

  /// Notes that all objects of an entity have been read.
  private func complete(_ completed: CacheChange.Completed) throws(StoreError) {
    let entityName = completed.entityName
    let values: ChangedValues = [
      "completed": .double(Date().timeIntervalSinceReferenceDate),
      "token": completed.token.map(Value.string) ?? .null,
      "version": completed.version.map(Value.string) ?? .null,
    ]
    var save = request
    switch try transaction.lookup(["entity"], of: CacheModel.listing).match([.string(entityName)]) {
    case .one(let id): save.updated = [RowChange(id: id, values: values)]
    case .none, .several:
      var row = RowChange(
        id: ObjectID(storeIdentifier: "", entityName: CacheModel.listing, key: .temporary(0)),
        values: values)
      row.values["entity"] = .string(entityName)
      save.inserted = [row]
    }
    _ = try transaction.save(save)
  }
}
