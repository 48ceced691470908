public import FetchedResults
public import Foundation
public import ManagedObjects
import ObjectModel

/// The results of a fetch request, in sections, kept up to date: a `FetchedResultsController` with
/// Core Data's requests and delegate.
///
/// A controller belongs to its context's isolation domain.
public final class NSFetchedResultsController<ResultType> {
  let reporter: ResultsReporter

  /// Makes a controller; ``performFetch()`` fills it.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows; it needs at least one sort descriptor.
  ///   - context: The context that the objects are in.
  ///   - sectionNameKeyPath: The attribute that sections are made by, also through to-one
  ///     relationships; nil for one section. The order must keep sections together. A transient
  ///     attribute cannot be used: `name:initial` makes sections of first letters, `date:month` of
  ///     months.
  ///   - name: The name under which the list is kept on disk; nil for no cache. A cache is used only
  ///     if nothing has changed that could change the list: another predicate needs no other name.
  public convenience init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    if let type = ResultType.self as? ManagedObject.Type, let name = fetchRequest.entityName {
      context.registerIfNeeded(type, forEntity: name)
    }
    // Each fetch sets the request as it is then.
    let controller = FetchedResultsController<ManagedObject>(
      fetchRequest: FetchRequest(entityName: fetchRequest.entityName ?? ""), context: context,
      cacheName: name)
    self.init(
      ResultsReporter(
        controller, fetchRequest.settings, sectionNameKeyPath: sectionNameKeyPath))
  }

  init(_ reporter: ResultsReporter) { self.reporter = reporter }

  /// The controller that this one stands for: it can be observed, also as a sequence.
  public var resultsController: FetchedResultsController<NSManagedObject> { reporter.controller }

  /// The context that the objects are in.
  public var managedObjectContext: NSManagedObjectContext {
    resultsController.managedObjectContext
  }

  /// What the list shows; what is changed has an effect at the next ``performFetch()``.
  public var fetchRequest: NSFetchRequest<ResultType> { NSFetchRequest(reporter.request) }

  /// What sections are made by; nil for one section.
  public var sectionNameKeyPath: String? { reporter.sectionNameKeyPath }

  /// The name of the cache; nil for none.
  public var cacheName: String? { resultsController.cacheName }

  /// Deletes a cache of this program from disk.
  ///
  /// It is never necessary, because no cache is used that does not fit.
  ///
  /// - Parameter name: The name of the cache; nil for all.
  public static func deleteCache(withName name: String?) {
    FetchedResultsController<ManagedObject>.deleteCache(withName: name)
  }

  /// Is notified of changes, and names index titles.
  ///
  /// Held weakly.
  public var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { reporter.delegate }
    set { reporter.delegate = newValue }
  }

  /// Fetches the list; the delegate is not notified.
  ///
  /// - Throws: `FetchedResultsError` if there is no sort descriptor or the order does not keep
  ///   sections together; what the predicate, the context or the store throw.
  public func performFetch() throws { try reporter.performFetch() }
}

@available(
  *, unavailable, message: "A controller belongs to its context. Make one in the other domain."
)
extension NSFetchedResultsController: Sendable {}

// The list.
extension NSFetchedResultsController {
  /// The objects of all sections; nil before the first fetch.
  ///
  /// - Complexity: O(*n*): an object is created for each row, though no row is read.
  public var fetchedObjects: [ResultType]? { resultsController.fetchedObjects?.map(typed) }

  /// The sections; nil before the first fetch.
  ///
  /// - Complexity: O(sections).
  public var sections: [any NSFetchedResultsSectionInfo]? {
    resultsController.sections?.map(SectionInfo.init)
  }

  /// The object at an index path; traps if there is no such row.
  public func object(at indexPath: IndexPath) -> ResultType {
    typed(resultsController.object(at: indexPath))
  }

  /// The index path of an object; nil if it is not in the list.
  ///
  /// - Complexity: O(*n*), one pass over the keys.
  public func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? ManagedObject).flatMap(resultsController.indexPath(forObject:))
  }

  /// The titles of the index strip, adjacent equal ones once; empty before the first fetch.
  public var sectionIndexTitles: [String] { resultsController.sectionIndexTitles ?? [] }

  /// The first section with an index title; traps if there is no such title.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - sectionIndex: Its position in ``sectionIndexTitles``.
  /// - Returns: The section.
  public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let section = resultsController.section(forSectionIndexTitle: title, at: sectionIndex)
    guard let section else {
      preconditionFailure("There is no section with the index title '\(title)'.")
    }
    return section
  }

  /// The title of a section in the index strip, from the delegate; nil if the section is left out.
  public func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    resultsController.sectionIndexTitle(forSectionName: sectionName)
  }

  private func typed(_ object: ManagedObject) -> ResultType {
    guard let object = object as? ResultType else {
      preconditionFailure(
        "\(object.entity.name) objects are \(type(of: object)), not \(ResultType.self).")
    }
    return object
  }
}

extension NSFetchedResultsController: Hashable {
  /// Whether both are the same controller, whatever the type of their results: a delegate is passed
  /// one of `NSFetchRequestResult`.
  public static func == <Other>(
    lhs: NSFetchedResultsController, rhs: NSFetchedResultsController<Other>
  ) -> Bool { lhs.reporter === rhs.reporter }

  /// Whether both are the same controller.
  public static func == (lhs: NSFetchedResultsController, rhs: NSFetchedResultsController) -> Bool {
    lhs.reporter === rhs.reporter
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(reporter)) }
}

/// Whether both are the same controller, whatever the type of their results.
///
/// An optional one is compared with `==`, after it was unwrapped: the standard library compares
/// optionals, and finds that the instances differ.
public func === <Left, Right>(
  lhs: NSFetchedResultsController<Left>, rhs: NSFetchedResultsController<Right>
) -> Bool { lhs.reporter === rhs.reporter }

/// A section of a results controller.
public protocol NSFetchedResultsSectionInfo {
  /// The section's name; "" without a section key, and for no value.
  var name: String { get }
  /// The section's title in the index strip; nil if it is left out.
  var indexTitle: String? { get }
  /// How many objects the section has.
  var numberOfObjects: Int { get }
  /// The section's objects; an object is created for each, but no row is read.
  var objects: [Any]? { get }
}

/// A section as Core Data describes it.
struct SectionInfo: NSFetchedResultsSectionInfo {
  let section: FetchedResultsSectionInfo<ManagedObject>

  var name: String { section.name }
  var indexTitle: String? { section.indexTitle }
  var numberOfObjects: Int { section.numberOfObjects }
  var objects: [Any]? { section.objects.map(\.self) }
}
