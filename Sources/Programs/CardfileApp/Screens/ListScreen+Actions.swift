import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Performs an action of the list, or one that means the same on every screen.
  func perform(_ action: Action, count: Int?) {
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
    case .sort where count != nil: if let column = column(count) { sort(by: column) }
    case .sort: app?.present(sortMenu())
    case .reverse: reverse()
    case .sections:
      if controller.isWindowed {
        lookUpSections()
      } else if let overview = sectionsOverview() {
        app?.present(overview)
      }
    case .sectionsBy: app?.present(sectionMenu())
    case .columns: app?.present(columnsMenu())
    case .summary: summarize(column: count)
    case .refresh:
      controller.cancelFetch()
      app?.performShared(action)
    case .open where choosing != nil: chooseSelected()
    case .copy: copyChosen()
    case .preview: togglePreview()
    case .open: if let id = cursorID { open(id) }
    case .toggleGrid: toggleGrid()
    case .toggleSelection: toggleSelection(count ?? 1)
    case .selectRange: toggleRange()
    case .selectAll: selectAll()
    case .selectNone: selectNone()
    case .scroll: startScroll()
    case .nextColumn: moveMark(by: count ?? 1)
    case .previousColumn: moveMark(by: -(count ?? 1))
    case .delete: markForDeletion(count)
    case .unmark: unmark(count)
    case .edit: changeChosen(count, "edit") { self.edit($0) }
    case .insert: app?.insert(entity, in: scope.source)
    case .duplicate: duplicate()
    case .add: add()
    case .chooseNull: chooseNull()
    default: app?.performShared(action)
    }
  }

  /// Marks another column; the table scrolls sideways with it.
  private func moveMark(by count: Int) {
    tableView.moveMarkedColumn(by: count)
    columns.markedName = markedColumn?.name
  }

  // MARK: Opening

  func open(_ id: ObjectID) {
    if choosing != nil { return choose([id]) }
    app?.push(DetailScreen(id, path: steps, neighbours: neighbours, session: session))
  }

  private var neighbours: DetailScreen.Neighbours {
    DetailScreen.Neighbours(
      position: { [weak self] id in
        guard let self, let list = controller.results else { return nil }
        let count = controller.listCount.flatMap { $0.isExact ? $0.count : nil }
        let row = cursorID == id ? tableView.cursorRow : list.ids.index(of: id)
        let offset = controller.isWindowed ? controller.heldOffset : startsAtFirstRow ? 0 : nil
        return row.map { row in (offset.map { $0 + row }, count) }
      },
      isOpen: { [weak self] atEnd in
        guard let self else { return false }
        return atEnd ? controller.isOpenAtEnd : controller.isOpenAtStart
      },
      step: { [weak self] id, count in
        guard let ids = self?.controller.results?.ids, let index = ids.index(of: id) else {
          return nil
        }
        let (next, isHuge) = index.addingReportingOverflow(count)
        // A windowed list reads on before its end is reached.
        if !isHuge { self?.controller.look(at: (next..<next + 1).clamped(to: ids.indices)) }
        return !isHuge && ids.indices.contains(next) ? ids[next] : nil
      },
      show: { [weak self] in self?.showCursor(on: $0) })
  }
}
