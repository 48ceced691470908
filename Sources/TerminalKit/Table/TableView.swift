/// A list in sections on a terminal: sticky headers, an index strip, a cursor, selected rows.
///
/// It does not own its rows; it asks its data source for those that it draws. Tell it what changed
/// with ``apply(_:)``: cursor, selection and scroll position stay with the objects they stand on,
/// and what changed is highlighted for a moment.
@MainActor
public final class TableView {
  /// Gives sections and rows.
  public weak var dataSource: (any TableViewDataSource)?
  /// Is asked and told about what a person does.
  public weak var delegate: (any TableViewDelegate)?

  /// The columns of cells in columns; their titles stand above the rows unless all are empty.
  public var columns: [TableColumn] = [] {
    didSet { if columns != oldValue { widestSeen = [] } }
  }
  /// The lines of a row: 1, or 2 for cells with a subtitle.
  ///
  /// Takes effect with the next reload.
  public var rowHeight = 1
  /// Stands in the middle when there are no rows.
  public var emptyText: [String] = []
  /// Whether the index strip is shown when there are index titles.
  public var showsSectionIndex = true
  /// The strip is hidden when there are fewer rows than this.
  public var sectionIndexMinimumDisplayRowCount = 0
  /// Whether the strip shows counts beside its titles, while a jump waits for letters.
  public var showsSectionIndexCounts = false
  /// A hidden table draws nothing and highlights nothing; it stays current.
  public var isHidden = false
  /// Whether what changed is highlighted for a moment.
  public var highlightsChanges = true
  /// Is told when a batch does not fit, before the table is reloaded.
  ///
  /// By default an assertion: a trap in debug builds, silence in release builds.
  public var reportInvalidUpdate: (String) -> Void = { assertionFailure($0) }
  /// The time in milliseconds; highlights end by it.
  ///
  /// By default a clock that never goes back.
  public var clock: () -> Int

  var state = TableState()
  var flashes = TableFlashes()
  /// The widest text seen in each column since the last change of columns.
  var widestSeen: [Int] = []
  var indexTitles: [String] = []
  /// The section that each index title leads to.
  var indexSections: [Int] = []
  /// What was drawn last; rows that go are drawn once more from it.
  var drawn = DrawnTable()

  /// Creates a table without a data source.
  public init() {
    let start = ContinuousClock.now
    clock = {
      let passed = start.duration(to: .now).components
      return Int(passed.seconds) * 1000 + Int(passed.attoseconds / 1_000_000_000_000_000)
    }
  }

  // MARK: Contents

  /// The number of sections.
  public var numberOfSections: Int { state.offsets.numberOfSections }
  /// The number of rows in all sections.
  public var numberOfRows: Int { state.offsets.numberOfRows }

  /// The number of rows in a section; 0 for a section that does not exist.
  public func numberOfRows(inSection section: Int) -> Int { state.offsets.count(in: section) }

  /// The place of a row that is counted through all sections; nil when there is no such row.
  public func path(ofRow row: Int) -> TablePath? { state.offsets.path(of: row) }

  /// The place of a row counted through all sections; nil when there is no such row.
  public func row(at path: TablePath) -> Int? { state.offsets.row(at: path) }

  /// Asks the data source for everything anew.
  ///
  /// Without a cursor and selection given, the cursor stays at its place and nothing is selected.
  ///
  /// - Parameters:
  ///   - cursor: The new place of the object under the cursor; nil keeps the place.
  ///   - selection: The new places of the selected rows, counted through all sections.
  /// - Complexity: O(sections).
  public func reloadData(cursor: TablePath? = nil, selection: RowSet = RowSet()) {
    let offsets = askForCounts()
    state.reload(
      offsets, hasHeaders: hasHeaders(offsets), hasFooters: hasFooters(offsets),
      rowHeight: rowHeight, cursor: cursor.flatMap { offsets.row(at: $0) }, selection: selection)
    flashes = TableFlashes()
    drawn.forget()
    askForIndex()
    delegate?.tableViewDidMoveCursor(self)
  }

  /// Follows a change, row by row.
  ///
  /// The data source must give the new state already. A batch that does not fit is told to
  /// ``reportInvalidUpdate``, and the table is reloaded.
  ///
  /// - Complexity: O(*k* log *k* + sections) for *k* changes, whatever the number of rows.
  public func apply(_ batch: TableBatch) {
    guard !batch.isEmpty else { return }
    let (old, new) = (state.offsets, askForCounts())
    let map: RowMap
    do {
      map = try batch.rowMap(from: old, to: new)
    } catch {
      reportInvalidUpdate(error.description)
      return reloadData()
    }
    let gone = ghosts(of: batch, map: map, old: old)
    state.follow(map, to: new, hasHeaders: hasHeaders(new), hasFooters: hasFooters(new))
    if highlightsChanges, !isHidden {
      flashes.follow(map, new: visibleFlashes(of: batch), gone: gone, now: clock())
    }
    drawn.forget()
    askForIndex()
    delegate?.tableViewDidMoveCursor(self)
  }

  /// When the table should be drawn again by itself, by its ``clock``; nil for not at all.
  public var nextDeadline: Int? { isHidden ? nil : flashes.deadline }

  private func askForCounts() -> SectionOffsets {
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

  private func askForIndex() {
    indexTitles = dataSource?.sectionIndexTitles(for: self) ?? []
    indexSections = indexTitles.enumerated().map { index, title in
      dataSource?.tableView(self, sectionForSectionIndexTitle: title, at: index) ?? index
    }
  }
}
