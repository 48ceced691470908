import ManagedObjects
import ObjectModel

@testable import FetchedResults

/// Replays the changes of a list, as a view does.
final class ReplayingDelegate: FetchedResultsControllerDelegate {
  let scenario: Scenario
  let context: ManagedObjectContext
  var rows: [[String]] = []
  var names: [String] = []
  var problems: [String] = []

  init(_ scenario: Scenario, _ context: ManagedObjectContext) {
    self.scenario = scenario
    self.context = context
  }

  func content(of list: ResultsSections) -> [[String]] {
    (0..<list.sectionCount).map { section in
      list.ids[list.range(ofSection: section)].map { id in
        let id = context.object(with: id).objectID
        return scenario.shown.map { context.value(at: $0, of: id).description }.joined(
          separator: "/")
      }
    }
  }

  func start(_ list: ResultsSections) {
    rows = content(of: list)
    names = list.names
  }

  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    guard let list = controller.results else { return problems.append("no old list") }
    if list.names != names
      || (0..<list.sectionCount).map({ list.count(inSection: $0) }) != rows.map(\.count)
    {
      problems.append("the old list is not there any more")
    }
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChangeContent change: ResultsChange
  ) {
    guard let list = controller.results else { return problems.append("no list") }
    let new = content(of: list)
    guard var replayed = change.replayed(on: rows, insertingFrom: new) else {
      return problems.append("the change does not fit")
    }
    for row in change.moves + change.updates {
      replayed[row.new.section][row.new.row] = new[row.new.section][row.new.row]
    }
    rows = replayed
    for section in change.deletedSections.sorted(by: >) { names.remove(at: section) }
    for section in change.insertedSections.sorted() {
      names.insert(list.names[section], at: section)
    }
    if change.isReload { names = list.names }
  }
}
