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

  private var remote: RemoteState { RemoteState(store: store, doing: doing) }

  init(_ request: SaveRequest, in store: RESTStore) {
    (self.store, self.request, doing) = (store, request, request.phrase)
  }

  /// Sends all changes.
  ///
  /// - Throws: `StoreError` for the first that is not done; ``answers`` and ``done`` have what was.
  mutating func send() throws(StoreError) {
    let planned = try PlannedChanges(request, in: store)
    let changes = planned.all
    keys = planned.keys
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
    do throws(StoreError) { return try lookUp(batch) } catch {
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

  /// Finds out whether the service has made changes, and notes them.
  private mutating func lookUp(_ batch: [RESTChange]) throws(StoreError) -> Bool {
    guard let made = try LostAnswer(remote: remote, keys: keys).changesMade(of: batch) else {
      return false
    }
    for (change, object) in made { note(change, object) }
    return true
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
        guard change.kind == .delete, try remote.read(change) == nil else {
          throw try remote.conflict(change)
        }
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
      if let request, let object = try remote.read(request, change.entity) {
        return note(change, object)
      }
      if try lookUp([change]) { return }
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

  /// Reads an object without a version before it is changed: it must be as it is in the cache.
  ///
  /// - Returns: False if it was to be deleted, and is no more.
  private mutating func checkUnchanged(_ change: inout RESTChange) throws(StoreError) -> Bool {
    guard let object = try remote.read(change) else {
      guard change.kind == .delete else { throw try remote.conflict(change) }
      note(change, nil)
      return false
    }
    guard try remote.isCached(object, change.id) else {
      throw try remote.conflict(change, as: object)
    }
    change.version = object.version
    return true
  }
}
