import CoreDataNames
import Foundation

// 6. A data source of a table, for any entity.

protocol TableUpdating: AnyObject {
  func beginUpdates()
  func insertRows(at indexPaths: [IndexPath])
  func deleteRows(at indexPaths: [IndexPath])
  func reloadRows(at indexPaths: [IndexPath])
  func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath)
  func endUpdates()
}

class FetchedDataSource<Object: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate {
  let controller: NSFetchedResultsController<Object>
  weak var table: TableUpdating?
  private var blockOperations: [() -> Void] = []

  init(request: NSFetchRequest<Object>, context: NSManagedObjectContext, table: TableUpdating) {
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
    self.table = table
    super.init()
    controller.delegate = self
    do { try controller.performFetch() } catch { print("Fetching failed: \(error)") }
  }

  func numberOfItems(inSection section: Int) -> Int {
    return controller.sections?[section].numberOfObjects ?? 0
  }

  func object(at index: Int) -> Object {
    return controller.object(at: IndexPath(item: index, section: 0))
  }

  var objects: [Object] { return controller.fetchedObjects ?? [] }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    blockOperations.removeAll()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    blockOperations.append { [weak self] in
      guard let table = self?.table else { return }
      switch type {
      case .insert: table.insertRows(at: [newIndexPath!])
      case .delete: table.deleteRows(at: [indexPath!])
      case .update: table.reloadRows(at: [indexPath!])
      case .move: table.moveRow(at: indexPath!, to: newIndexPath!)
      @unknown default: fatalError("Unknown change")
      }
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    table?.beginUpdates()
    for operation in blockOperations { operation() }
    table?.endUpdates()
  }
}
