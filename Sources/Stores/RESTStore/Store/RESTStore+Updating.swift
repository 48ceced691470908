import Dispatch
import Foundation
package import ObjectModel
import Synchronization

/// Bringing the cache up to date.
extension RESTStore {
  /// Brings entities up to date, and waits for it: what a program does that prints and ends.
  ///
  /// - Parameters:
  ///   - plan: A fetch: if the service knows its predicate, only what that returns is asked for.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Throws: `StoreError` if the service cannot be asked.
  package func update(for plan: FetchPlan, control: FetchControl? = nil) throws(StoreError) {
    try update(for: plan, paths: [], control: control)
  }

  /// Brings entities up to date for a fetch, and for other key paths of its objects.
  ///
  /// Where the service finds the objects, those at the end of the paths come with them if it can do
  /// that; else their entities are read whole.
  package func update(for plan: FetchPlan, paths: [String], control: FetchControl?)
    throws(StoreError)
  {
    var asked = plan
    asked.prefetchedPaths = relationshipPaths(of: plan, and: paths)
    if try listExpanded(asked, control: control) { return }
    for name in entityNames(at: asked.prefetchedPaths, of: plan.entityName) {
      try list(FetchPlan(entityName: name), control: control)
    }
    asked.prefetchedPaths = []
    if try !isAnswered(asked) { asked.predicate = nil }
    try list(asked, control: control)
  }

  /// Reads the objects that a service finds, with those that the paths of the fetch lead to; false if
  /// it cannot.
  private func listExpanded(
    _ plan: FetchPlan, control: FetchControl? = nil, isRunning: Bool = false
  ) throws(StoreError) -> Bool {
    // What a to-many relationship leads to may come in pages, of which only the first is there.
    guard plan.predicate != nil, !plan.prefetchedPaths.isEmpty,
      plan.prefetchedPaths.allSatisfy({ leadsToOne($0, from: plan.entityName) })
    else { return false }
    let fetch = try withClient { client throws(StoreError) in try client.request(forFetch: plan) }
    guard fetch.hasPrefetched, fetch.parts.contains(.predicate) else { return false }
    do throws(StoreError) {
      try list(plan, control: control, isRunning: isRunning)
      return true
    } catch {
      // Not every service expands as deeply as it says.
      guard error.reason != .unreachable, error.reason != .cancelled else { throw error }
      return false
    }
  }

  private func leadsToOne(_ path: String, from entityName: String) -> Bool {
    var entity = model.entity(named: entityName)
    return (KeyPathText.components(of: path) ?? []).allSatisfy { name in
      let relationship = entity?.relationship(named: name)
      entity = relationship.flatMap { model.entity(named: $0.destinationEntityName) }
      return relationship?.isToMany == false
    }
  }

  /// The relationships of a fetch's key paths, and of others.
  private func relationshipPaths(of plan: FetchPlan, and others: [String]) -> [String] {
    let paths =
      plan.sortDescriptors.map(\.keyPath) + (plan.sectionKey.map { [$0.keyPath] } ?? [])
      + (plan.predicate?.predicate.keyPaths.sorted() ?? []) + plan.prefetchedPaths + others
    var found: [String] = []
    for path in paths {
      var entity = model.entity(named: plan.entityName)
      let names = (KeyPathText.components(of: path) ?? []).prefix { key in
        guard let relationship = entity?.relationship(named: key) else { return false }
        entity = model.entity(named: relationship.destinationEntityName)
        return true
      }
      let text = KeyPathText.text(Array(names))
      if !names.isEmpty, !found.contains(text) { found.append(text) }
    }
    return found
  }

  /// The entities that paths of relationships lead to, without the one that they begin at.
  private func entityNames(at paths: [String], of entityName: String) -> [String] {
    var names: Set<String> = []
    for path in paths {
      var entity = model.entity(named: entityName)
      for key in KeyPathText.components(of: path) ?? [] {
        guard let relationship = entity?.relationship(named: key) else { break }
        names.insert(relationship.destinationEntityName)
        entity = model.entity(named: relationship.destinationEntityName)
      }
    }
    return names.subtracting([entityName]).sorted()
  }

  /// What the service did of a fetch, and how many rows the rest took here.
  ///
  /// - Parameter plan: The fetch, which was brought up to date.
  /// - Returns: Lines to print.
  /// - Throws: `StoreError` if the objects cannot be listed.
  package func explanation(of plan: FetchPlan) throws(StoreError) -> [String] {
    let asked = try withClient { client throws(StoreError) in try client.request(forFetch: plan) }
    let done = [
      (PartialFetch.Parts.predicate, "predicate", plan.predicate != nil),
      (.order, "order", !plan.sortDescriptors.isEmpty),
    ].filter { $0.2 }
    func list(_ parts: [String]) -> String {
      parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
    var all = plan
    (all.predicate, all.limit, all.offset, all.sortDescriptors) = (nil, nil, 0, [])
    if asked.parts.contains(.predicate) { all.predicate = plan.predicate }
    let count = try cache.count(all, control: nil)
    var rest = done.filter { !asked.parts.contains($0.0) }.map(\.1)
    if asked.parts.contains(.predicate) { rest += asked.rest }
    return [
      asked.request.description,
      "the service did: \(list(done.filter { asked.parts.contains($0.0) }.map(\.1)))",
      "done here: \(list(rest)), over \(Value.grouped(count)) rows",
      "requests: \(connection.requestCount)",
    ]
  }

  // MARK: Wishes

  /// Has the objects of a fetch brought up to date behind, unless they were just now.
  func want(_ plan: FetchPlan) {
    guard options.updatesBehind else { return }
    let listing = listing(of: plan.entityName)
    state.withLock { _ = $0.watched.insert(plan.entityName) }
    var whole = FetchPlan(entityName: plan.entityName)
    // The first page is the first screen.
    if listing.completed == nil { whole.sortDescriptors = plan.sortDescriptors }
    start(whole, ifOlderThan: options.maximumAge)
    if listing.completed == nil, plan.predicate != nil {
      var part = plan
      (part.limit, part.offset, part.sectionKey, part.isFromEnd) = (nil, 0, nil, false)
      start(part, ifOlderThan: options.maximumAge)
    }
  }

  /// Starts an update in the background, unless it is under way, or what it would fetch is fresh.
  private func start(_ plan: FetchPlan, ifOlderThan age: Double) {
    let now = Date()
    let name = runName(plan)
    let isStarted = state.withLock { state in
      guard state.running[name] == nil, state.retry < now else { return false }
      if let completed = state.listings[plan.entityName]?.completed,
        (0..<age).contains(now.timeIntervalSince(completed))
      {
        return false
      }
      if plan.predicate != nil, !state.parts.insert(name).inserted { return false }
      state.running[name] = 0
      return true
    }
    guard isStarted else { return }
    queue.async { [weak self] in
      guard let self else { return }
      do throws(StoreError) {
        if try isAnswered(plan), try !listExpanded(plan, isRunning: true) {
          var plan = plan
          plan.prefetchedPaths = []
          try list(plan, isRunning: true)
        }
        note(nil)
      } catch { note(error) }
      state.withLock { _ = $0.running.removeValue(forKey: name) }
      callHandlers()
    }
  }

  /// Whether the service knows the predicate of a fetch.
  private func isAnswered(_ plan: FetchPlan) throws(StoreError) -> Bool {
    if plan.predicate == nil { return true }
    return try withClient { client throws(StoreError) in
      try client.request(forFetch: plan).parts.contains(.predicate)
    }
  }

  private func runName(_ plan: FetchPlan) -> String {
    plan.entityName + (plan.predicate.map { " where \($0.predicate)" } ?? "")
  }

  /// Notes how the last update ended.
  func note(_ failure: StoreError?) {
    state.withLock { state in
      state.failure = failure
      // A service that fails is left alone for a while.
      if failure != nil { state.retry = Date(timeIntervalSinceNow: 5) }
    }
  }

  // MARK: Listings

  /// How an entity was listed last, here or by an earlier session.
  func listing(of entityName: String) -> RESTState.Listing {
    if let known = state.withLock({ $0.listings[entityName] }) { return known }
    var found = RESTState.Listing()
    let plan = FetchPlan(entityName: CacheModel.listing)
    if let ids = try? cache.fetch(plan, control: nil).ids,
      let rows = try? cache.rows(of: Array(ids))
    {
      for case let row? in rows where row.value(at: 0).text == entityName {
        if case .double(let seconds) = row.value(at: 1) {
          found.completed = Date(timeIntervalSinceReferenceDate: seconds)
        }
        found.token = row.value(at: 2).text
        found.version = row.value(at: 3).text
      }
    }
    state.withLock { state in
      if state.listings[entityName] == nil { state.listings[entityName] = found }
    }
    return found
  }

  /// Reads the objects of a fetch from the service, all of them or what has changed, page by page.
  private func list(
    _ plan: FetchPlan, control: FetchControl? = nil, isRunning: Bool = false
  ) throws(StoreError) {
    guard let entity = model.entity(named: plan.entityName) else {
      throw StoreError(.unknownName, doing: "fetching", subject: plan.entityName)
    }
    let start = ContinuousClock.now
    let isWhole = plan.predicate == nil
    let former = isWhole ? listing(of: plan.entityName) : RESTState.Listing()
    let name = runName(plan)
    let walk = PageWalk(store: self, entity: entity, control: control) { [self] count in
      control?.report(completed: count, total: 0)
      if isRunning { state.withLock { if $0.running[name] != nil { $0.running[name] = count } } }
    }
    let changes = try former.token.flatMap { token throws(StoreError) in
      try withClient { client throws(StoreError) in
        client.request(forChangesSince: token, of: entity)
      }
    }
    var read = CacheChange.Completed(entityName: plan.entityName)
    if let changes, let next = try walk.readChanges(changes) {
      read.token = next
    } else {
      let request = try withClient { client throws(StoreError) in
        try client.request(forFetch: plan).request
      }
      read = try walk.readAll(request, isWhole: isWhole, version: former.version)
    }
    guard isWhole else { return }
    let duration = (ContinuousClock.now - start) / .seconds(1)
    state.withLock {
      $0.listings[plan.entityName] = .init(
        completed: Date(), token: read.token, version: read.version, duration: duration)
    }
  }

  // MARK: Single objects

  /// Has objects fetched behind that the cache does not have: in batches if the service can, one by
  /// itself, else with all of their entity.
  func want(_ ids: [ObjectID]) {
    guard options.updatesBehind else { return }
    for (name, ids) in Dictionary(grouping: ids, by: \.entityName) {
      // Of an entity that was read whole, it does not exist.
      guard !ids.isEmpty, let entity = model.entity(named: name),
        listing(of: name).completed == nil
      else { continue }
      let new = state.withLock { state in
        ids.filter { !$0.isTemporary && state.asked.insert($0).inserted }
      }
      guard !new.isEmpty else { continue }
      queue.async { [weak self] in
        guard let self else { return }
        do throws(StoreError) {
          if try !fetchObjects(new, entity) { want(FetchPlan(entityName: name)) }
          note(nil)
        } catch { note(error) }
      }
    }
  }

  /// Fetches objects by their keys; false if the service returns no batches, and there are several.
  private func fetchObjects(_ ids: [ObjectID], _ entity: EntityDescription) throws(StoreError)
    -> Bool
  {
    let remote = try keys.remote(of: ids, in: cache)
    let all = ids.compactMap { remote[$0]?.key }
    let requests = try withClient { client throws(StoreError) -> [HTTPRequest]? in
      if all.count == 1 { return [client.request(forObject: all[0], of: entity)] }
      var requests: [HTTPRequest] = []
      for start in stride(from: 0, to: all.count, by: max(1, client.batchSize)) {
        let batch = Array(all[start...].prefix(client.batchSize))
        guard let request = client.request(forObjects: batch, of: entity) else { return nil }
        requests.append(request)
      }
      return requests
    }
    guard let requests else { return false }
    for request in requests {
      let stamp = saveCount
      guard let objects = try objects(request, of: entity) else { continue }
      try write(CacheChange(objects: objects), since: stamp)
    }
    return true
  }

  /// Has the destinations of a relationship fetched behind, if the service has to be asked for
  /// them.
  func want(_ relationship: String, of id: ObjectID) {
    guard options.updatesBehind, !id.isTemporary, let entity = model.entity(named: id.entityName),
      let relationship = entity.relationship(named: relationship),
      let destination = model.entity(named: relationship.destinationEntityName)
    else { return }
    let name = "\(id).\(relationship.name)"
    guard state.withLock({ $0.parts.insert(name).inserted }) else { return }
    queue.async { [weak self] in
      guard let self else { return }
      do throws(StoreError) {
        guard let key = try keys.remote(of: [id], in: cache)[id]?.key,
          let request = try withClient({ client throws(StoreError) in
            client.request(forRelationship: relationship, of: key, in: entity)
          })
        else { return }
        let walk = PageWalk(store: self, entity: destination, control: nil)
        try walk.readRelationship(request, relationship, of: key, in: entity)
      } catch { note(error) }
    }
  }
}
