import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// The view that shows the objects.
  var table: TableView { isGrid ? gridView : tableView }

  /// Shows the objects as a grid of cells, or as a table; cursor and selection stay.
  func show(asGrid: Bool) {
    let isHidden = table.isHidden
    table.isHidden = true
    isGrid = asGrid
    table.isHidden = isHidden
    // A cell shows the second column below the first.
    provider.cellStyle = asGrid ? .subtitle : .standard
    provider.attach(to: table)
  }

  /// Goes from the list to the grid or back, now and when the entity is opened again.
  func toggleGrid() {
    show(asGrid: !isGrid)
    let isGrid = isGrid
    session.remember(for: entity.name) { $0.isGrid = isGrid }
    show(isGrid ? "Grid — V shows the list" : "List — V shows the grid")
  }

  /// Moves the cursor over a number of objects.
  func moveForward(by count: Int) { table.move(isGrid ? .right(count) : .down(count)) }

  /// The indexes of the columns that a row or a cell shows; of a table, those that were drawn last.
  var displayedColumns: [Int] {
    isGrid
      ? Array(columns.shown.indices)
      : table.displayedColumns.filter { columns.shown.indices.contains($0) }
  }
}
