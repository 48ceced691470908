package import FetchedResults
public import ListProviders
public import ManagedObjects
package import ObjectModel
public import TerminalKit

/// A list of objects that follows every change, with the keys of vim and less: move, search, find,
/// go to what begins with letters, sort, select, delete, undo.
///
/// The provider's delegate configures cells and says what happens when a row is chosen; a subclass
/// can be the delegate itself. Rows are fetched in the background: a list of a million objects is
/// shown with its first rows, and a key that needs others waits for them.
open class ListScreen<Object: ManagedObject>: Screen {
  /// Fills the table and keeps it up to date.
  public let provider: TableViewProvider<Object>
  /// The table, or grid, of the objects.
  public private(set) var tableView: TableView

  /// Makes an object for the keys `o` and `+`; nil if the list has no such keys.
  public var makeObject: ((ManagedObjectContext) throws -> Object)?
  /// The orders that `s` offers; empty for no choice.
  ///
  /// Set ``order`` to show the list in one of them.
  public var orders: [ListOrder] = []
  /// The attributes that `/` and `f` search; nil for all texts of the entity, or for all its
  /// attributes if it has none.
  public var searchAttributes: [String]?
  /// Whether rows can be selected and deleted in edit mode only, which `E` starts and ends.
  public var hasEditMode = false
  /// Whether the list is in edit mode; see ``hasEditMode``.
  public private(set) var isEditing = false

  /// The controller of the list, which nothing else retains; nil for a provider by itself.
  private let listController: TableListController<Object>?
  package let fetching: ListFetch<Object>
  package private(set) var isFetched = false
  /// How many objects there are without the filter; nil while unknown.
  package var unfilteredCount: Int?
  /// Whether the cursor was moved since the list was sorted: it stays on its object then.
  package var hasMovedCursor = false
  /// The typing of a filter, or of what to find; nil while nothing is typed.
  package var filterTyping: FilterTyping? { didSet { bottomBar = filterTyping?.bar } }
  /// How a typed text is read; nil for words in ``searchAttributes``, and the entity's names.
  package var makeReader: (() -> FilterTyping.Reader)?
  /// Keeps a filter that was typed for the history.
  package lazy var rememberFilter: (String) -> Void = { [weak self] in
    self?.typedFilters.append($0)
  }
  var typedFilters: [String] = []
  /// The letters typed to go to a section or a row; nil if the list is not in this mode.
  package var typeAhead: TypeAhead? {
    didSet {
      modeHints = typeAhead == nil ? nil : TypeAhead.hints(application?.look.signs ?? .unicode)
    }
  }
  /// The cursor when the letters began; nil once they have moved it.
  var cursorBeforeTypeAhead: ListCursor?
  /// The cursor that `''` returns to.
  package var cursorBeforeJump: ListCursor?
  /// The cursor to restore after a filter was cancelled, once its object is in the list again.
  package var cursorToRestore: ListCursor?
  /// Finds the rows that were looked for last; nil for none.
  package var finder: RowFinder?
  /// Called when the cursor has gone to an object that was looked for.
  package var matchFound: (ObjectID) -> Void = { _ in }
  /// What is said of a match that is not counted yet if it was found past the end of the list.
  var wrapped = ""
  /// Whether `z` was pressed, and the next key says where to scroll.
  package internal(set) var awaitsScrollKey = false
  /// The range that motions extend; nil for none.
  package var rangeSelection: RangeSelection?

  /// Creates a screen of a provider's objects.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - provider: Fills the table.
  ///   - tableView: The table; a grid for cells side by side.
  public init(
    title: String, provider: TableViewProvider<Object>, tableView: TableView = TableView()
  ) {
    (self.provider, self.tableView, listController) = (provider, tableView, nil)
    fetching = ListFetch(provider)
    super.init(title: title)
    provider.attach(to: tableView)
    connect()
  }

  /// Creates a screen of the table or grid of a list controller.
  public init(title: String, controller: TableListController<Object>) {
    (provider, tableView) = (controller.provider, controller.tableView)
    listController = controller
    fetching = ListFetch(provider)
    super.init(title: title)
    connect()
  }

  private func connect() {
    tableView.fold = TextFolding.folded
    fetching.rowsCame = { [weak self] in self?.rowsCame() }
    provider.failed = { [weak self] error in
      self?.application?.heldKeys = []
      self?.show(error)
    }
    provider.listChanged = { [weak self] in
      self?.finder?.listChanged()
      self?.followRange()
    }
    provider.cursorObjectLeft = { [weak self] id in
      // The cursor follows its object, as in a whole list, unless somebody waits for other rows.
      guard let self, !fetching.isAwaited, cursorToRestore == nil else { return }
      cursorToRestore = ListCursor(id: id, position: tableView.position)
      // No rows can be asked for while the list changes.
      wake()
    }
  }

  /// Shows the objects in another table or grid; cursor and selection stay.
  package func show(in view: TableView) {
    let isHidden = tableView.isHidden
    tableView.isHidden = true
    tableView = view
    view.fold = TextFolding.folded
    view.isHidden = isHidden
    provider.attach(to: view)
  }

  /// The context of the objects.
  open override var managedObjectContext: ManagedObjectContext? { context }

  /// Whether the provider saves each change.
  package override var savesAfterChanges: Bool { provider.saveContextAfterEditing }

  var context: ManagedObjectContext { provider.managedObjectContext }

  /// The results that the table shows: what was asked for, what is displayed, how much was fetched.
  package var controller: FetchedResultsController<Object> { provider.fetchedResultsController }

  /// The rows that are displayed; nil before the first fetch.
  package var results: ResultsSections? { controller.results }

  /// The filter of the request that was made last.
  package var filter: TypedPredicate? { provider.request.filter }

  // MARK: Appearing

  /// Fetches the list, or shows the changes made while it was hidden.
  open override func willAppear() {
    tableView.isHidden = false
    let isFirst = !isFetched && controller.fetchState == .notFetched
    isFetched = true
    if isFirst { return fetch(.loading, provider.request) }
    takeBackgroundResults()
    provider.isSuspended = false
  }

  /// Collects changes until the list is shown again; a fetch in the background continues.
  open override func didDisappear() {
    tableView.isHidden = true
    provider.isSuspended = !isWorking
  }

  /// Ends the work in the background.
  open override func didClose() {
    stopReading()
    provider.isSuspended = true
  }

  // MARK: Rows that are not there yet

  /// Shows what was found in the background.
  open override func takeBackgroundResults() {
    fetching.takeResults()
    if controller.isWindowed, cursorToRestore != nil { rowsCame() }
    finder?.takeResults()
    followMatches()
    if tableView.isHidden { provider.isSuspended = !isWorking }
  }

  /// Whether the row under the cursor is still one of before: other rows, or another position of the
  /// cursor, have been asked for.
  package override var awaitsRows: Bool {
    controller.showsEarlierRequest || fetching.isAwaited || finder?.busyLine != nil
  }

  /// Whether a row from the cursor on is still to be read, after an attempt.
  ///
  /// Rows were seen when they were selected.
  open override func isUnread(_ target: KeyCommand.Target, count: Int?) -> Bool {
    guard target == .row || target == .rows && selectedCount == 0 else { return false }
    return areUnread(cursorIDs(count: min(count ?? 1, ListFetch<Object>.firstScreen)), in: context)
  }

  /// Whether the first rows could not be read.
  package var isUnread: Bool {
    guard isFetched, controller.fetchProgress == nil else { return false }
    return switch controller.fetchState {
    case .notFetched: true
    case .partial: tableView.numberOfRows == 0
    case .complete: false
    }
  }

  override var isLockedOut: Bool {
    isUnread && provider.mostRecentError?.storeError?.reason == .locked
      && application?.lockRemedy == nil
  }

  /// Stops reading in the background.
  open override func stopReading() { for work in works { work.cancel() } }

  /// Fetches the rows that are not here yet.
  open override func readAgain() {
    guard isFetched, controller.fetchProgress == nil, !isComplete, !controller.isWindowed else {
      return
    }
    fetch(.loading, provider.request)
  }

  // MARK: Drawing

  /// Draws the table.
  open override func draw(in canvas: inout Canvas) -> Point? {
    let filter = controller.displayedRequest?.filter
    tableView.emptyText =
      filter.map { ["Nothing matches “\($0.text)”", "Esc shows all"] } ?? provider.emptyText
    tableView.showsSectionIndexCounts = typeAhead != nil
    tableView.draw(in: &canvas)
    return tableView.hardwareCursor
  }

  /// The time until a highlight ends, or the sign of work in the background moves.
  open override var redrawDelay: Int? {
    let flashes = tableView.nextDeadline.map { max($0 - tableView.clock(), 0) }
    let mode = typeAhead?.delay(now: application?.clock() ?? 0)
    return [flashes, isWorking ? BusyLine.frameDuration : nil, mode].compactMap(\.self).min()
  }

  /// The number of objects, the filter and the order.
  open override var facts: [String] {
    if filterTyping != nil, controller.foundNone { return ["nothing matches", "old rows shown"] }
    let count = listCountText ?? groupedDigits(tableView.numberOfRows) + (isComplete ? "" : " …")
    var facts = [count]
    if let filter = controller.displayedRequest?.filter { facts = ["“\(filter.text)”: \(count)"] }
    if isEditing { facts.append("editing") }
    if let order {
      let isDescending = provider.sortDescriptors.first?.ascending == false
      facts.append("by \(order.title) \(isDescending ? "↓" : "↑")")
    }
    return facts
  }

  /// What is typed, or the number of selected rows.
  open override var status: String {
    typeAhead?.prompt(sectionCount: tableView.numberOfSections) ?? selectionText
  }

  /// The progress of the list's work in the background.
  open override var busy: BusyLine? {
    (typeAhead == nil || fetching.isAwaited ? fetching.busyLine : nil) ?? finder?.busyLine
  }

  /// The numbers of unsaved changes, and the position of the cursor in the list.
  open override var counters: String {
    let changes = context.changeCounts
    let unsaved = StatusLine.counters(
      deleted: changes.deleted, changed: changes.updated, inserted: changes.inserted)
    return [unsaved, position].filter { !$0.isEmpty }.joined(separator: "   ")
  }

  /// The position of the cursor among the rows that are there; empty if there are none.
  package var position: String {
    guard let row = tableView.cursorRow else { return "" }
    if controller.isWindowed { return windowedPosition(of: row) }
    let (number, count) = (groupedDigits(row + 1), tableView.numberOfRows)
    guard isComplete else { return startsAtFirstRow ? "\(number)/…" : "…/…" }
    return "\(number)/\(groupedDigits(count))  \((row + 1) * 100 / max(count, 1))%"
  }

  // MARK: Keys

  /// Moving, opening, searching, sorting, selecting, changing.
  open override var keyCommands: [KeyCommand] {
    motionCommands + searchCommands + viewCommands + changeCommands + super.keyCommands
  }

  /// Handles the keys of a text that is typed, and those after `'` and `z`.
  open override func intercept(_ key: Key) -> Bool {
    if filterTyping != nil { return handleFilterKey(key) }
    if typeAhead != nil { return handleTypeAheadKey(key) }
    return awaitsScrollKey && scroll(key)
  }

  /// Adds to the text that is typed.
  open override func paste(_ text: String) -> Bool {
    filterTyping?.paste(text)
    return filterTyping != nil
  }

  /// Filters by what was typed, once for a burst of keys, and ends the mode of letters in time.
  package override func catchUp() {
    applyFilterText()
    endTypeAheadIfDue()
  }

  /// Moves to a clicked row or section; a double click opens, the wheel scrolls.
  open override func handle(_ event: MouseEvent) {
    (cursorToRestore, typeAhead) = (nil, nil)
    hasMovedCursor = true
    if goesToOtherSection(event) { return }
    tableView.handle(event)
  }

  /// Starts or ends edit mode; does nothing without ``hasEditMode``.
  open func setEditing(_ isEditing: Bool) {
    guard hasEditMode else { return }
    self.isEditing = isEditing
    if !isEditing { selectNone() }
  }
}
