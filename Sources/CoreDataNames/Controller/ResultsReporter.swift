import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel

/// Reports each change of a list to Core Data's delegate, row by row.
final class ResultsReporter: FetchedResultsControllerDelegate {
  let controller: FetchedResultsController<ManagedObject>
  let request: NSFetchRequestSettings
  let sectionNameKeyPath: String?
  weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    // The index titles of the former delegate are forgotten.
    didSet { controller.delegate = self }
  }

  /// Whether the list changes by a fetch, which no delegate is notified of.
  private var isFetching = false
  /// The list before the change that is being reported.
  private var old: (list: ResultsSections, sections: FetchedResultsSections<ManagedObject>)?

  init(
    _ controller: FetchedResultsController<ManagedObject>,
    _ request: NSFetchRequestSettings, sectionNameKeyPath: String?
  ) {
    self.controller = controller
    self.request = request
    self.sectionNameKeyPath = sectionNameKeyPath
    controller.delegate = self
  }

  private var erased: NSFetchedResultsController<any NSFetchRequestResult> { .init(self) }

  func performFetch() throws {
    var list = ListRequest(fetchRequest: try request.value())
    list.sectionNameKeyPath = sectionNameKeyPath
    isFetching = true
    defer { isFetching = false }
    try controller.performFetch(list)
  }

  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    guard !isFetching, let delegate, let list = controller.results,
      let sections = controller.sections
    else { return }
    old = (list, sections)
    delegate.controllerWillChangeContent(erased)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChangeContent change: ResultsChange
  ) {
    guard let old, let delegate, let list = controller.results,
      let sections = controller.sections
    else { return }
    self.old = nil
    // Of a list that changed too much nothing is known but what it was and is.
    let change =
      change.isReload
      ? ResultsChange(from: old.list, to: list, updated: Set(list.ids), limit: .max) : change
    let controller = erased
    for index in change.deletedSections.reversed() {
      delegate.controller(
        controller, didChange: SectionInfo(section: old.sections[index]), atSectionIndex: index,
        for: .delete)
    }
    for index in change.insertedSections {
      delegate.controller(
        controller, didChange: SectionInfo(section: sections[index]), atSectionIndex: index,
        for: .insert)
    }
    func report(
      _ type: NSFetchedResultsChangeType, at path: IndexPath?, newPath: IndexPath?
    ) {
      let id =
        newPath.map { list.ids[list.index(at: $0)] }
        ?? path.map { old.list.ids[old.list.index(at: $0)] }
      guard let id else { return }
      delegate.controller(
        controller, didChange: self.controller.managedObjectContext.object(with: id), at: path,
        for: type, newIndexPath: newPath)
    }
    for path in change.deletedRows { report(.delete, at: path, newPath: nil) }
    for path in change.insertedRows { report(.insert, at: nil, newPath: path) }
    for row in change.moves { report(.move, at: row.old, newPath: row.new) }
    for row in change.updates { report(.update, at: row.old, newPath: row.new) }
    delegate.controllerDidChangeContent(controller)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didFailWith error: any Error
  ) { delegate?.controller(erased, didFailWith: error) }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>,
    sectionIndexTitleForSectionName name: String
  ) -> String? {
    guard let delegate else { return SectionIndex.title(forSectionName: name) }
    return delegate.controller(erased, sectionIndexTitleForSectionName: name)
  }
}
