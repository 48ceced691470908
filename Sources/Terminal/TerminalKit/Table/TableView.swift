/// A table view for terminals: rows in sections, sticky headers, an index strip, a cursor and a
/// selection.
///
/// As in UIKit, a data source provides the counts and the cells of the visible rows. Changes are
/// reported with `apply(_:)`: cursor, selection and scroll position stay on their objects, and
/// changed rows are highlighted briefly.
@MainActor
public class TableView {
  /// Provides sections and rows.
  public weak var dataSource: (any TableViewDataSource)?
  /// Handles the person's actions.
  public weak var delegate: (any TableViewDelegate)?

  /// The columns for cells of the style `columns`; empty for none.
  public var columns: [TableColumn] = [] {
    didSet { if columns != oldValue { keepWidths(of: oldValue) } }
  }
  /// The index of the column that commands act on, whose title is underlined; nil for none.
  ///
  /// The table scrolls sideways so that it is on the screen.
  package var markedColumn: Int?
  /// The width of the rows below which only the first column and the marked or sorted one are
  /// shown.
  package var columnsMinimumWidth = 0
  /// How many columns the data has besides ``columns``: counted in the line of titles below
  /// ``columnsMinimumWidth``, where nothing else says so.
  package var hiddenColumnCount = 0
  /// The number of lines of each row: 1, or 2 for cells with a subtitle; the more in a grid.
  ///
  /// Takes effect with the next ``reloadData(cursor:selection:)``.
  package var rowHeight = 1
  /// The lines of text shown in the middle if there are no rows; empty for none.
  public var emptyText: [String] = []
  /// Whether the index strip is shown if the data source has index titles.
  public var showsSectionIndex = true
  /// The number of rows below which the index strip is hidden.
  public var sectionIndexMinimumDisplayRowCount = 0
  /// Whether the index strip shows each section's header detail, by default its count, too.
  package var showsSectionIndexCounts = false
  /// Folds section titles and prefixes before they are compared; by default to lower case.
  package var fold: (String) -> String = { $0.lowercased() }
  /// Whether the table is hidden: it draws and highlights nothing, but still applies updates.
  package var isHidden = false
  /// Whether changed rows are highlighted briefly.
  package var highlightsChanges = true
  /// Called with a message when a batch does not match the data source; the table then reloads.
  ///
  /// By default an assertion failure, which does nothing in release builds.
  package var reportInvalidUpdate: (String) -> Void = { assertionFailure($0) }
  /// The current time in milliseconds, by which highlights end; by default a monotonic clock.
  package var clock: () -> Int

  var state = TableState()
  var flashes = TableFlashes()
  /// The width of the widest text displayed so far in each column.
  var widestSeen: [Int] = []
  /// The first column after the fixed ones.
  var firstColumn = 1
  /// The titles of the index strip, shortened.
  var indexTitles: [String] = []
  /// The section that each index title leads to.
  var indexSections: [Int] = []
  /// The position that was set before the height was known; nil for none.
  var positionToDraw: Position?
  /// The result of the last drawing.
  var drawn = DrawnTable()

  /// Creates a table without a data source.
  public init() {
    let start = ContinuousClock.now
    clock = { start.millisecondsPassed }
  }

  // MARK: Layout

  /// Returns how many rows lie side by side in a width.
  func rowsPerBand(in width: Int) -> Int { 1 }

  /// The number of lines above the first section, for the column titles.
  var titleLineCount: Int {
    numberOfRows > 0 && columns.contains { !$0.title.isEmpty } ? 1 : 0
  }

  /// Returns a cell in the style in which it is drawn.
  func arranged(_ cell: TableCell) -> TableCell { cell }

  /// Draws one line of a band of rows: the first line is 0.
  func drawBand(_ rows: Range<Int>, line: Int, y: Int, in canvas: inout Canvas) {
    for row in rows { drawRow(row, line: line, y: y, in: &canvas) }
  }

  /// Returns the row of a band at a column of the screen, counted from the table's left edge.
  func row(of band: Range<Int>, atColumn x: Int) -> Int? { band.first }

  /// Keeps the widths of columns that the table still has.
  private func keepWidths(of old: [TableColumn]) {
    let seen = Dictionary(
      zip(old.map(\.title), widestSeen), uniquingKeysWith: { first, _ in first })
    widestSeen = columns.map { seen[$0.title] ?? 0 }
    if let markedColumn, markedColumn >= columns.count { self.markedColumn = nil }
  }

  // MARK: Contents

  /// The number of sections.
  public var numberOfSections: Int { state.offsets.numberOfSections }
  /// The number of rows in all sections.
  package var numberOfRows: Int { state.offsets.numberOfRows }

  /// Returns the number of rows in a section; 0 if the section does not exist.
  public func numberOfRows(inSection section: Int) -> Int { state.offsets.count(in: section) }

  /// Returns the path of a row number across all sections; nil if there is no such row.
  package func path(ofRow row: Int) -> TablePath? { state.offsets.path(of: row) }

  /// Returns the number of a row across all sections; nil if there is no such row.
  package func row(at path: TablePath) -> Int? { state.offsets.row(at: path) }

  /// Reloads the sections, the counts and the index titles from the data source.
  ///
  /// - Parameters:
  ///   - cursor: The new path of the object under the cursor; nil keeps the row number.
  ///   - selection: The new numbers of the selected rows across all sections; by default none.
  /// - Complexity: O(sections).
  package func reloadData(cursor: TablePath? = nil, selection: RowSet = RowSet()) {
    let offsets = loadCounts()
    state.reload(
      offsets, hasHeaders: hasHeaders(offsets), hasFooters: hasFooters(offsets),
      rowHeight: rowHeight, cursor: cursor.flatMap { offsets.row(at: $0) }, selection: selection)
    flashes = TableFlashes()
    drawn.removeRows()
    reloadSectionIndex()
    delegate?.tableViewDidMoveCursor(self)
  }

  /// Reloads in the place of a view that showed the same rows: with its cursor on the same line of
  /// the screen, and with its selection.
  ///
  /// - Complexity: O(sections).
  package func reloadData(replacing old: TableView) {
    let screenLine = old.state.cursorLine
    state.setHeight(old.state.height)
    reloadData(cursor: old.cursor, selection: old.selection)
    if let screenLine { state.setCursorLine(screenLine) }
  }

  /// Applies a batch update, as `performBatchUpdates` does in UIKit.
  ///
  /// The data source must already be in its new state. If the counts do not match, the table calls
  /// `reportInvalidUpdate` and reloads. An empty batch does nothing.
  ///
  /// - Complexity: O(*k* log *k* + sections) for *k* changes, whatever the number of rows.
  package func apply(_ batch: TableBatch) {
    guard !batch.isEmpty else { return }
    let (old, new) = (state.offsets, loadCounts())
    let map: RowMap
    do {
      map = try batch.rowMap(from: old, to: new)
    } catch {
      reportInvalidUpdate(error.description)
      return reloadData()
    }
    let gone = ghosts(of: batch, map: map, old: old)
    state.apply(map, to: new, hasHeaders: hasHeaders(new), hasFooters: hasFooters(new))
    if highlightsChanges, !isHidden {
      flashes.update(map, new: visibleFlashes(of: batch), gone: gone, now: clock())
    }
    drawn.removeRows()
    reloadSectionIndex()
    delegate?.tableViewDidMoveCursor(self)
  }

  /// The time by ``clock`` at which to redraw because highlights end; nil if there are none.
  package var nextDeadline: Int? { isHidden ? nil : flashes.deadline }

  private func loadCounts() -> SectionOffsets {
    guard let dataSource else { return SectionOffsets() }
    let sections = max(dataSource.numberOfSections(in: self), 0)
    return SectionOffsets(
      counts: (0..<sections).lazy.map { dataSource.tableView(self, numberOfRowsInSection: $0) })
  }

  private func hasHeaders(_ offsets: SectionOffsets) -> Bool {
    offsets.numberOfSections > 0 && dataSource?.tableView(self, titleForHeaderInSection: 0) != nil
  }

  private func hasFooters(_ offsets: SectionOffsets) -> Bool {
    offsets.numberOfSections > 0 && dataSource?.tableView(self, titleForFooterInSection: 0) != nil
  }

  /// Reloads the titles of the index strip from the data source.
  ///
  /// A title may lead to a section that the table does not have: see ``TableHit/index(_:)``.
  package func reloadSectionIndex() {
    let titles = dataSource?.sectionIndexTitles(for: self) ?? []
    indexSections = titles.enumerated().map { index, title in
      dataSource?.tableView(self, sectionForSectionIndexTitle: title, at: index) ?? index
    }
    indexTitles = IndexTitles.shortened(titles)
  }
}

extension ContinuousClock.Instant {
  /// The whole milliseconds since this instant.
  package var millisecondsPassed: Int { Int(duration(to: .now) / .milliseconds(1)) }
}
