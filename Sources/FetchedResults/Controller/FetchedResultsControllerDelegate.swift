/// Is told what happens to the list of a ``FetchedResultsController``.
///
/// For each change: `controllerWillChangeContent` while the old list can still be read, then the list flips, then
/// `controller(_:didChangeContent:)`, once. Every method has a default. A class of the main actor can adopt it.
public protocol FetchedResultsControllerDelegate: AnyObject {
  /// Is told that the list is about to change; the old one can still be read.
  func controllerWillChangeContent<Object>(_ controller: FetchedResultsController<Object>)

  /// Is told that the list has changed, and how.
  func controller<Object>(
    _ controller: FetchedResultsController<Object>, didChangeContent change: ResultsChange)

  /// Is told of an error that nobody could be thrown; the old list stays.
  func controller<Object>(
    _ controller: FetchedResultsController<Object>, didFailWith error: any Error)

  /// The title of a section in the index strip; nil leaves the section out.
  ///
  /// Only the controller's delegate is asked, not its other observers.
  func controller<Object>(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String?
}

extension FetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent<Object>(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller<Object>(
    _ controller: FetchedResultsController<Object>, didChangeContent change: ResultsChange
  ) {}

  /// Does nothing.
  public func controller<Object>(
    _ controller: FetchedResultsController<Object>, didFailWith error: any Error
  ) {}

  /// The capitalised first letter.
  public func controller<Object>(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? { SectionIndex.title(forSectionName: name) }
}
