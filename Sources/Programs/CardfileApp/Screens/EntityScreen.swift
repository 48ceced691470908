import ManagedObjects
import ObjectModel
import TerminalKit

/// The list of the store's entities.
final class EntityScreen: Screen {
  let session: Session
  /// Counts the objects of all entities; nil before it began, and once it was stopped.
  private var survey: BackgroundJob<EntityFinding>?
  /// What was found so far; old findings stay until new ones replace them.
  private var findings: [String: EntityFinding] = [:]
  /// Whether all entities were counted once.
  private var hasCounted = false
  private var page = LineScroll()
  private var filter = LineFilter()
  private var showsTables = false
  private var showsEmpty = false
  /// The entity under the cursor, which the cursor follows when rows come and go.
  private var cursorName: String?
  private var namesBefore: [String] = []
  private var unsaved: UnsavedCounts
  /// Whether the next drawing scrolls to the tables.
  private var scrollsToTables = false
  private var pageTop = 0
  private(set) var hardwareCursor: Point?

  init(session: Session) {
    self.session = session
    cursorName = session.state.lastEntity
    unsaved = UnsavedCounts(session)
  }

  var keys: KeyTable { .entityList }
  var helpTitle: String { "entities" }

  var title: TitleLine {
    let summary = session.store.summary
    var facts = [summary.kind] + [summary.generation].compactMap(\.self)
    if let bytes = summary.byteCount { facts.append(ValueText.bytes(bytes)) }
    if let mode = summary.journalMode { facts.append(mode) }
    facts.append(session.readOnlyReason == nil ? "read-write" : "read-only")
    return TitleLine(path: [session.storeTitle], facts: facts)
  }

  var status: ScreenStatus {
    var status = ScreenStatus(counters: session.flagCounters)
    if isWorking {
      let counts = findings.values.compactMap(\.count)
      let total = groupedDigits(counts.reduce(0) { $0.addingReportingOverflow($1).partialValue })
      status.text = "Objects are counted in the background: \(total) …"
    } else if let kept = filter.kept {
      status.text = "showing \(shown.count) of \(session.model.entities.count): \(kept)"
    } else if shown.indices.contains(page.cursor),
      let tip = session.options.tips[shown[page.cursor].entity.name]
    {
      status.text = tip
    } else if listing.emptyCount > 0 {
      let count = listing.emptyCount
      status.text = "\(count) empty \(count == 1 ? "entity" : "entities") hidden — . shows them"
    }
    return status
  }

  var isWorking: Bool { survey?.isRunning ?? false }

  func takeResults() {
    survey?.takeResults()
    hasCounted = hasCounted || findings.count == session.model.entities.count
  }

  /// The entities shown, and how many are not.
  private var listing: EntityListing {
    // Rows are left out once all are counted: they would leave one by one under the cursor.
    let hidesEmpty = !showsEmpty && hasCounted
    return EntityListing(session.model.hierarchy, filter: filter.text) { entity in
      hidesEmpty && findings[entity.name]?.count == 0 && unsaved[entity.name].isEmpty
    }
  }

  private var shown: [ManagedObjectModel.RankedEntity] { listing.shown }

  /// The tables without an entity; empty while they are hidden.
  private var tables: [StoreSummary.OtherTable] {
    showsTables ? session.store.summary.otherTables : []
  }

  // MARK: Keys

  func intercept(_ key: Key) -> Bool {
    let reply = filter.handle(key)
    if reply == .changed { selectFirst() }
    return reply != .ignored
  }

  func paste(_ text: String) -> Bool {
    guard filter.paste(text) else { return false }
    selectFirst()
    return true
  }

  /// Moves to the best match of the filter.
  private func selectFirst() {
    cursorName = nil
    page.setCursor(0)
  }

  func perform(_ action: Action, count: Int?) {
    switch action {
    case .open: open()
    case .filter: filter.begin()
    case .escape: filter.clear()
    case .refresh:
      startCounting()
      app?.performShared(action)
    case .tables: toggleTables()
    case .hideEmpty: toggleEmpty()
    default:
      guard let motion = action.motion(count: count) else {
        app?.performShared(action)
        return
      }
      page.move(motion)
    }
  }

  private func open() {
    let shown = shown
    guard shown.indices.contains(page.cursor) else { return }
    app?.push(ListScreen(shown[page.cursor].entity, session: session))
  }

  private func toggleEmpty() {
    guard listing.emptyCount > 0 || showsEmpty else {
      session.message = .done("No entity is empty")
      return
    }
    showsEmpty.toggle()
  }

  private func toggleTables() {
    showsTables.toggle()
    guard showsTables else { return }
    let tables = tables
    if tables.isEmpty {
      session.message = .done("Every table has an entity")
      showsTables = false
    } else {
      scrollsToTables = true
      session.message = .done(
        tables.count == 1 ? "1 table has no entity" : "\(tables.count) tables have no entity")
    }
  }

  func handle(_ event: MouseEvent) {
    page.handle(event, pageTop: pageTop)
    if event.kind == .doublePress { open() }
  }

  func appear() { startCounting() }

  private func stopCounting() {
    takeResults()
    survey?.cancel()
    survey = nil
  }

  private func startCounting() {
    stopCounting()
    survey = BackgroundJob(waker: session.waker) { [store = session.store] control, give in
      EntityFinding.findAll(in: store, control, give: give)
    } handle: { [weak self] finding in
      self?.findings[finding.entityName] = finding
    }
  }

  func disappear(isLeft: Bool) {
    stopCounting()
    // The filter has led to an entity; who comes back looks for another one.
    filter.clear()
  }

  func storeChanged() { startCounting() }

  func stopReading() { stopCounting() }

  func readAgain() { if !isWorking { startCounting() } }

  // MARK: Drawing

  func drawBody(in canvas: inout Canvas) {
    if unsaved.revision != session.revision { unsaved = UnsavedCounts(session) }
    let shown = shown
    let rows = shown.map {
      EntityRow($0, finding: findings[$0.entity.name], unsaved: unsaved[$0.entity.name])
    }
    let tables = tables
    let columns = EntityRow.Columns(rows, otherNames: tables.map(\.name), width: canvas.width)
    let air = canvas.height >= 12 ? 1 : 0
    columns.drawTitles(y: air, in: &canvas)
    pageTop = air + 2
    let body = Rect(x: 0, y: air + 1, width: canvas.width, height: canvas.height - air - 1)
    let tableLines = tables.isEmpty ? 0 : tables.count + 2
    page.setRows(rows.count, lineCount: rows.count + tableLines)
    page.setHeight(body.size.height - (filter.isTyping ? 1 : 0))
    followCursor(in: shown.map(\.entity.name))
    if scrollsToTables {
      // As far as all tables need it, but half of the page goes on showing entities.
      let needed = rows.count + tableLines - page.height
      page.scroll(by: max(min(needed, rows.count - page.height / 2), 0) - page.top)
      scrollsToTables = false
    }
    hardwareCursor = nil
    canvas.within(body) { part in
      for y in 0..<page.height {
        let line = page.top + y
        if rows.indices.contains(line) {
          let isCursor = line == page.cursor
          columns.draw(rows[line], isCursor: isCursor, y: y, in: &part)
          if isCursor { hardwareCursor = Point(x: 0, y: y + body.minY + 1) }
        } else {
          drawTables(tables, line: line - rows.count, y: y, columns: columns, in: &part)
        }
      }
      if filter.isTyping { hardwareCursor = filter.draw(in: &part, y: part.height - 1) }
    }
  }

  /// Keeps the cursor on its entity when other rows came or went.
  private func followCursor(in names: [String]) {
    if names != namesBefore, let cursorName, let index = names.firstIndex(of: cursorName) {
      page.setCursor(index)
    }
    namesBefore = names
    cursorName = names.indices.contains(page.cursor) ? names[page.cursor] : nil
  }

  private func drawTables(
    _ tables: [StoreSummary.OtherTable], line: Int, y: Int, columns: EntityRow.Columns,
    in canvas: inout Canvas
  ) {
    guard !tables.isEmpty else { return }
    if line == 1 {
      canvas.rule(x: 0, y: y, columns: canvas.width - 1, style: canvas.theme.headerRule)
      canvas.put(
        " SQLite tables without entity ", x: 1, y: y, style: canvas.theme.headerTitle,
        limit: canvas.width - 2)
    } else if tables.indices.contains(line - 2) {
      let table = tables[line - 2]
      let used = canvas.put(
        canvas.signs.cut(table.name, to: canvas.width - 4), x: 3, y: y, style: canvas.theme.dim)
      let x = max(3 + columns.nameWidth + 2, 3 + used + 2)
      canvas.put(
        canvas.signs.cut("(\(table.purpose))", to: canvas.width - x - 1), x: x, y: y,
        style: canvas.theme.dim)
    }
  }
}
