import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Performs an action of the list, or one that means the same on every screen.
  func performInList(_ action: Action, count: Int?) {
    // Keys may come before the screen is drawn again.
    updateColumns()
    if let motion = action.motion(count: count) { return move(motion) }
    switch action {
    case .jumpToSection: startTypeAhead()
    case .filter: startFilter()
    case .find: startFind()
    case .findNext: goToMatch(count ?? 1)
    case .findPrevious: goToMatch(-(count ?? 1))
    case .onlyValue: narrow(isEqual: true, column: count)
    case .withoutValue: narrow(isEqual: false, column: count)
    case .escape: escape()
    case .sort: app?.present(sortMenu())
    case .reverse: reverse()
    case .sections:
      if let overview = sectionsOverview() { app?.present(overview) }
    case .sectionsBy: app?.present(sectionMenu())
    case .columns: app?.present(columnsMenu())
    case .refresh:
      provider.cancelFetch()
      app?.performShared(action)
    case .open where choosing != nil: chooseSelected()
    case .copy: changeChosen(nil, "copy") { self.copy($0) }
    case .preview: togglePreview()
    case .open: if let id = cursorID { open(id) }
    case .toggleGrid: toggleGrid()
    case .toggleSelection: toggleSelection(count ?? 1)
    case .selectRange: toggleRange()
    case .selectAll:
      rangeSelection = nil
      whenComplete { $0.table.selectAll() }
    case .selectNone: selectNone()
    case .scroll: awaitsScrollKey = true
    case .nextColumn: moveMark(by: count ?? 1)
    case .previousColumn: moveMark(by: -(count ?? 1))
    default: performEditing(action, count: count)
    }
  }

  // MARK: Moving

  /// Handles the key after `z`.
  func scroll(_ key: Key) -> Bool {
    awaitsScrollKey = false
    switch key {
    case .character("t"): table.move(.cursorToTop)
    case .character("z"): table.move(.cursorToMiddle)
    case .character("b"): table.move(.cursorToBottom)
    case .escape: break
    default: fail("z is followed by t, z or b")
    }
    return true
  }

  /// Moves now, or once all rows are fetched if the motion needs them.
  private func move(_ motion: TableMotion) {
    cursorToRestore = nil
    hasMovedCursor = true
    switch motion {
    case .first, .last, .percent, .row, .nextSection, .previousSection: cursorBeforeJump = cursor
    default: break
    }
    fetching.dropWaiting()
    guard fetching.isPartial, needsOtherRows(motion) else { return moveNow(motion) }
    whenShown(part(for: motion)) { $0.moveNow(motion.within($0.provider.part)) }
  }

  /// Whether a motion needs rows that may not be here yet.
  private func needsOtherRows(_ motion: TableMotion) -> Bool {
    switch motion {
    case .last, .percent: true
    case .first: !startsAtFirstRow
    case .row(let row): row > table.numberOfRows || !startsAtFirstRow
    case .nextSection(let count):
      provider.part != .last && (table.currentSection ?? 0) + count >= table.numberOfSections
    case .previousSection(let count):
      !startsAtFirstRow && (table.currentSection ?? 0) - count < 1
    default: false
    }
  }

  /// The part of the list to which a motion leads; nil if only the whole list has the answer.
  private func part(for motion: TableMotion) -> ListPart? {
    switch motion {
    case .first: .first
    case .last, .percent(100...): .last
    case .percent(...0): .first
    case .percent(let percent): part(at: percent)
    default: nil
    }
  }

  /// Whether the rows that are shown begin with the list's first one.
  var startsAtFirstRow: Bool { provider.part?.isOpenAtStart != true }

  private func moveNow(_ motion: TableMotion) {
    table.move(motion)
    extendRange()
  }

  /// Marks another column; the table scrolls sideways with it.
  private func moveMark(by count: Int) {
    table.moveMarkedColumn(by: count)
    columns.markedName = markedColumn?.name
  }

  /// Runs something now, or once all rows are fetched.
  func whenComplete(_ body: @escaping (ListScreen) -> Void) { whenShown(nil, body) }

  /// Runs something now if all rows are here, else once a part of them has been fetched, or all.
  func whenShown(_ part: ListPart?, _ body: @escaping (ListScreen) -> Void) {
    fetching.whenShown(part) { [weak self] in
      if let self { body(self) }
    }
  }

  private func escape() {
    if let work = works.first(where: { $0.busyLine != nil }) {
      cancel(work)
    } else if rangeSelection != nil {
      cancelRange()
    } else if selectedCount > 0 {
      selectNone()
    } else if filter != nil {
      setFilter(nil)
    } else if finder != nil {
      finder = nil
    } else if fetching.isRunning {
      cancel(fetching)
    } else {
      show("q goes back or quits")
    }
  }

  // MARK: Opening

  /// The object under the cursor; nil if there are no rows.
  var cursorID: ObjectID? { table.cursor.flatMap { provider.objectID(at: $0) } }

  func open(_ id: ObjectID) {
    if choosing != nil { return choose([id]) }
    app?.push(DetailScreen(id, path: steps, neighbours: neighbours, session: session))
  }

  private var neighbours: DetailScreen.Neighbours {
    DetailScreen.Neighbours(
      position: { [weak self] id in
        guard let self, let list = controller.results else { return nil }
        let count = provider.fetchState == .complete ? list.count : nil
        let row = cursorID == id ? table.cursorRow : list.ids.index(of: id)
        return row.map { (startsAtFirstRow ? $0 : nil, count) }
      },
      isOpen: { [weak self] atEnd in
        guard let part = self?.provider.part else { return false }
        return atEnd ? part.isOpenAtEnd : part.isOpenAtStart
      },
      step: { [weak self] id, count in
        guard let ids = self?.controller.results?.ids, let index = ids.index(of: id) else {
          return nil
        }
        let (next, isHuge) = index.addingReportingOverflow(count)
        return !isHuge && ids.indices.contains(next) ? ids[next] : nil
      },
      show: { [weak self] in self?.showCursor(on: $0) })
  }

  /// Moves the cursor to an object, if it is in the list.
  @discardableResult
  func showCursor(on id: ObjectID) -> Bool {
    guard let path = provider.tablePath(for: id) else { return false }
    table.moveCursor(to: path)
    return true
  }

  /// The cursor; nil if there are no rows.
  var cursor: Cursor? { cursorID.map { Cursor(id: $0, position: table.position) } }

  /// Restores cursor and window, if the object is in the list.
  func restore(_ cursor: Cursor) -> Bool {
    guard showCursor(on: cursor.id) else { return false }
    if table.cursorRow == cursor.position.row { table.position = cursor.position }
    return true
  }
}

extension TableMotion {
  /// The motion within a part of the list: a percentage leads to the first row of its part.
  fileprivate func within(_ part: ListPart?) -> TableMotion {
    if case .percent = self, case .matching = part { .first } else { self }
  }
}
