import CoreDataNames
import Foundation

// 9. An observer that turns the calls of a delegate into one snapshot of changes.

enum Change: Equatable {
  case insert(Int)
  case delete(Int)
  case update(Int)
  case move(Int, Int)
}

final class ChangeObserver<Result: NSFetchRequestResult>: NSObject,
  NSFetchedResultsControllerDelegate
{
  private let fetchedResultsController: NSFetchedResultsController<Result>
  private var changes: [Change] = []
  var onChange: (([Change], [Result]) -> Void)?

  init(_ fetchRequest: NSFetchRequest<Result>, _ context: NSManagedObjectContext) throws {
    fetchedResultsController = NSFetchedResultsController<Result>(
      fetchRequest: fetchRequest, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
    super.init()
    fetchedResultsController.delegate = self
    try fetchedResultsController.performFetch()
  }

  var results: [Result] { return fetchedResultsController.fetchedObjects ?? [] }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    changes = []
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch (type, indexPath, newIndexPath) {
    case (.insert, _, let new?): changes.append(.insert(new.row))
    case (.delete, let old?, _): changes.append(.delete(old.row))
    case (.update, let old?, _): changes.append(.update(old.row))
    case (.move, let old?, let new?): changes.append(.move(old.row, new.row))
    default: assertionFailure()
    }
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    onChange?(changes, results)
  }
}
