import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The list of an entity's objects, or of the objects in a to-many relationship, in sections.
final class ListScreen: BrowserScreen {
  /// The objects that the list can have, before any filter.
  struct Scope {
    var predicate: ValidatedPredicate?
    /// The titles of the screens before and of this one, the store's name first; empty for a whole
    /// entity.
    var path: [String] = []
    /// The inverse of the relationship that was followed; its column is hidden, being equal in all
    /// rows.
    var inverseName: String?
    /// The relationship that was followed; nil for a list of other objects.
    var source: RelationshipSource?
  }

  /// The object under the cursor, and the position of cursor and window.
  struct Cursor {
    var id: ObjectID
    var position: TableView.Position
  }

  let entity: EntityDescription
  let scope: Scope
  /// What an object is chosen for; nil if the list is only looked at.
  let choosing: Choosing?
  /// Whether an object was chosen.
  var hasChosen = false
  /// The options that the list was made with.
  let options: AppOptions
  /// The request that the list was made with.
  private(set) var firstRequest: ListRequest?
  let tableView = TableView()
  let gridView = GridView()
  /// Whether the objects are shown as a grid.
  var isGrid = false
  let provider: TableViewProvider<ManagedObject>
  let fetching: ListFetch
  let defaults: ListDefaults
  var columns: ListColumns
  /// The objects of the rows that were drawn last.
  var displayedIDs: [ObjectID] = []
  /// The typing of a filter, or of what to find; nil while nothing is typed.
  var filterTyping: FilterTyping? { didSet { bottomBar = filterTyping?.bar } }
  /// The letters typed to go to a section or a row; nil if the list is not in this mode.
  var typeAhead: TypeAhead?
  /// The cursor when the letters began; nil once they have moved it.
  var cursorBeforeTypeAhead: Cursor?
  /// The cursor that `''` returns to.
  var cursorBeforeJump: Cursor?
  /// Finds the rows that were looked for last; nil for none.
  var finder: RowFinder?
  /// The cursor to restore after a filter was cancelled, once its object is in the list again.
  var cursorToRestore: Cursor?
  /// Whether `z` was pressed, and the next key says where to scroll.
  var awaitsScrollKey = false
  /// The range that motions extend; nil for none.
  var rangeSelection: RangeSelection?
  /// How many rows the cursor moves past once they are marked.
  var passedRows = 0
  /// Whether the cursor was moved since the list was sorted.
  var hasMovedCursor = false
  /// How many objects there are without the filter; nil while unknown.
  var unfilteredCount: Int?
  /// The object under the cursor, beside the list.
  private(set) lazy var preview = ListPreview(session: session)
  private(set) var isFetched = false
  /// The list before the change that its table is about to show.
  var resultsBeforeChange: ResultsSections?

  /// Makes a list of an entity's objects within a scope; ``willAppear()`` fetches it.
  init(
    _ entity: EntityDescription, options: AppOptions = AppOptions(), scope: Scope = Scope(),
    choosing: Choosing? = nil, session: Session
  ) {
    self.entity = entity
    self.scope = scope
    self.choosing = choosing
    self.options = options
    let defaults = ListDefaults(entity, store: session.store)
    let choices = ListChoices(
      options, preferences: session.preferences(for: entity.name), defaults)
    self.defaults = defaults
    columns = ListColumns(defaults, hiding: scope.inverseName, chosen: choices.columns)
    let order = choices.order ?? defaults.sortDescriptors
    provider = TableViewProvider<ManagedObject>(
      fetchRequest: FetchRequest(
        entityName: entity.name, predicate: scope.predicate?.predicate, sortDescriptors: order),
      context: session.context)
    fetching = ListFetch(provider, wake: session.wake)
    super.init(title: "\(entity.name) list", session: session)
    provider.sectionKey =
      switch choices.section {
      case nil: defaults.sectionKey(for: order)
      case .some(.none): nil
      case .some(.key(let key)): key
      }
    provider.request.filter = options.filter
    table.columnsMinimumWidth = Self.columnsMinimumWidth
    if options == AppOptions(), scope.path.isEmpty, let place = session.places[entity.name] {
      show(place)
    }
    firstRequest = provider.request
    connect()
    show(asGrid: choosing == nil && choices.isGrid)
    if let current = choosing?.current {
      cursorToRestore = Cursor(id: current, position: table.position)
    }
  }

  /// The width of the rows below which there is one column.
  private static let columnsMinimumWidth = 58

  var controller: FetchedResultsController<ManagedObject> { provider.fetchedResultsController }

  /// The filter of the request that was made last.
  var filter: TypedPredicate? { provider.request.filter }

  /// The first sort descriptor of the displayed rows.
  var displayedOrder: FetchSortDescriptor? {
    provider.displayedRequest?.sortDescriptors.first
  }

  /// The titles of the screens before and of this one, the store's name first.
  var steps: [String] { scope.path.isEmpty ? [session.storeTitle, entity.name] : scope.path }

  // MARK: Screen

  override var path: [String] {
    guard let filter, filterTyping == nil else { return steps }
    return steps.dropLast() + [(steps.last ?? "") + "   filter: \(filter.text)"]
  }

  override var facts: [String] { listFacts }
  override var status: String { listStatus }
  override var counters: String { listCounters }
  override var busy: BusyLine? {
    (typeAhead == nil || fetching.isAwaited ? fetching.busyLine : nil) ?? finder?.busyLine
  }
  override var keys: KeyTable { choosing != nil ? .choosing : isGrid ? .grid : .list }

  override var hintedActions: [Action] {
    if let choosing { return choosing.hintedActions }
    if scope.source != nil, controller.count > 0 { return keys.relationshipActions }
    guard filter != nil, controller.count == 0, !isWorking else { return keys.hintedActions }
    return [.filter, .escape, .entities, .help]
  }

  /// The work in the background; of what is waited for, Esc cancels the first.
  var works: [any BackgroundWork] { (finder.map { [$0] } ?? []) + [fetching] }
  override var isWorking: Bool { works.contains(where: \.isRunning) }

  override var redrawDelay: Int? {
    let flashes = table.nextDeadline.map { max($0 - table.clock(), 0) }
    let spinner = isWorking ? BusyLine.frameDuration : nil
    let rest = session.showsPreview ? preview.delay : nil
    return [flashes, spinner, rest].compactMap(\.self).min()
  }

  override func willAppear() {
    table.isHidden = false
    guard isFetched else {
      isFetched = true
      if scope.path.isEmpty { session.remember { $0.lastEntity = entity.name } }
      fetch(.loading, provider.request)
      return
    }
    takeBackgroundResults()
    provider.isSuspended = false
  }

  /// A background fetch continues below another screen, and is cancelled if the list is closed.
  override func didDisappear() {
    table.isHidden = true
    if session.showsPreview { preview.stop() }
    if scope.path.isEmpty { session.places[entity.name] = place }
    provider.isSuspended = !isWorking
  }

  override func didClose() {
    for work in works { work.cancel() }
    session.jobs.cancel(of: self)
    provider.isSuspended = true
    if !hasChosen { choosing?.leave() }
  }

  override func takeBackgroundResults() {
    fetching.takeResults()
    finder?.takeResults()
    followMatches()
    if table.isHidden { provider.isSuspended = !isWorking }
  }

  override func stopReading() {
    for work in works { work.cancel() }
    preview.stop()
  }

  /// Fetches the rows that are not here yet.
  override func readAgain() {
    guard isFetched, provider.fetchProgress == nil else { return }
    switch provider.fetchState {
    case .notFetched, .partial: fetch(.loading, provider.request)
    case .complete: break
    }
  }

  /// Reads a list that could not be read before.
  override func storeChanged() { if isUnread { fetch(.loading, provider.request) } }

  /// Whether the row under the cursor is still one of before: other rows, or another position of the
  /// cursor, have been asked for.
  override var awaitsRows: Bool {
    provider.showsEarlierRequest || fetching.isAwaited || finder?.busyLine != nil
  }

  /// Whether a row from the cursor on is still to be read, after an attempt.
  ///
  /// Rows were seen when they were selected.
  override func isUnread(_ target: KeyCommand.Target, count: Int?) -> Bool {
    guard target == .row || target == .rows && selectedCount == 0 else { return false }
    return session.areUnread(cursorIDs(count: min(count ?? 1, ListFetch.firstScreen)))
  }

  override func catchUp() { applyFilterText() }

  override func intercept(_ key: Key) -> Bool {
    if filterTyping != nil { return handleFilterKey(key) }
    if typeAhead != nil { return handleTypeAheadKey(key) }
    if awaitsScrollKey { return scroll(key) }
    return false
  }

  override func perform(_ action: Action, count: Int?) { performInList(action, count: count) }

  override func handle(_ event: MouseEvent) {
    cursorToRestore = nil
    typeAhead = nil
    if event.kind == .press, case .columnTitle(let index)? = table.hit(at: event.position),
      columns.shown.indices.contains(index)
    {
      return sort(by: columns.shown[index])
    }
    hasMovedCursor = true
    table.handle(event)
  }

  override func paste(_ text: String) -> Bool {
    filterTyping?.paste(text)
    return filterTyping != nil
  }

  // MARK: Drawing

  /// Draws the list, with the preview beside it where that is on and there is room.
  override func draw(in canvas: inout Canvas) -> Point? {
    let columns = session.showsPreview ? ListPreview.columns(on: canvas.width) : 0
    let list = Rect(x: 0, y: 0, width: canvas.width - columns, height: canvas.height)
    canvas.within(list) { drawList(in: &$0) }
    if columns > 0 {
      canvas.within(Rect(x: list.maxX, y: 0, width: columns, height: canvas.height)) {
        preview.draw(cursorID, in: &$0)
      }
    }
    return table.hardwareCursor
  }
}

extension ListScreen {
  /// Draws the list itself.
  func drawList(in canvas: inout Canvas) {
    updateColumns()
    provider.emptyText = emptyText
    table.showsSectionIndexCounts = typeAhead != nil
    table.draw(in: &canvas)
    if findInHiddenColumns(displayedIDs) {
      updateColumns()
      table.draw(in: &canvas)
    }
  }

  /// Gives the table its columns: the column that the list is sorted by is always among them.
  func updateColumns() {
    columns.update(isGrid: isGrid, sort: displayedOrder, sought: soughtInRows)
    if !isGrid { table.hiddenColumnCount = columns.hiddenNames.count }
    let dates = session.options.settings.dates
    let new = isGrid ? [] : columns.shown.map { $0.tableColumn(sort: displayedOrder, dates: dates) }
    if table.columns != new { table.columns = new }
    table.markedColumn = columns.shown.firstIndex { $0.name == columns.markedName } ?? 0
  }

  /// The column that commands act on; nil if there are none.
  var markedColumn: ListColumn? {
    table.markedColumn.flatMap { columns.shown.indices.contains($0) ? columns.shown[$0] : nil }
  }

  private var emptyText: [String] {
    if isUnread { return ["The list could not be read — R tries again"] }
    if let filter {
      return [
        "No \(entity.name) matches", filter.text, "", "Esc clear the filter     / change it",
      ]
    }
    switch provider.fetchState {
    case .notFetched: return ["Loading …"]
    case .partial where provider.fetchProgress != nil:
      return [app?.lock == nil ? "Loading …" : session.look.signs.waiting]
    case .partial, .complete:
      return scope.path.isEmpty
        ? ["There are no \(entity.name) objects"] : ["\(scope.path.last ?? "") leads to no object"]
    }
  }
}
