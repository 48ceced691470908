public import Foundation
import FetchedResults

/// What happened to a row or a section.
public enum NSFetchedResultsChangeType: UInt, Hashable, Sendable {
  /// It was inserted.
  case insert = 1
  /// It was deleted.
  case delete = 2
  /// A row has another position among the others; its content may have changed too.
  case move = 3
  /// The content of a row has changed, but not its position among the others.
  case update = 4
}

/// Is notified of the changes of a results controller, one by one.
///
/// For each change: `controllerWillChangeContent` while the old list can still be read; the deleted
/// sections, last first, and the inserted ones; the deleted, inserted, moved and updated rows;
/// `controllerDidChangeContent`. Every method has a default implementation. The controller that is
/// passed is equal (`==`) to the one whose delegate this is. A class of the main actor conforms as
/// `@MainActor NSFetchedResultsControllerDelegate`, or by the setting `InferIsolatedConformances`.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// The list is about to change; the old one can still be read.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// A row has changed.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - anObject: The object.
  ///   - indexPath: Its index path in the old list; nil for an insertion.
  ///   - type: What happened.
  ///   - newIndexPath: Its index path in the new list; nil for a deletion. An update has both.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section was inserted or deleted; its rows are reported too.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - sectionInfo: The section, in the old list if it was deleted.
  ///   - sectionIndex: Its index, in the old list if it was deleted.
  ///   - type: `insert` or `delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// The list has changed.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The title of a section in the index strip; nil leaves the section out.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?

  /// The list could not follow a change; the old one stays. Core Data has no such method.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didFailWith error: any Error)
}

extension NSFetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// Does nothing.
  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}

  /// The capitalised first letter.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { SectionIndex.title(forSectionName: sectionName) }

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didFailWith error: any Error
  ) {}
}
