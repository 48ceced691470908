import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The list of an entity's objects, or of the objects in a to-many relationship, in sections.
///
/// The library's list finds, filters, selects and moves; this one has columns, and chooses order and
/// sections by itself.
final class ListScreen: TerminalApplications.ListScreen<ManagedObject>, BrowserScreen {
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

  let session: Session
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
  private let rowView: TableView
  private let gridView = GridView()
  let defaults: ListDefaults
  var columns: ListColumns
  /// The objects of the rows that were drawn last.
  var displayedIDs: [ObjectID] = []
  /// The object under the cursor, beside the list.
  private(set) lazy var preview = ListPreview(session: session)

  /// Makes a list of an entity's objects within a scope; ``willAppear()`` fetches it.
  init(
    _ entity: EntityDescription, options: AppOptions = AppOptions(), scope: Scope = Scope(),
    choosing: Choosing? = nil, session: Session
  ) {
    self.session = session
    self.entity = entity
    self.scope = scope
    self.choosing = choosing
    self.options = options
    let defaults = ListDefaults(entity, store: session.store)
    let choices = ListChoices(
      options, preferences: session.preferences(for: entity.name), defaults)
    self.defaults = defaults
    columns = ListColumns(defaults, hiding: scope.inverseName, chosen: choices.columns)
    let order =
      scope.predicate == nil
      ? choices.order.map(defaults.surveys.storeOrder) ?? defaults.orderOfAll
      : choices.order ?? defaults.sortDescriptors
    let provider = TableViewProvider<ManagedObject>(
      fetchRequest: FetchRequest(
        entityName: entity.name, predicate: scope.predicate?.predicate, sortDescriptors: order),
      context: session.context)
    rowView = TableView()
    rowView.columnsMinimumWidth = Self.columnsMinimumWidth
    super.init(title: "\(entity.name) list", provider: provider, tableView: rowView)
    provider.sectionKey =
      switch choices.section {
      case nil: defaults.sectionKey(for: order)
      case .some(.none): nil
      case .some(.key(let key)): key
      }
    provider.request.filter = options.filter
    provider.request.extent = session.options.extent
    if options == AppOptions(), scope.path.isEmpty, let place = session.places[entity.name] {
      show(place)
    }
    firstRequest = provider.request
    connect()
    show(asGrid: choosing == nil && choices.isGrid)
    if let current = choosing?.current {
      cursorToRestore = ListCursor(id: current, position: tableView.position)
    }
  }

  /// The width of the rows below which there is one column.
  private static let columnsMinimumWidth = 58

  /// Whether the objects are shown as a grid.
  var isGrid: Bool { tableView === gridView }

  /// The application merges changes into the one context of all screens.
  override var managedObjectContext: ManagedObjectContext? { nil }

  /// The first sort descriptor of the displayed rows.
  var displayedOrder: FetchSortDescriptor? {
    controller.displayedRequest?.sortDescriptors.first
  }

  /// The titles of the screens before and of this one, the store's name first.
  var steps: [String] { scope.path.isEmpty ? [session.storeTitle, entity.name] : scope.path }

  // MARK: Screen

  override var path: [String] {
    guard let filter, filterTyping == nil else { return steps }
    return steps.dropLast() + [(steps.last ?? "") + "   filter: \(filter.text)"]
  }

  override var keyCommands: [KeyCommand] { tableCommands }
  var keys: KeyTable { choosing != nil ? .choosing : isGrid ? .grid : .list }

  var hintedActions: [Action] {
    if let choosing { return choosing.hintedActions }
    if scope.source != nil, controller.count > 0 { return keys.relationshipActions }
    guard filter != nil, controller.count == 0, !isWorking else { return keys.hintedActions }
    return [.filter, .escape, .entities, .help]
  }

  override var redrawDelay: Int? {
    let rest = session.showsPreview ? preview.delay : nil
    return [super.redrawDelay, rest].compactMap(\.self).min()
  }

  override func willAppear() {
    if !isFetched, scope.path.isEmpty { session.remember { $0.lastEntity = entity.name } }
    let isFirst = !isFetched
    super.willAppear()
    if isFirst { warn(of: provider.sortDescriptors) }
  }

  override func didDisappear() {
    super.didDisappear()
    if session.showsPreview { preview.stop() }
    if scope.path.isEmpty { session.places[entity.name] = place }
  }

  override func didClose() {
    super.didClose()
    session.jobs.cancel(of: self)
    if !hasChosen { choosing?.leave() }
  }

  override func stopReading() {
    super.stopReading()
    preview.stop()
  }

  /// Reads a list that could not be read before.
  func storeChanged() { if isUnread { fetch(.loading, provider.request) } }

  override func handle(_ event: MouseEvent) {
    guard event.kind == .press, case .columnTitle(let index)? = tableView.hit(at: event.position),
      columns.shown.indices.contains(index)
    else { return super.handle(event) }
    (cursorToRestore, typeAhead) = (nil, nil)
    sort(by: columns.shown[index])
  }

  // MARK: The first and the last lines

  /// The number of objects, the order, and what is not shown.
  override var facts: [String] {
    var facts = [countText]
    if filterTyping != nil, controller.foundNone { return ["nothing matches", "old rows shown"] }
    if filterTyping?.bar.problem != nil { return facts + ["filter not applied"] }
    if let first = displayedOrder {
      // Of texts in a long list the order may be that of an index, which is no person's.
      let name = defaults.surveys.storeOrderName(of: first)
      let keyPath = first.keyPath + (name.map { " (\($0))" } ?? "")
      facts.append("by \(keyPath) \(first.ascending ? "↑" : "↓")")
    }
    let hiddenCount = isGrid ? 0 : columns.hiddenNames.count
    if hiddenCount > 0 { facts.append("+\(groupedDigits(hiddenCount)) hidden") }
    if let loss = session.fileLoss {
      facts.append(loss)
    } else if let (problem, age) = session.services.freshness() {
      // What is wrong comes first: it is said on the narrowest screen, too.
      if let problem { facts.insert(problem, at: 0) }
      if let age { facts.append(age) }
    } else if session.store.summary.copied == nil {
      facts.append("live ●")
    }
    return facts
  }

  private var countText: String {
    switch controller.fetchState {
    case .notFetched: return isUnread ? "not read" : "loading …"
    case .partial where isUnread: return "not read"
    case .partial where controller.isWindowed && !controller.showsEarlierRequest:
      return windowedCountText
    case .partial where isWorking: return "counting …"
    case .partial:
      let prefix = controller.part == .last ? "last " : startsAtFirstRow ? "first " : ""
      return prefix + groupedDigits(controller.count)
    case .complete: break
    }
    // The old rows are not the objects that the new filter finds.
    if isWorking, controller.displayedRequest?.filter?.text != filter?.text { return "counting …" }
    let count = groupedDigits(controller.count)
    if filter != nil, let unfilteredCount { return "\(count) of \(groupedDigits(unfilteredCount))" }
    return counted(controller.count, "object")
  }

  private var windowedCountText: String {
    guard let list = controller.listCount, let text = listCountText else { return "counting …" }
    if filter != nil, let unfilteredCount { return "\(text) of \(groupedDigits(unfilteredCount))" }
    return list.isExact ? counted(list.count, "object") : "\(text) objects"
  }

  /// What is typed, hidden or selected; else what to try.
  override var status: String {
    if let typeAhead {
      return typeAhead.prompt(sectionCount: tableView.numberOfSections)
    } else if let filter, controller.count == 0, let unfilteredCount, !isWorking,
      !filter.text.isEmpty
    {
      return counted(unfilteredCount, "object") + " hidden by the filter"
    } else if selectedCount > 0 {
      return selectionText
    }
    return scope.path.isEmpty ? session.options.tips[entity.name] ?? "" : ""
  }

  /// The numbers of unsaved changes, and where the cursor is.
  override var counters: String {
    var parts: [String] = []
    let flags = session.flagCounters
    if !flags.isEmpty { parts.append(flags + " ") }
    if let section = tableView.currentSection, let title = shortTitle(ofSection: section),
      !title.isEmpty
    {
      parts.append(title)
    }
    if !position.isEmpty { parts.append(position) }
    return parts.joined(separator: "  ")
  }

  /// The title of a section, cut short, for the cursor's position.
  private func shortTitle(ofSection section: Int) -> String? {
    guard controller.displayedRequest?.sectionKey != nil, let names = controller.results?.names,
      names.indices.contains(section)
    else { return nil }
    return session.look.signs.cut(sectionTitle(names[section]), to: 12)
  }

  // MARK: Drawing

  /// Draws the list, with the preview beside or below it where that is on and there is room.
  override func draw(in canvas: inout Canvas) -> Point? {
    let size = Size(width: canvas.width, height: canvas.height)
    guard session.showsPreview, let pane = ListPreview.frame(in: size) else {
      drawList(in: &canvas)
      return tableView.hardwareCursor
    }
    let isBelow = pane.minX == 0
    let list = Rect(
      x: 0, y: 0, width: isBelow ? size.width : pane.minX,
      height: isBelow ? pane.minY : size.height)
    canvas.within(list) { drawList(in: &$0) }
    canvas.within(pane) { preview.draw(cursorID, isBelow: isBelow, in: &$0) }
    return tableView.hardwareCursor
  }
}

extension ListScreen {
  /// Shows the objects as a grid of cells, or as a table; cursor and selection stay.
  func show(asGrid: Bool) {
    // A cell shows the second column below the first.
    provider.cellStyle = asGrid ? .subtitle : .standard
    show(in: asGrid ? gridView : rowView)
  }

  /// Draws the list itself.
  func drawList(in canvas: inout Canvas) {
    updateColumns()
    provider.emptyText = emptyText
    tableView.showsSectionIndexCounts = typeAhead != nil
    tableView.draw(in: &canvas)
    if findInHiddenColumns(displayedIDs) {
      updateColumns()
      tableView.draw(in: &canvas)
    }
  }

  /// Gives the table its columns: the column that the list is sorted by is always among them.
  func updateColumns() {
    columns.update(isGrid: isGrid, sort: displayedOrder, sought: soughtInRows)
    if !isGrid { tableView.hiddenColumnCount = columns.hiddenNames.count }
    let dates = session.options.settings.dates
    let new = isGrid ? [] : columns.shown.map { $0.tableColumn(sort: displayedOrder, dates: dates) }
    if tableView.columns != new { tableView.columns = new }
    tableView.markedColumn = columns.shown.firstIndex { $0.name == columns.markedName } ?? 0
  }

  /// The column that commands act on; nil if there are none.
  var markedColumn: ListColumn? {
    tableView.markedColumn.flatMap { columns.shown.indices.contains($0) ? columns.shown[$0] : nil }
  }

  /// The same list with its columns, order and sections chosen anew, if they were chosen without
  /// having seen a row; nil otherwise.
  func chosenAnew() -> ListScreen? {
    guard defaults.sample.isUnread, filterTyping == nil, provider.request == firstRequest else {
      return nil
    }
    let list = ListScreen(
      entity, options: options, scope: scope, choosing: choosing, session: session)
    // Nobody leaves the choice.
    hasChosen = true
    return list
  }

  private var emptyText: [String] {
    if isUnread {
      return ["The list could not be read" + session.advice((.refresh, "tries again"))]
    }
    if let filter {
      return [
        "No \(entity.name) matches", filter.text, "",
        [(Action.escape, "clear the filter"), (.filter, "change it")].compactMap { step in
          session.keyName(of: step.0).map { "\($0) \(step.1)" }
        }.joined(separator: "     "),
      ]
    }
    switch controller.fetchState {
    case .notFetched: return ["Loading …"]
    case .partial where controller.fetchProgress != nil:
      return [app?.lock == nil ? "Loading …" : session.look.signs.waiting]
    case .partial, .complete:
      return scope.path.isEmpty
        ? ["There are no \(entity.name) objects"] : ["\(scope.path.last ?? "") leads to no object"]
    }
  }
}
