import Foundation
public import ObjectModel
import Synchronization

/// What the service was asked to do and has not told, or has done although a save failed later.
struct PendingSaves {
  /// A change that was made, with the object as it is now.
  struct Accepted {
    var change: RESTChange
    var object: RemoteObject?

    /// The object, if it was created.
    var created: RemoteObject? { change.kind == .create ? object : nil }
  }

  var accepted: [ObjectID: Accepted] = [:]
  var uncertain: Set<ObjectID> = []
  var idempotencyKeys: [ObjectID: String] = [:]

  /// Forgets objects that are saved; others may belong to another context.
  mutating func forget(_ ids: [ObjectID]) {
    for id in ids {
      accepted[id] = nil
      uncertain.remove(id)
      idempotencyKeys[id] = nil
    }
  }
}

extension RESTStore: PartialSaving {
  /// Has the service save, and then the cache: nothing is saved until the service has said yes.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    do throws(StoreError) { return try saved(request) } catch {
      // The cache may have learned how things are in the service.
      callHandlers()
      throw error
    }
  }

  private func saved(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    let doing = request.phrase
    var result = SaveResult()
    try savingAlone { note throws(StoreError) in
      try checkUnchanged(request)
      let deleted =
        request.returnsDeletedRows
        ? try cache.rows(of: request.deleted.map(\.id)).compactMap(\.self) : []
      // What was sent cannot be taken back.
      try FetchControl.committing(doing: doing) { () throws(StoreError) in
        var saver = RESTSaver(request, in: self)
        do throws(StoreError) { try saver.send() } catch {
          var error = error
          if !saver.done.isEmpty {
            if error.reason == .cancelled { error.reason = .other }
            error.detail +=
              (error.detail.isEmpty ? "" : "; ")
              + "the service has saved \(saver.done.count) of \(request.count) objects; saving"
              + " again sends the rest"
          }
          note(error.objectIDs.filter { !$0.isTemporary })
          throw error
        }
        // The service has said yes: nothing stops it any more.
        result = try FetchControl.$current.withValue(nil) {
          Result { () throws(StoreError) in try keep(saver, note) }
        }.get()
      }
      result.deletedRows = deleted
    }
    return result
  }

  /// The requests that a save would send.
  public func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    var rehearsal = SaveRehearsal()
    rehearsal.statements = try PlannedChanges(request, in: self).all.map { change in
      let path = connection.baseURL.absoluteString
      return "\(change.kind) \(change.entity.name) \(change.key?.text ?? "") in \(path)"
    }
    return rehearsal
  }

  /// Refuses a save that was planned on other rows than those of the cache.
  private func checkUnchanged(_ request: SaveRequest) throws(StoreError) {
    var rows = SaveDifference()
    let planned =
      request.updated.map { ($0.id, $0.version) } + request.deleted.map { ($0.id, $0.version) }
    let present = try cache.rowVersions(of: planned.map(\.0))
    let accepted = pending.withLock { $0.accepted }
    for ((id, version), row) in zip(planned, present) where accepted[id] == nil {
      rows.compare(id, planned: version, present: row?.version)
    }
    let difference = try request.difference(rows: rows) {
      [cache] relationship, ids throws(StoreError) in
      try cache.destinations(of: relationship.name, from: ids)
    } matches: { [cache] plan throws(StoreError) in
      try cache.fetch(plan, control: nil).ids
    }
    guard difference.isEmpty else { throw StoreError(difference, doing: request.phrase) }
  }

  /// Writes what the service has saved into the cache.
  private func keep(_ saver: RESTSaver, _ note: ([ObjectID]) -> Void) throws(StoreError)
    -> SaveResult
  {
    let request = saver.request
    var change = CacheChange(deleted: Set(request.deleted.map(\.id)))
    let named = (request.inserted + request.updated).map(\.id).filter { saver.answers[$0] != nil }
    change.objects = named.compactMap { saver.answers[$0] } + saver.others
    let written = try writer.write(change).ids
    var result = SaveResult()
    for (id, permanent) in zip(named, written) {
      if id.isTemporary {
        result.permanentIDs[id] = permanent
      } else if id.key != permanent.key {
        throw StoreError(
          .keyTaken, doing: request.phrase, subject: id.description,
          detail: "the service has given it another key, \(permanent)", objectIDs: [id])
      }
    }
    note(written + request.deleted.map(\.id))
    let ids = (request.inserted + request.updated).map { result.permanentIDs[$0.id] ?? $0.id }
    for case let row? in try cache.rows(of: ids) { result.snapshots[row.id] = row }
    pending.withLock {
      $0.forget((request.inserted + request.updated).map(\.id) + request.deleted.map(\.id))
    }
    return result
  }

  // MARK: Saves that failed

  /// Shows what the service has created for new objects that are given up.
  package func forget(_ ids: [ObjectID]) {
    let created = pending.withLock { pending in
      defer { pending.forget(ids) }
      return ids.compactMap { pending.accepted[$0]?.created }
    }
    guard !created.isEmpty else { return }
    queue.async { [weak self] in self?.show(created) }
  }

  /// Brings objects into the cache that no page could bring as long as they were new ones of a
  /// context.
  private func show(_ created: [RemoteObject]) {
    for object in created {
      let stamp = saveCount
      do throws(StoreError) {
        let request = try withClient { client throws(StoreError) in
          client.request(forObject: object.key, of: object.entity)
        }
        let present = try objects(request, of: object.entity) ?? []
        try write(CacheChange(objects: present), since: stamp)
      } catch {
        note(error)
        _ = try? write(CacheChange(objects: [object]), since: stamp)
      }
    }
  }

  /// The same text for the same change, however often it is saved.
  func idempotencyKey(of id: ObjectID, _ kind: RESTChange.Kind) -> String {
    guard kind == .create else { return UUID().uuidString }
    return pending.withLock { pending in
      if let known = pending.idempotencyKeys[id] { return known }
      let new = UUID().uuidString
      pending.idempotencyKeys[id] = new
      return new
    }
  }

  /// What the service has done of a change before, if it was just the same.
  func accepted(_ change: RESTChange) -> PendingSaves.Accepted? {
    pending.withLock { pending in
      guard let earlier = pending.accepted[change.id], earlier.change.kind == change.kind,
        earlier.change.values == change.values, earlier.change.toOne == change.toOne,
        earlier.change.added == change.added, earlier.change.removed == change.removed
      else { return nil }
      return earlier
    }
  }

  /// What the service has created for a new object whose save failed later.
  func created(_ id: ObjectID) -> RemoteObject? {
    pending.withLock { $0.accepted[id]?.created }
  }

  /// The keys of what the service has created for new objects whose save failed later.
  func createdKeys(of entity: EntityDescription) -> Set<RESTKey> {
    let created = pending.withLock { $0.accepted.values.compactMap(\.created) }
    return Set(created.filter { $0.entity.name == entity.name }.map(\.key))
  }

  func noteAccepted(_ change: RESTChange, _ object: RemoteObject?) {
    pending.withLock { $0.accepted[change.id] = .init(change: change, object: object) }
  }

  func isUncertain(_ id: ObjectID) -> Bool { pending.withLock { $0.uncertain.contains(id) } }

  func noteUncertain(_ ids: [ObjectID], _ isUncertain: Bool) {
    pending.withLock { pending in
      if isUncertain { pending.uncertain.formUnion(ids) } else { pending.uncertain.subtract(ids) }
    }
  }
}
