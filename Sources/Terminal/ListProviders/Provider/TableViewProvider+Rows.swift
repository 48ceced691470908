import FetchedResults
import ManagedObjects
package import ObjectModel
public import TerminalKit

extension TableViewProvider {
  /// The object of a row; nil if there is no such row.
  public func object(at path: TablePath) -> Object? {
    guard let list = fetchedResultsController.results, list.contains(path.indexPath) else {
      return nil
    }
    return fetchedResultsController.object(at: path.indexPath)
  }

  /// The ID of a row's object, without reading the row; nil if there is no such row.
  package func objectID(at path: TablePath) -> ObjectID? {
    guard let list = fetchedResultsController.results, list.contains(path.indexPath) else {
      return nil
    }
    return fetchedResultsController.objectID(at: path.indexPath)
  }

  /// The row of an object; nil if it is not in the list.
  package func tablePath(for id: ObjectID) -> TablePath? {
    fetchedResultsController.indexPath(for: id).map { TablePath($0) }
  }

  /// The object under the table's cursor; nil if there are no rows.
  public var cursorObject: Object? {
    tableView?.cursor.flatMap { object(at: $0) }
  }

  /// The selected objects that are not in the list now, because they do not match its request or
  /// have not been fetched; they are selected again when they are.
  package var hiddenSelection: Set<ObjectID> { adapter.hiddenSelection }

  /// Whether all objects of a windowed list are selected, most of which it does not hold.
  package var selectsAll: Bool { adapter.allSelected != nil }

  /// Selects all objects: those of a windowed list by their condition, so that none is read for it.
  package func selectAll() {
    if fetchedResultsController.isWindowed {
      adapter.hiddenSelection = []
      adapter.allSelected = fetchedResultsController.displayedRequest
    }
    tableView?.selectAll()
  }

  /// Deselects all objects, also those that are not in the list now.
  package func selectNone() {
    adapter.hiddenSelection = []
    adapter.allSelected = nil
    tableView?.selectNone()
  }

  /// The cell of an object: the display attribute, a flag for unsaved changes, then what the
  /// delegate configures; a waiting one while the object cannot be read.
  public func cell(for object: Object) -> TableCell {
    var cell = prototypeCell
    cell.isWaiting = !object.isAccessible && managedObjectContext.isUnread(object.objectID)
    cell.text = displayText(for: object)
    cell.flag = object.isInserted ? .inserted : object.hasChanges ? .changed : .none
    currentDelegate.provider(self, configureCell: &cell, for: object)
    return cell
  }

  /// The value of the display attribute as text; "" for nil.
  public func displayText(for object: Object) -> String {
    (fetchedResultsController.displayedRequest ?? request).displayAttributeName.map {
      object.truncatedValue(forKey: $0).description
    } ?? ""
  }

  /// Deletes an object if the delegate allows it, and saves if ``saveContextAfterEditing`` is set.
  ///
  /// If the save fails, the object and other unsaved changes stay.
  ///
  /// - Returns: Whether the object is deleted.
  @discardableResult
  public func delete(_ object: Object) -> Bool {
    guard currentDelegate.provider(self, canEditRowFor: object),
      currentDelegate.provider(self, shouldDelete: object)
    else { return false }
    let context = managedObjectContext
    var isDeleted = false
    reportingErrors {
      if saveContextAfterEditing {
        object.prepareForDeletion()
        try context.save(deleting: context.deletionPlan(for: [object.objectID]))
      } else {
        context.processPendingChanges()
        try context.delete(object)
        context.processPendingChanges()
      }
      isDeleted = true
    }
    return isDeleted
  }
}
