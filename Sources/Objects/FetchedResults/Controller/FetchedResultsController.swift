public import Foundation
public import ManagedObjects
public import ObjectModel

/// Manages the results of a fetch request, in sections, and keeps them up to date.
///
/// It tracks the changes of its context, saved or not, and those that other contexts and processes
/// save. It finds the new positions of changed objects without fetching again, and reports each
/// change as one ``ResultsChange``.
///
/// Its changes come to a ``delegate``, a closure (``observe(_:)``), or an asynchronous sequence
/// (``updates``). A controller belongs to its context's isolation domain.
public final class FetchedResultsController<Object: ManagedObject> {
  /// The context that the objects are in.
  public var managedObjectContext: ManagedObjectContext { live.context }

  /// Names index titles, and is notified of changes.
  ///
  /// Held weakly.
  public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
    didSet { sectionIndexCache = nil }
  }

  let live: LiveResults
  private var observers: [WeakObserver<Object>] = []
  var handlers = UpdateHandlers()
  private var sectionIndexCache: SectionIndex?

  /// Makes a controller; ``performFetch()`` fills it.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows; it needs at least one sort descriptor.
  ///   - context: The context that the objects are in.
  ///   - sectionKey: What sections are made by; nil for one flat section. The order must keep
  ///     sections together: see `SectionKey.agreeing(_:)`.
  ///   - cacheName: The name of the list's cache; nil for none: see ``cacheName``.
  public convenience init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext,
    sectionKey: SectionKey? = nil, cacheName: String? = nil
  ) {
    self.init(
      ListRequest(fetchRequest: FetchRequest(fetchRequest), sectionKey: sectionKey),
      context: context)
    self.cacheName = cacheName
  }

  /// Makes a controller with sections by a key path.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows.
  ///   - context: The context that the objects are in.
  ///   - sectionNameKeyPath: A key path, optionally with a colon and a transform
  ///     ("surname:initial"); nil for one flat section.
  ///   - cacheName: The name of the list's cache; nil for none: see ``cacheName``.
  public convenience init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext, sectionNameKeyPath: String?,
    cacheName: String? = nil
  ) {
    var request = ListRequest(fetchRequest: FetchRequest(fetchRequest))
    request.sectionNameKeyPath = sectionNameKeyPath
    self.init(request, context: context)
    self.cacheName = cacheName
  }

  /// Makes a controller; ``performFetch()`` fills it.
  public init(_ request: ListRequest, context: ManagedObjectContext) {
    context.registerIfNeeded(Object.self, forEntity: request.fetchRequest.entityName)
    live = LiveResults(request, context: context)
    live.willChange = { [unowned self] in
      forEachObserver { $0.controllerWillChangeContent(self) }
    }
    live.didChange = { [unowned self] change in
      sectionIndexCache = nil
      forEachObserver { $0.controller(self, didChangeContent: change) }
      handlers.call(change, of: self)
    }
    live.didFail = { [unowned self] error in
      forEachObserver { $0.controller(self, didFailWith: error) }
    }
  }

  deinit { handlers.finish() }

  // MARK: The list

  /// The list as a value; nil before the first fetch.
  public var results: ResultsSections? { live.list }

  /// The change that is about to be made, and the list after it, while a delegate is told that the
  /// list will change.
  package var upcoming: (change: ResultsChange, list: ResultsSections)? { live.upcoming }

  /// The sections; nil before the first fetch.
  public var sections: FetchedResultsSections<Object>? {
    live.list.map { list in
      FetchedResultsSections(
        list: list, reader: reader,
        indexTitle: { [unowned self] in
          sectionIndexTitle(forSectionName: $0)
        })
    }
  }

  /// The objects of all sections; nil before the first fetch.
  public var fetchedObjects: FetchedObjects<Object>? {
    live.list.map { FetchedObjects(ids: $0.ids, range: $0.ids.indices, reader: reader) }
  }

  /// How many objects there are; 0 before the first fetch.
  public var count: Int { live.list?.count ?? 0 }

  /// The object at an index path; traps if there is no such row.
  public func object(at indexPath: IndexPath) -> Object {
    let list = fetchedList
    return reader.object(at: list.index(at: indexPath), of: list.ids)
  }

  /// The ID of the object at an index path, without reading its row; traps if there is no such row.
  public func objectID(at indexPath: IndexPath) -> ObjectID {
    let list = fetchedList
    return list.ids[list.index(at: indexPath)]
  }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(forObject object: Object) -> IndexPath? { indexPath(for: object.objectID) }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(for id: ObjectID) -> IndexPath? { live.list?.indexPath(of: id) }

  /// Reads the rows of a range of ``fetchedObjects`` that are still faults, in one query.
  public func prefetch(_ range: Range<Int>) {
    if let list = live.list { reader.prefetch(range, of: list.ids) }
  }

  private var fetchedList: ResultsSections {
    guard let list = live.list else {
      preconditionFailure("There are no rows before performFetch().")
    }
    return list
  }

  private var reader: BatchReader {
    let request = (displayedRequest ?? request).fetchRequest
    return BatchReader(
      context: live.context, batchSize: request.fetchBatchSize > 0 ? request.fetchBatchSize : 64,
      relationships: request.relationshipKeyPathsForPrefetching)
  }

  // MARK: The index strip

  /// The titles of the index strip and their sections; nil before the first fetch.
  ///
  /// Adjacent sections with the same title have one entry.
  ///
  /// - Complexity: O(sections) the first time after a change.
  public var sectionIndex: SectionIndex? {
    guard let list = live.list else { return nil }
    if let sectionIndexCache { return sectionIndexCache }
    let index = SectionIndex(list.names.lazy.map { self.sectionIndexTitle(forSectionName: $0) })
    sectionIndexCache = index
    return index
  }

  /// The titles of the index strip; nil before the first fetch.
  public var sectionIndexTitles: [String]? { sectionIndex?.titles }

  /// The first section with an index title; nil if there is no such title.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int? {
    sectionIndex?.section(for: title, at: index)
  }

  /// The title of a section in the index strip, from the delegate; nil if the section is left out.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    guard let delegate else { return SectionIndex.title(forSectionName: name) }
    return delegate.controller(self, sectionIndexTitleForSectionName: name)
  }

  // MARK: Observers

  /// Adds an observer, which is notified as the delegate is, after it.
  ///
  /// Held weakly.
  public func addObserver(_ observer: any FetchedResultsControllerDelegate<Object>) {
    observers.append(WeakObserver(observer: observer))
  }

  /// Removes an observer.
  public func removeObserver(_ observer: any FetchedResultsControllerDelegate<Object>) {
    observers.removeAll { $0.observer === observer || $0.observer == nil }
  }

  private func forEachObserver(_ body: (any FetchedResultsControllerDelegate<Object>) -> Void) {
    if let delegate { body(delegate) }
    for weak in observers {
      if let observer = weak.observer, observer !== delegate { body(observer) }
    }
  }
}

@available(
  *, unavailable, message: "A controller belongs to its context. Make one in the other domain."
)
extension FetchedResultsController: Sendable {}

private struct WeakObserver<Object: ManagedObject> {
  weak var observer: (any FetchedResultsControllerDelegate<Object>)?
}
