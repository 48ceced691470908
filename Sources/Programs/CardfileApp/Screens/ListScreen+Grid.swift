import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Goes from the list to the grid or back, now and when the entity is opened again.
  func toggleGrid() {
    show(asGrid: !isGrid)
    let isGrid = isGrid
    session.remember(for: entity.name) { $0.isGrid = isGrid }
    show(
      (isGrid ? "Grid" : "List")
        + session.advice((.toggleGrid, isGrid ? "shows the list" : "shows the grid")))
  }

  /// The indexes of the columns that a row or a cell shows; of a table, those that were drawn last.
  var displayedColumns: [Int] {
    isGrid
      ? Array(columns.shown.indices)
      : tableView.displayedColumns.filter { columns.shown.indices.contains($0) }
  }
}
