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
  /// The list before the change that is being reported, and the change.
  private var reported:
    (
      old: ResultsSections, sections: FetchedResultsSections<ManagedObject>, change: ResultsChange
    )?

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
      let sections = controller.sections, let upcoming = controller.upcoming
    else { return }
    let change = Self.reported(upcoming.change, from: list, to: upcoming.list)
    guard !change.isEmpty else { return }
    reported = (list, sections, change)
    delegate.controllerWillChangeContent(erased)
  }

  /// What a delegate of Core Data is notified of: each row, and not that a save has given new objects
  /// their permanent IDs.
  private static func reported(
    _ change: ResultsChange, from old: ResultsSections, to new: ResultsSections
  ) -> ResultsChange {
    // Of a list that changed too much nothing is known but what it was and is.
    if change.isReload {
      return ResultsChange(from: old, to: new, updated: Set(new.ids), limit: .max)
    }
    var change = change
    change.updates.removeAll { row in
      old.ids[old.index(at: row.old)].isTemporary && !new.ids[new.index(at: row.new)].isTemporary
    }
    return change
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChangeContent change: ResultsChange
  ) {
    guard let (old, oldSections, change) = reported, let delegate, let list = controller.results,
      let sections = controller.sections
    else { return }
    reported = nil
    let controller = erased
    for index in change.deletedSections.reversed() {
      delegate.controller(
        controller, didChange: SectionInfo(section: oldSections[index]), atSectionIndex: index,
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
        ?? path.map { old.ids[old.index(at: $0)] }
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
