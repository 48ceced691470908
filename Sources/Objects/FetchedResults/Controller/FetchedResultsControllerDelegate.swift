public import ManagedObjects

/// Is notified of changes to the list of a ``FetchedResultsController``.
///
/// For each change: `controllerWillChangeContent` while the old list can still be read, then the
/// list is replaced, then `controller(_:didChangeContent:)`, once. That one is required, so that a
/// slip in its signature does not compile. The others have default implementations, and Swift does
/// not warn of a method that only nearly is one of them: one with a slip is never called.
///
/// A class of the main actor conforms as
/// `@MainActor FetchedResultsControllerDelegate`; without a delegate,
/// ``ResultsController/observe(_:)`` and ``ResultsController/updates`` do.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  /// The class of the objects in the list; `ManagedObject` if no method determines it.
  associatedtype Object: ManagedObject = ManagedObject

  /// The list is about to change; the old one can still be read.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

  /// The list has changed.
  func controller(
    _ controller: FetchedResultsController<Object>, didChangeContent change: ResultsChange)

  /// An error occurred that could not be thrown, as in the background; the displayed list stays.
  func controller(
    _ controller: FetchedResultsController<Object>, didFailWith error: any Error)

  /// The title of a section in the index strip; nil leaves the section out.
  ///
  /// Called on the controller's delegate only, not on its other observers.
  func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String?
}

extension FetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didFailWith error: any Error
  ) {}

  /// The capitalised first letter.
  public func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? { SectionIndex.title(forSectionName: name) }
}
