import Foundation
import ObjectModel

/// One save: asks the service change by change, and tells what it said.
///
/// What the service has done before it refuses something stays done there: it is remembered, so
/// that the next save sends only the rest.
struct RESTSaver {
  let store: RESTStore
  let request: SaveRequest
  private let doing: String
  /// The objects as the service answered them, by ID as it was in the request.
  private(set) var answers: [ObjectID: RemoteObject] = [:]
  /// Objects that came with answers.
  private(set) var others: [RemoteObject] = []
  /// What the service has done.
  private(set) var done: Set<ObjectID> = []
  private var keys: [ObjectID: RESTKey] = [:]

  init(_ request: SaveRequest, in store: RESTStore) {
    (self.store, self.request, doing) = (store, request, request.phrase)
  }

  // MARK: Changes

  /// What is asked of the service, new objects after those that they refer to, deletions last.
  mutating func changes() throws(StoreError) -> [RESTChange] {
    let known = (request.updated.map(\.id) + request.deleted.map(\.id) + destinations)
      .filter { !$0.isTemporary }
    let remote = try store.keys.remote(of: Array(Set(known)), in: store.cache)
    keys = remote.mapValues(\.key)
    var changes: [RESTChange] = []
    for change in sorted(request.inserted) {
      changes.append(try self.change(.create, change, remote[change.id]?.version))
    }
    for change in request.updated {
      changes.append(try self.change(.update, change, remote[change.id]?.version))
    }
    try addLinks(to: &changes, remote.mapValues(\.version))
    for deletion in request.deleted {
      changes.append(
        try change(.delete, RowChange(id: deletion.id), remote[deletion.id]?.version))
    }
    return changes
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
      throw StoreError(.unknownName, doing: doing, subject: change.id.entityName)
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
        .readOnly, doing: doing, subject: entity.name,
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
  private func addLinks(to changes: inout [RESTChange], _ versions: [ObjectID: String?])
    throws(StoreError)
  {
    func index(of id: ObjectID) throws(StoreError) -> Int? {
      if let index = changes.firstIndex(where: { $0.id == id }) { return index }
      if request.deleted.contains(where: { $0.id == id }) { return nil }
      changes.append(try change(.update, RowChange(id: id), versions[id] ?? nil))
      return changes.count - 1
    }
    for link in request.linked {
      if let index = try index(of: link.source) {
        changes[index].added[link.relationshipName, default: []].append(link.destination)
      }
    }
    for link in request.unlinked {
      if let index = try index(of: link.source) {
        changes[index].removed[link.relationshipName, default: []].append(link.destination)
      }
    }
  }

  // MARK: Sending

  /// Sends all changes.
  ///
  /// - Throws: `StoreError` for the first that is not done; ``answers`` and ``done`` have what was.
  mutating func send() throws(StoreError) {
    let changes = try changes()
    let batches = try store.withClient { client throws(StoreError) in client.batches(of: changes) }
    for batch in batches { try send(batch) }
  }

  private mutating func send(_ batch: [RESTChange]) throws(StoreError) {
    var batch = batch
    // Done by a save that failed later.
    for change in batch {
      guard let earlier = store.accepted(change) else { continue }
      note(change, earlier.object)
      batch.removeAll { $0.id == change.id }
    }
    if batch.isEmpty { return }
    for index in batch.indices where batch[index].kind == .create {
      // It was created before, and has been changed here since.
      guard let created = store.created(batch[index].id) else { continue }
      (batch[index].kind, batch[index].key) = (.update, created.key)
      batch[index].version = created.version
      keys[batch[index].id] = created.key
    }
    for index in batch.indices.reversed()
    where batch[index].version == nil && batch[index].kind != .create {
      if try !checkUnchanged(&batch[index]) { batch.remove(at: index) }
    }
    if batch.isEmpty { return }
    if batch.contains(where: { store.isUncertain($0.id) }), try isDone(batch, nil) { return }
    var attempts = 0
    while true {
      let request = try store.withClient { [batch, keys] client throws(StoreError) in
        try client.request(forSave: batch, keys: RESTKeys(keys: keys))
      }
      let answer: RESTAnswer
      do {
        answer = try store.answer(to: request, of: batch[0].entity)
        guard answer.response.status >= 500 else {
          return try take(answer, batch)
        }
        throw RESTConnection.Failure(storeError: StoreError(answer, doing: doing), mayBeDone: true)
      } catch let failure as RESTConnection.Failure {
        guard failure.mayBeDone else { throw failure.storeError }
        store.noteUncertain(batch.map(\.id), true)
        attempts += 1
        guard attempts < 3, failure.storeError.reason != .cancelled else {
          throw uncertain(failure.storeError, batch)
        }
        if try isDone(batch, failure.storeError) { return }
      } catch {
        throw error as? StoreError ?? StoreError(.other, doing: doing, detail: "\(error)")
      }
    }
  }

  /// Whether the service has made changes to which no answer came.
  private mutating func isDone(_ batch: [RESTChange], _ failure: StoreError?) throws(StoreError)
    -> Bool
  {
    do throws(StoreError) { return try lookUp(batch) == .done } catch {
      throw error.reason == .conflict ? error : uncertain(failure ?? error, batch)
    }
  }

  private func uncertain(_ error: StoreError, _ batch: [RESTChange]) -> StoreError {
    var error = error
    error.doing = doing
    error.objectIDs = batch.map(\.id)
    if error.reason == .cancelled {
      // “Cancelled” would say that nothing was saved.
      (error.reason, error.detail) = (.other, "you have stopped waiting for the service")
    }
    error.detail +=
      (error.detail.isEmpty ? "" : "; ") + "it is not known whether it was saved there"
    error.remedy = "save again: it is looked up before anything is sent twice"
    return error
  }

  /// Takes what the service said to the changes of a request.
  private mutating func take(_ answer: RESTAnswer, _ batch: [RESTChange]) throws(StoreError) {
    store.noteUncertain(batch.map(\.id), false)
    let outcomes = try store.withClient { [batch] client throws(StoreError) in
      try client.outcomes(of: batch, in: answer)
    }
    var refusals: [StoreError.Problem] = []
    for (change, outcome) in zip(batch, outcomes) {
      switch outcome {
      case .saved(let representation):
        try took(change, representation, location: answer.response.headers["location"], answer)
      case .refused(let reasons):
        refusals += reasons.map {
          .init(objectID: change.id, property: $0.property, message: $0.message)
        }
      case .conflict:
        // Somebody else has deleted it: nothing is left to do.
        guard change.kind == .delete, try read(change) == nil else { throw try conflict(change) }
        note(change, nil)
      }
    }
    guard refusals.isEmpty else {
      var error = StoreError(
        .other, doing: doing, subject: store.summary.name, detail: "the service refuses it",
        objectIDs: refusals.map(\.objectID))
      error.problems = refusals
      throw error
    }
  }

  /// Notes a change that the service has made; what it does not say of the object is asked.
  private mutating func took(
    _ change: RESTChange, _ representation: JSONValue?, location: String?, _ answer: RESTAnswer
  ) throws(StoreError) {
    if change.kind == .delete { return note(change, nil) }
    if let representation {
      var objects = try store.withClient { client throws(StoreError) in
        try client.object(in: representation, of: change.entity)
      }
      if let first = objects.first {
        if objects[0].version == nil { objects[0].version = answer.response.headers["etag"] }
        others += objects.dropFirst()
        // A representation with the key alone is no object yet.
        if !first.values.isEmpty || change.values.isEmpty { return note(change, objects[0]) }
      }
    }
    // Nothing came: it is read, by its key, or where the service says it is.
    let url = location.flatMap { URL(string: $0, relativeTo: answer.request.url)?.absoluteURL }
    let request = try store.withClient { [keys] client throws(StoreError) -> HTTPRequest? in
      if let key = change.key ?? keys[change.id] {
        return client.request(forObject: key, of: change.entity)
      }
      return url.map { HTTPRequest($0, headers: client.headers) }
    }
    store.noteUncertain([change.id], true)
    do throws(StoreError) {
      if let request, let object = try read(request, change.entity) { return note(change, object) }
      if try lookUp([change]) == .done { return }
    } catch {
      throw error.reason == .conflict ? error : uncertain(error, [change])
    }
    throw StoreError(
      .other, doing: doing, subject: change.entity.name,
      detail: "the service says that it is saved, but not as which object",
      remedy: "refresh, and look for it", objectIDs: [change.id])
  }

  private mutating func note(_ change: RESTChange, _ object: RemoteObject?) {
    done.insert(change.id)
    answers[change.id] = object
    if let object { keys[change.id] = object.key }
    store.noteUncertain([change.id], false)
    store.noteAccepted(change, object)
  }

  private func read(_ request: HTTPRequest, _ entity: EntityDescription) throws(StoreError)
    -> RemoteObject?
  {
    try store.objects(request, of: entity, doing: doing)?.first
  }

  private func read(_ change: RESTChange) throws(StoreError) -> RemoteObject? {
    guard let key = change.key else { return nil }
    let request = try store.withClient { client throws(StoreError) in
      client.request(forObject: key, of: change.entity)
    }
    return try read(request, change.entity)
  }

  // MARK: Conflicts

  /// Reads an object without a version before it is changed: it must be as it is in the cache.
  ///
  /// - Returns: False if it was to be deleted, and is no more.
  private mutating func checkUnchanged(_ change: inout RESTChange) throws(StoreError) -> Bool {
    guard let object = try read(change) else {
      guard change.kind == .delete else { throw try conflict(change) }
      note(change, nil)
      return false
    }
    guard try isCached(object, change.id) else { throw try conflict(change, as: object) }
    change.version = object.version
    return true
  }

  /// Whether an object is in the cache as it is in the service.
  private func isCached(_ object: RemoteObject, _ id: ObjectID) throws(StoreError) -> Bool {
    guard let row = try store.cache.rows(of: [id])[0] else { return false }
    for (index, attribute) in object.entity.attributes.enumerated() {
      guard let value = object.values[attribute.name] else { continue }
      let stored =
        row.cutLengths[index] == nil
        ? row.value(at: index) : try store.cache.value(of: attribute.name, for: id)
      if attribute.decode(stored) != value { return false }
    }
    return true
  }

  /// The error for an object that somebody else has changed or deleted; the cache learns how it is.
  private func conflict(_ change: RESTChange, as object: RemoteObject? = nil) throws(StoreError)
    -> StoreError
  {
    var difference = SaveDifference()
    var present = object
    if present == nil { present = try read(change) }
    if let object = present {
      // What is written here is newer than the save that is under way.
      _ = try store.writer.write(CacheChange(objects: [object]))
      difference.changed = [change.id]
    } else if !change.id.isTemporary {
      _ = try store.writer.write(CacheChange(deleted: [change.id]))
      difference.deleted = [change.id]
    } else {
      return StoreError(
        .other, doing: doing, subject: change.entity.name,
        detail: "the service says that it conflicts with another object", objectIDs: [change.id])
    }
    return StoreError(difference, doing: doing)
  }

  // MARK: Lost answers

  private enum LookUp { case done, notDone }

  /// Finds out whether the service has made changes to which no answer came.
  ///
  /// - Throws: `StoreError` with the reason `conflict` if somebody has changed an object in another
  ///   way.
  private mutating func lookUp(_ batch: [RESTChange]) throws(StoreError) -> LookUp {
    let isIdempotent = try store.withClient { [batch] client throws(StoreError) in
      batch.allSatisfy {
        $0.kind == .create && client.capabilities(of: $0.entity).contains(.idempotency)
      }
    }
    // The service itself knows it when it is sent again.
    if isIdempotent { return .notDone }
    var found: [(RESTChange, RemoteObject?)] = []
    for change in batch {
      switch change.kind {
      case .delete: if try read(change) == nil { found.append((change, nil)) }
      case .update:
        guard let object = try read(change) else { throw try conflict(change) }
        if holds(change, object) {
          found.append((change, object))
          continue
        }
        let isSame =
          try object.version == nil ? isCached(object, change.id) : object.version == change.version
        if !isSame { throw try conflict(change, as: object) }
      case .create:
        if change.key == nil {
          if let object = try findNew(change) { found.append((change, object)) }
        } else if let object = try read(change) {
          found.append((change, object))
        }
      }
    }
    guard found.count == batch.count else {
      // Changes that go together are made together.
      guard found.isEmpty || batch.count == 1 else {
        throw StoreError(.other, doing: doing, detail: "a part of it was saved there")
      }
      return .notDone
    }
    for (change, object) in found { note(change, object) }
    return .done
  }

  /// Whether an object has what a change was to give it.
  private func holds(_ change: RESTChange, _ object: RemoteObject) -> Bool {
    for (name, value) in change.values {
      guard let attribute = change.entity.attribute(named: name) else { continue }
      if let present = object.values[name], present != attribute.value(from: JSONValue(value)) {
        return false
      }
    }
    for (name, destination) in change.toOne {
      guard let present = object.references[name] else { continue }
      if present.first?.key.text != destination.flatMap({ keys[$0] })?.text { return false }
    }
    return true
  }

  /// The object of the service with the values of a new one that the cache does not have; nil if
  /// there is none.
  private func findNew(_ change: RESTChange) throws(StoreError) -> RemoteObject? {
    var found: [RemoteObject] = []
    let walk = PageWalk(store: store, entity: change.entity, control: .current)
    for object in try walk.objects() where holds(change, object) {
      let number = try store.keys.number(of: object.key, in: object.entity.name)
      let isNew: Bool
      if let number {
        let id = store.keys.id(object.entity.name, number)
        isNew = try store.cache.rows(of: [id])[0] == nil && !done.contains(id)
      } else {
        isNew = !keys.values.contains(object.key)
      }
      if isNew { found.append(object) }
    }
    guard found.count < 2 else {
      throw StoreError(
        .other, doing: doing, subject: change.entity.name,
        detail: "the service has several new objects like it", objectIDs: [change.id])
    }
    return found.first
  }
}
