import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The list of the store's entities.
final class EntityScreen: Screen, BrowserScreen {
  let session: Session
  /// Counts the objects of all entities; nil before it began, and once it was stopped.
  private var survey: BackgroundJob<EntityFinding>?
  /// What was found so far; old findings stay until new ones replace them.
  private var findings: [String: EntityFinding] = [:]
  /// Whether all entities were counted once.
  private var hasCounted = false
  private var showsTables = false
  private var showsEmpty = false
  private var unsaved: UnsavedCounts
  private lazy var rows = NarrowedTable<EntityRow>(
    startingAt: session.state.lastEntity, name: \.name,
    cell: { [unowned self] row in
      row.cell(
        finding: row.entity.flatMap { findings[$0.name] },
        unsaved: unsaved.isEmpty ? nil : row.entity.map { unsaved[$0.name] } ?? "",
        dim: session.look.theme.dim)
    },
    open: { [unowned self] in open($0) },
    contents: { [unowned self] filter in
      let tables = showsTables ? session.store.summary.otherTables : []
      return [
        .init(
          title: tables.isEmpty ? nil : "Entities",
          items: listing(filter).shown.map { .entity($0) }),
        .init(title: "SQLite tables without entity", items: tables.map { .table($0) }),
      ]
    })

  init(session: Session) {
    self.session = session
    unsaved = UnsavedCounts(session)
    super.init(title: "entities")
  }

  var keys: KeyTable { .entityList }
  override var keyCommands: [KeyCommand] { tableCommands }
  override var path: [String] { [session.storeTitle] }

  override var facts: [String] {
    let summary = session.store.summary
    var facts = [summary.kind] + [summary.generation].compactMap(\.self)
    if let bytes = summary.byteCount { facts.append(ValueText.bytes(bytes)) }
    facts.append(session.readOnlyReason == nil ? "read-write" : "read-only")
    return facts
  }

  override var counters: String { session.flagCounters }

  override var status: String {
    if isWorking {
      let counts = findings.values.compactMap(\.count)
      let total = groupedDigits(counts.reduce(0) { $0.addingReportingOverflow($1).partialValue })
      return "Objects are counted in the background: \(total) …"
    } else if let kept = rows.filter.kept {
      let count = listing(kept).shown.count
      return "showing \(count) of \(session.model.entities.count): \(kept)"
    } else if let tip = rows.current?.entity.flatMap({ session.options.tips[$0.name] }) {
      return tip
    }
    let count = listing(rows.filter.text).emptyCount
    guard count > 0 else { return "" }
    return counted(count, "empty entity", "empty entities") + " hidden"
      + session.advice((.hideEmpty, "shows them"))
  }

  var isWorking: Bool { survey?.isRunning ?? false }

  override func takeBackgroundResults() {
    survey?.takeResults()
    hasCounted = hasCounted || findings.count == session.model.entities.count
  }

  /// The entities shown for the text of a filter, and how many are not.
  private func listing(_ filter: String) -> EntityListing {
    // Rows are left out once all are counted: they would leave one by one under the cursor.
    let hidesEmpty = !showsEmpty && hasCounted
    return EntityListing(session.model.hierarchy, filter: filter) { entity in
      hidesEmpty && findings[entity.name]?.count == 0 && unsaved[entity.name].isEmpty
    }
  }

  // MARK: Keys

  override func intercept(_ key: Key) -> Bool { rows.intercept(key) }

  override func paste(_ text: String) -> Bool { rows.paste(text) }

  func perform(_ action: Action, count: Int?) {
    switch action {
    case .refresh:
      startCounting()
      app?.performShared(action)
    case .tables: toggleTables()
    case .hideEmpty: toggleEmpty()
    default: if !rows.perform(action, count: count) { app?.performShared(action) }
    }
  }

  private func open(_ row: EntityRow) {
    if let entity = row.entity {
      app?.push(ListScreen(entity, session: session))
    } else {
      show("\(row.name) has no entity")
    }
  }

  private func toggleEmpty() {
    guard listing(rows.filter.text).emptyCount > 0 || showsEmpty else {
      return show("No entity is empty")
    }
    showsEmpty.toggle()
  }

  private func toggleTables() {
    showsTables.toggle()
    guard showsTables else { return }
    let count = session.store.summary.otherTables.count
    showsTables = count > 0
    switch count {
    case 0: show("Every table has an entity")
    case 1: show("1 table has no entity")
    default: show("\(count) tables have no entity")
    }
    rows.update()
    rows.table.scroll(towards: TablePath(section: rows.sections.count - 1, row: count - 1))
  }

  override func handle(_ event: MouseEvent) { rows.table.handle(event) }

  override func willAppear() { startCounting() }

  private func stopCounting() {
    takeBackgroundResults()
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

  override func didDisappear() {
    stopCounting()
    // The filter has led to an entity; when its list is closed another one is looked for.
    rows.clearFilter()
  }

  func storeChanged() { startCounting() }

  override func stopReading() { stopCounting() }

  override func readAgain() { if !isWorking { startCounting() } }

  // MARK: Drawing

  override func draw(in canvas: inout Canvas) -> Point? {
    if unsaved.revision != session.revision { unsaved = UnsavedCounts(session) }
    rows.table.columns = EntityRow.columns(withUnsaved: !unsaved.isEmpty)
    return rows.draw(in: &canvas)
  }
}
