public import Foundation
public import ManagedObjects
public import ObjectModel

/// A fetch kept up to date, in sections.
///
/// It follows the changes of its context, saved or not, and those that other contexts and processes save. It finds the
/// places of what changed without fetching again, and tells each change as one ``ResultsChange``.
///
/// A controller belongs to its context's isolation domain.
public final class FetchedResultsController<Object: ManagedObject> {
  /// The context that the objects are in.
  public var managedObjectContext: ManagedObjectContext { live.context }

  /// Is asked for index titles and told of changes.
  ///
  /// Not held.
  public weak var delegate: (any FetchedResultsControllerDelegate)? {
    didSet { sectionIndexCache = nil }
  }

  let live: LiveResults
  private var observers: [WeakObserver] = []
  private var sectionIndexCache: SectionIndex?

  /// Makes a controller; ``performFetch()`` fills it.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows; it needs at least one sort descriptor.
  ///   - context: The context that the objects are in.
  ///   - sectionKey: What sections are made by; nil for one flat section. The order must keep sections together: see
  ///     ``SectionKey/agreeing(_:)``.
  public convenience init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext,
    sectionKey: SectionKey? = nil
  ) {
    self.init(
      ListRequest(fetchRequest: FetchRequest(fetchRequest), sectionKey: sectionKey),
      context: context)
  }

  /// Makes a controller with sections by a key path.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows.
  ///   - context: The context that the objects are in.
  ///   - sectionNameKeyPath: A key path, with a transform after a colon where wanted
  ///     ("surname:initial"); nil for one flat section.
  public convenience init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext, sectionNameKeyPath: String?
  ) {
    var request = ListRequest(fetchRequest: FetchRequest(fetchRequest))
    request.sectionNameKeyPath = sectionNameKeyPath
    self.init(request, context: context)
  }

  /// Makes a controller; ``performFetch()`` fills it.
  ///
  /// - Parameters:
  ///   - request: What the list shows.
  ///   - context: The context that the objects are in.
  public init(_ request: ListRequest, context: ManagedObjectContext) {
    live = LiveResults(request, context: context)
    live.willChange = { [unowned self] in
      forEachObserver { $0.controllerWillChangeContent(self) }
    }
    live.didChange = { [unowned self] change in
      sectionIndexCache = nil
      forEachObserver { $0.controller(self, didChangeContent: change) }
    }
    live.didFail = { [unowned self] error in
      forEachObserver { $0.controller(self, didFailWith: error) }
    }
  }

  // MARK: The list

  /// The list as a value; nil before the first fetch.
  public var results: ResultsSections? { live.list }

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
    live.list.map { FetchedObjects(ids: $0.ids, places: $0.ids.indices, reader: reader) }
  }

  /// How many objects there are; 0 before the first fetch.
  public var count: Int { live.list?.count ?? 0 }

  /// The object of a row; traps when there is no such row.
  public func object(at indexPath: IndexPath) -> Object {
    let list = fetchedList
    return reader.object(at: list.place(at: indexPath), of: list.ids)
  }

  /// The ID of a row's object, without reading the row; traps when there is no such row.
  public func objectID(at indexPath: IndexPath) -> ObjectID {
    let list = fetchedList
    return list.ids[list.place(at: indexPath)]
  }

  /// The row of an object; nil when it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(forObject object: Object) -> IndexPath? { indexPath(for: object.objectID) }

  /// The row of an object; nil when it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(for id: ObjectID) -> IndexPath? { live.list?.indexPath(of: id) }

  /// Reads the rows at some places of the whole list that are not held yet, in one query.
  public func prefetch(_ places: Range<Int>) {
    if let list = live.list { reader.prefetch(places, of: list.ids) }
  }

  private var fetchedList: ResultsSections {
    guard let list = live.list else {
      preconditionFailure("There are no rows before performFetch().")
    }
    return list
  }

  private var reader: RowReader {
    let batchSize = (displayedRequest ?? request).fetchRequest.fetchBatchSize
    return RowReader(context: live.context, batchSize: batchSize > 0 ? batchSize : 64)
  }

  // MARK: The index strip

  /// The titles of the index strip and their sections, neighbours with one title as one; nil before the first fetch.
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

  /// The first section of an index title; nil when there is no such title.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int? {
    sectionIndex?.section(for: title, at: index)
  }

  /// The title of a section in the index strip, as the delegate wants it; nil when it is left out.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    guard let delegate else { return SectionIndex.title(forSectionName: name) }
    return delegate.controller(self, sectionIndexTitleForSectionName: name)
  }

  // MARK: Observers

  /// Adds an observer, told like the delegate and after it.
  ///
  /// Not held.
  public func addObserver(_ observer: any FetchedResultsControllerDelegate) {
    observers.append(WeakObserver(observer: observer))
  }

  /// Takes an observer away.
  public func removeObserver(_ observer: any FetchedResultsControllerDelegate) {
    observers.removeAll { $0.observer === observer || $0.observer == nil }
  }

  private func forEachObserver(_ body: (any FetchedResultsControllerDelegate) -> Void) {
    if let delegate { body(delegate) }
    for weak in observers {
      if let observer = weak.observer, observer !== delegate { body(observer) }
    }
  }
}

@available(
  *, unavailable, message: "A controller belongs to its context. Make another in the other domain."
)
extension FetchedResultsController: Sendable {}

private struct WeakObserver {
  weak var observer: (any FetchedResultsControllerDelegate)?
}
