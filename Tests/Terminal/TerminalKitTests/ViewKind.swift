import TerminalKit
import Testing

/// The views that share sections, cursor, batches and strip.
enum ViewKind: CaseIterable, CustomTestStringConvertible {
  case table, grid

  var testDescription: String { self == .table ? "a table" : "a grid" }

  /// A new view; the cells of a grid are narrow, so that three fit in the tests' 30 columns.
  @MainActor func view() -> TableView {
    guard self == .grid else { return TableView() }
    let grid = GridView()
    grid.cellWidth = 9
    return grid
  }
}
