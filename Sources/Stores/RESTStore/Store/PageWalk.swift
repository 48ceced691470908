import Foundation
import ObjectModel

/// Reads an answer of several pages into the cache, one request a page.
///
/// A page that brings nothing new and names another one ends the walk with an error, and nothing is
/// deleted: a row that is missing from a page is never taken for deleted.
struct PageWalk {
  let store: RESTStore
  let entity: EntityDescription
  let control: FetchControl?
  /// Called with the number of objects that came.
  var report: (Int) -> Void = { _ in }

  /// What one answer has.
  private struct Page {
    var objects: [RemoteObject]
    /// The keys of deleted objects.
    var deleted: [RESTKey]
    /// How many saves had been made when it was asked for.
    var stamp: Int
  }

  /// What the last page says.
  private struct End {
    /// What to ask for changes with.
    var token: String?
    /// The version of the only page.
    var version: String?
    /// Whether nothing has changed since the version that was asked for.
    var isUnchanged = false
  }

  /// How many objects that are missing from a whole listing are asked for one by one, before they
  /// are taken for deleted: pages by offset may miss an object while others are deleted.
  private static let doubtLimit = 100

  /// Reads all pages.
  ///
  /// - Parameters:
  ///   - request: The request of the first one.
  ///   - isWhole: Whether they have all objects of the entity, so that others were deleted.
  ///   - version: The version of the last answer, which need not come again; nil for none.
  /// - Returns: What to ask with next.
  /// - Throws: `StoreError`; nothing is deleted then.
  func readAll(_ request: HTTPRequest, isWhole: Bool, version: String? = nil) throws(StoreError)
    -> CacheChange.Completed
  {
    let stamp = store.saveCount
    var completed = CacheChange.Completed(entityName: entity.name)
    var request = request
    request.headers["If-None-Match"] = version
    var batch = PageBatch(store)
    var (seen, keys): (Set<ObjectID>, Set<RESTKey>) = ([], [])
    let family = Set(store.model.entityNames(inheritingFrom: entity.name))
    let end: End
    do throws(StoreError) {
      end = try walk(request) { page throws(StoreError) in
        seen.formUnion(try batch.add(page.objects, stamp: page.stamp))
        let count = keys.count
        for object in page.objects where family.contains(object.shared.name) {
          keys.insert(object.key)
        }
        return keys.count > count
      }
    } catch {
      _ = try batch.end()
      throw error
    }
    seen.formUnion(try batch.end())
    guard isWhole else { return completed }
    (completed.token, completed.version) = (end.token, end.version)
    var change = CacheChange(completed: completed)
    if end.isUnchanged {
      completed.version = version
      change.completed = completed
      try store.write(change, since: stamp)
      return completed
    }
    let present = try store.cache.fetch(FetchPlan(entityName: entity.name), control: nil).ids
    let missing = Array(present).filter { !seen.contains($0) }
    change.deleted = try Set(missing).subtracting(existing(missing))
    try store.write(change, since: stamp)
    return completed
  }

  /// Reads objects of the entity without keeping them, to look for one.
  ///
  /// - Parameter predicate: Which; if the service does not know it, or for nil, all are read.
  /// - Returns: At least the objects that meet the predicate.
  /// - Throws: `StoreError` if they cannot be read.
  func objects(meeting predicate: ValidatedPredicate?) throws(StoreError) -> [RemoteObject] {
    let plan = FetchPlan(entityName: entity.name, predicate: predicate)
    let request = try store.withClient { client throws(StoreError) in
      let fetch = try client.request(forFetch: plan)
      if fetch.parts.contains(.predicate) { return fetch.request }
      return try client.request(forFetch: FetchPlan(entityName: entity.name)).request
    }
    var found: [RemoteObject] = []
    var seen: Set<RESTKey> = []
    _ = try walk(request) { page throws(StoreError) in
      let new = page.objects.filter {
        $0.entity.name == entity.name && seen.insert($0.key).inserted
      }
      found += new
      return !new.isEmpty
    }
    return found
  }

  /// Reads what has changed.
  ///
  /// - Returns: What to ask with next; nil if the service does not know any more what has.
  func readChanges(_ request: HTTPRequest) throws(StoreError) -> String? {
    let last: End
    var seen: Set<RESTKey> = []
    do throws(StoreError) {
      last = try walk(request) { page throws(StoreError) in
        // What was deleted and created again is there.
        seen.formUnion(page.objects.map(\.key))
        let deleted = page.deleted.filter { !seen.contains($0) }
        let change = CacheChange(objects: page.objects, deletedKeys: [entity.name: deleted])
        try store.write(change, since: page.stamp)
        return !page.objects.isEmpty || !page.deleted.isEmpty
      }
    } catch {
      // 410 Gone: the moment is too long ago.
      guard error.reason != .unreachable, error.reason != .cancelled else { throw error }
      return nil
    }
    guard let token = last.token else { return nil }
    let completed = CacheChange.Completed(entityName: entity.name, token: token)
    try store.write(CacheChange(completed: completed), since: store.saveCount)
    return token
  }

  /// Reads where a relationship of an object leads.
  func readRelationship(
    _ request: HTTPRequest, _ relationship: RelationshipDescription, of key: RESTKey,
    in source: EntityDescription
  ) throws(StoreError) {
    var references: [RESTReference] = []
    let inverse = store.model.inverse(of: relationship)
    let stamp = store.saveCount
    _ = try walk(request) { page throws(StoreError) in
      let own = page.objects.map { object in
        var object = object
        if let inverse, !inverse.isToMany, object.entity.relationship(named: inverse.name) != nil {
          object.references[inverse.name] = [RESTReference(source.name, key)]
        }
        return object
      }
      let count = references.count
      references += page.objects.map { RESTReference($0.entity.name, $0.key) }
      try store.write(CacheChange(objects: own), since: page.stamp)
      return references.count > count
    }
    guard !relationship.isToMany || inverse?.isToMany ?? true else { return }
    let owner = RemoteObject(
      shared: RemoteEntity(source), key: key, values: [:],
      references: [relationship.name: references])
    try store.write(CacheChange(objects: [owner]), since: stamp)
  }

  /// Goes from page to page; the next one is asked for while one is taken.
  ///
  /// - Parameters:
  ///   - request: The request of the first one.
  ///   - take: Takes a page; returns whether any of its objects is new.
  /// - Returns: What the last page says.
  /// - Throws: `StoreError`; what the pages before had is taken.
  private func walk(
    _ request: HTTPRequest, _ take: (Page) throws(StoreError) -> Bool
  ) throws(StoreError) -> End {
    var (request, pageCount, count, barren) = (request, 0, 0, 0)
    let reader = PageReader(request) { [store, entity] request, control throws(StoreError) in
      try Self.ask(request, of: entity, in: store, control)
    }
    defer { reader.stop() }
    while true {
      let page = try reader.page(control)
      guard let answer = page.answer else { return End(isUnchanged: true) }
      let (objects, deleted, token) = try store.withClient { client throws(StoreError) in
        (
          try client.objects(in: answer), client.deletedIdentifiers(in: answer),
          client.changesToken(in: answer)
        )
      }
      let isNew = try take(Page(objects: objects, deleted: deleted, stamp: page.stamp))
      pageCount += 1
      count += objects.count
      report(count)
      guard let next = page.next else {
        let version = pageCount == 1 ? answer.response.headers["etag"] : nil
        return End(token: token, version: version)
      }
      guard !page.repeats else {
        throw failure(request, "the page repeats: the next one is one that was read before")
      }
      let wasBarren = barren > 0
      barren = isNew ? 0 : barren + 1
      guard barren < 3 else {
        throw failure(request, "the pages repeat: three after another have no object that is new")
      }
      guard count <= store.options.objectLimit else {
        throw failure(
          request, "the pages do not end: more than \(Value.grouped(store.options.objectLimit))")
      }
      // Pages that bring nothing new may go on for ever: after one the next waits until it is taken.
      if wasBarren { reader.allowNext() }
      if barren == 0 { reader.allowNext() }
      request = next
    }
  }

  /// Asks for a page.
  private static func ask(
    _ request: HTTPRequest, of entity: EntityDescription, in store: RESTStore,
    _ control: FetchControl
  ) throws(StoreError) -> PageReader.Page {
    let stamp = store.saveCount
    let answer: RESTAnswer
    do throws(RESTConnection.Failure) {
      answer = try store.answer(to: request, of: entity, control: control)
    } catch {
      throw error.storeError
    }
    if answer.response.status == 304, request.headers["If-None-Match"] != nil {
      return PageReader.Page(stamp: stamp)
    }
    guard answer.response.isSuccess else { throw StoreError(answer) }
    let next = try store.withClient { client throws(StoreError) in client.nextPage(after: answer) }
    return PageReader.Page(answer: answer, next: next, stamp: stamp)
  }

  private func failure(_ request: HTTPRequest, _ detail: String) -> StoreError {
    StoreError(
      .other, doing: "reading \(entity.name)", subject: request.url.absoluteString, detail: detail,
      remedy: "ask who runs the service; nothing was deleted here")
  }

  /// Which of some objects that no page had exist all the same.
  private func existing(_ ids: [ObjectID]) throws(StoreError) -> Set<ObjectID> {
    guard ids.count <= Self.doubtLimit else { return [] }
    var existing: Set<ObjectID> = []
    for (id, remote) in try store.keys.remote(of: ids, in: store.cache) {
      let request = try store.withClient { client throws(StoreError) in
        client.request(forObject: remote.key, of: entity)
      }
      let stamp = store.saveCount
      guard let objects = try store.objects(request, of: entity, control: control) else { continue }
      existing.insert(id)
      try store.write(CacheChange(objects: objects), since: stamp)
    }
    return existing
  }
}
