import ManagedObjects
import ObjectModel

extension LiveResults {
  /// The file of the cache; nil without a cache name, or if there is no folder for it.
  var cacheFile: CacheFile? {
    cacheName.flatMap {
      CacheFile(
        name: $0, storeIdentifier: context.persistentStoreCoordinator.store.identifier, in: cache)
    }
  }

  /// The whole list from the cache, with the unsaved changes of the context laid over it; nil if it
  /// must be fetched.
  ///
  /// - Throws: ``FetchedResultsError`` if the order does not keep sections together; what the store
  ///   throws.
  func fetchFromCache(_ query: LiveQuery) throws -> (list: ResultsSections, found: TrackedFetch)? {
    guard let cacheFile else { return nil }
    let found = try context.fetching(query.plan) { store throws(StoreError) in
      try store.fetch(query.plan, from: cacheFile)
    }
    guard let found else { return nil }
    return (try checked(context.overlay(found.results, for: query.plan), query), found)
  }

  /// Fetches the whole list, and keeps what the store has of it in the cache, if there is one.
  ///
  /// - Throws: As ``fetchFromCache(_:)``.
  func fetchIntoCache(_ query: LiveQuery) throws -> ResultsSections {
    guard let cacheFile else { return try fetch(query) }
    let fetched = try context.fetching(query.plan) { store throws(StoreError) in
      try store.refetch(query.plan, since: nil, keepingIn: cacheFile, control: nil)
    }
    return try checked(context.overlay(fetched.results, for: query.plan), query)
  }

  /// Shows the whole list, if the cache has it, and prepares to follow commits of other processes.
  ///
  /// - Returns: Whether it is shown.
  /// - Throws: As ``fetchFromCache(_:)``.
  func showFromCache(_ query: LiveQuery) throws -> Bool {
    guard let (list, found) = try fetchFromCache(query) else { return false }
    show(list, of: query, part: nil, origin: .fetch)
    stopBackground()
    lastFetch?.control.cancel()
    lastFetch = BackgroundFetch(
      preparing: found, in: context.persistentStoreCoordinator.store)
    return true
  }
}
