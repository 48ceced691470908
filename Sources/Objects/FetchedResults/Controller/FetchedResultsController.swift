public import Foundation
public import ManagedObjects
public import ObjectModel

/// Manages the results of a fetch request, in sections, and keeps them up to date.
///
/// It tracks the changes of its context, saved or not, and those that other contexts and processes
/// save. It finds the new positions of changed objects without fetching again, and reports each
/// change as one ``ResultsChange``.
///
/// Its changes come to a ``delegate``, a closure (``ResultsController/observe(_:)``), or an
/// asynchronous sequence (``ResultsController/updates``). A controller belongs to its context's
/// isolation domain.
public final class FetchedResultsController<Object: ManagedObject>: ResultsController {
  /// Names index titles, and is notified of changes.
  ///
  /// Held weakly.
  public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
    didSet { sectionIndexCache = nil }
  }

  private var sectionIndexCache: SectionIndex?

  /// Makes a controller; ``ResultsController/performFetch()`` fills it.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows; it needs at least one sort descriptor.
  ///   - context: The context that the objects are in.
  ///   - sectionKey: What sections are made by; nil for one flat section. The order must keep
  ///     sections together: see `SectionKey.agreeing(_:)`.
  ///   - cacheName: The name of the list's cache; nil for none: see
  ///     ``ResultsController/cacheName``.
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
  ///   - cacheName: The name of the list's cache; nil for none: see
  ///     ``ResultsController/cacheName``.
  public convenience init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext, sectionNameKeyPath: String?,
    cacheName: String? = nil
  ) {
    var request = ListRequest(fetchRequest: FetchRequest(fetchRequest))
    request.sectionNameKeyPath = sectionNameKeyPath
    self.init(request, context: context)
    self.cacheName = cacheName
  }

  /// Makes a controller; ``ResultsController/performFetch()`` fills it.
  package override init(_ request: ListRequest, context: ManagedObjectContext) {
    context.registerIfNeeded(Object.self, forEntity: request.fetchRequest.entityName)
    super.init(request, context: context)
  }

  override func listWillChange() { delegate?.controllerWillChangeContent(self) }

  override func listDidChange(_ change: ResultsChange) {
    sectionIndexCache = nil
    delegate?.controller(self, didChangeContent: change)
    super.listDidChange(change)
  }

  override func fetchDidFail(_ error: any Error) {
    delegate?.controller(self, didFailWith: error)
  }

  // MARK: The list

  /// The entity, predicate, order and limit of the request.
  public var fetchRequest: FetchRequest<Object> { FetchRequest(request.fetchRequest) }

  /// The sections; nil before the first fetch.
  public var sections: FetchedResultsSections<Object>? {
    results.map { list in
      FetchedResultsSections(
        list: list, reader: reader,
        indexTitle: { [unowned self] in
          sectionIndexTitle(forSectionName: $0)
        })
    }
  }

  /// The objects of all sections; nil before the first fetch.
  public var fetchedObjects: FetchedObjects<Object>? {
    results.map { FetchedObjects(ids: $0.ids, range: $0.ids.indices, reader: reader) }
  }

  /// The object at an index path; traps if there is no such row.
  public func object(at indexPath: IndexPath) -> Object {
    let list = fetchedList
    return reader.object(at: list.index(at: indexPath), of: list.ids)
  }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(forObject object: Object) -> IndexPath? { indexPath(for: object.objectID) }

  // MARK: The index strip

  /// The titles of the index strip and their sections; nil before the first fetch.
  ///
  /// Adjacent sections with the same title have one entry.
  ///
  /// - Complexity: O(sections) the first time after a change.
  package var sectionIndex: SectionIndex? {
    guard let list = results else { return nil }
    if let sectionIndexCache { return sectionIndexCache }
    let index = SectionIndex(list.names.lazy.map { self.sectionIndexTitle(forSectionName: $0) })
    sectionIndexCache = index
    return index
  }

  /// The titles of all sections of a windowed list once they have been looked up; nil otherwise.
  ///
  /// They are numbered as the held ones: those before the first have negative numbers.
  package var wholeSectionIndex: SectionIndex? {
    guard let found = lookedUpSections else { return nil }
    return SectionIndex(
      found.all.lazy.map { self.sectionIndexTitle(forSectionName: $0.name) },
      from: -found.firstHeld)
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
}
