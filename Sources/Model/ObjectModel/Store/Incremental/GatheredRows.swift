import Synchronization

/// The rows that the rest of a fetch needs of a store: those of its candidates, and of the objects
/// that its key paths lead to, read in few calls.
final class GatheredRows: StoredRows {
  private struct Contents {
    /// The rows that were read; nil for an object that does not exist.
    var rows: [ObjectID: RowSnapshot?] = [:]
    var destinations: [RelationshipEnd: [ObjectID]] = [:]
    /// Why rows could not be read while a predicate was evaluated, which cannot throw it.
    var failure: StoreError?
  }

  let objectIDs: [ObjectID]
  var model: ManagedObjectModel { store.model }
  private let store: any PersistentStore
  private let contents: Mutex<Contents>

  /// How many rows are asked for at once.
  private static let batchSize = 500

  init(_ answer: PartialFetch, of store: any PersistentStore) {
    self.store = store
    objectIDs = answer.ids
    contents = Mutex(Contents(rows: Dictionary(firstOf: answer.rows.map { ($0.id, $0) })))
  }

  /// Reads what a fetch will look at, level by level of its key paths.
  func prefetch(_ plan: FetchPlan, _ control: FetchControl?) throws(StoreError) {
    try read(objectIDs, control)
    let paths =
      plan.sortDescriptors.map(\.keyPath) + (plan.sectionKey.map { [$0.keyPath] } ?? [])
      + (plan.predicate?.predicate.keyPaths.sorted() ?? [])
    var reached: [String: [ObjectID]] = ["": objectIDs]
    for path in paths {
      var known = ""
      for key in KeyPathText.components(of: path) ?? [] where !key.hasPrefix("@") {
        let sources = reached[known] ?? []
        known += "." + key
        if reached[known] == nil {
          var found: Set<ObjectID> = []
          for (entityName, ids) in Dictionary(grouping: sources, by: \.entityName)
          where model.entity(named: entityName)?.relationship(named: key) != nil {
            for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
              let batch = Array(ids[start...].prefix(Self.batchSize))
              for destinations in try self.destinations(of: key, from: batch).values {
                found.formUnion(destinations)
              }
            }
          }
          reached[known] = Array(found)
          try read(reached[known] ?? [], control)
        }
      }
    }
  }

  /// Throws what went wrong where nothing can be thrown.
  func check() throws(StoreError) {
    if let failure = contents.withLock({ $0.failure }) { throw failure }
  }

  private func read(_ ids: [ObjectID], _ control: FetchControl?) throws(StoreError) {
    let missing = contents.withLock { contents in ids.filter { contents.rows[$0] == nil } }
    for start in stride(from: 0, to: missing.count, by: Self.batchSize) {
      control?.report(completed: start, total: missing.count)
      if control?.isCancelled == true { throw StoreError(.cancelled, doing: "fetching") }
      let batch = Array(missing[start...].prefix(Self.batchSize))
      let rows = try store.rows(of: batch)
      contents.withLock { contents in
        for (id, row) in zip(batch, rows) { contents.rows[id] = .some(row) }
      }
    }
  }

  func row(of id: ObjectID) -> RowSnapshot? {
    if let known = contents.withLock({ $0.rows[id] }) { return known }
    // What a subquery looks at is in no key path.
    do throws(StoreError) { try read([id], nil) } catch {
      contents.withLock { $0.failure = error }
    }
    return contents.withLock { $0.rows[id] ?? nil }
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    var found: [ObjectID: [ObjectID]] = [:]
    var missing: [ObjectID] = []
    contents.withLock { contents in
      for id in ids {
        if let known = contents.destinations[RelationshipEnd(id, relationship)] {
          if !known.isEmpty { found[id] = known }
        } else {
          missing.append(id)
        }
      }
    }
    if missing.isEmpty { return found }
    let read: [ObjectID: [ObjectID]]
    do throws(StoreError) {
      read = try store.destinations(of: relationship, from: missing)
    } catch {
      contents.withLock { $0.failure = error }
      throw error
    }
    contents.withLock { contents in
      for id in missing {
        contents.destinations[RelationshipEnd(id, relationship)] = read[id] ?? []
      }
    }
    return found.merging(read) { first, _ in first }
  }
}
