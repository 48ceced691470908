extension FetchedResultsController {
  /// The name under which order, sections and counts of the list are kept on disk, so that the next
  /// process that fetches it need not sort; nil for no cache.
  ///
  /// The methods that perform a fetch read and write the cache; a later change of the request, such as
  /// a filter that is typed, does not. A cache is used only if all that the results depend on is as it was: predicate,
  /// order, sections and limits, the model, the program and its libraries, and each commit to the
  /// store, by whatever program. Otherwise, and if the file is damaged, the list is fetched, and the
  /// cache written again; nothing need be deleted.
  ///
  /// Nothing is kept of a store in memory, on a network, or whose file was written in the last 20
  /// milliseconds; of entities without integer keys; of lists that read views, virtual tables or
  /// external files; nor with a predicate that calls `now()` or `random()`, or that SQL cannot
  /// evaluate.
  public var cacheName: String? {
    get { live.cacheName }
    set { live.cacheName = newValue }
  }

  /// Where the cache is kept; at first in the folder of the running program.
  public var cache: FetchedResultsCache {
    get { live.cache }
    set { live.cache = newValue }
  }

  /// Deletes caches from disk.
  ///
  /// - Parameters:
  ///   - name: The name of the caches; nil for all.
  ///   - cache: Where they are kept.
  public static func deleteCache(
    withName name: String?, in cache: FetchedResultsCache = .standard
  ) {
    cache.delete(withName: name)
  }
}
