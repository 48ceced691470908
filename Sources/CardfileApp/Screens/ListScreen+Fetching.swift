import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// How many rows are fetched before all others: more than any screen shows.
  private static let firstScreen = 200

  /// Makes the table show the list, cell by cell.
  func connect() {
    provider.hooks.configureCell = { [weak self] in self?.configure(&$0, for: $1) }
    provider.hooks.willDisplay = { [weak self] in self?.prefetchDestinations(of: $0) }
    provider.hooks.encounteredError = { [weak self] error in
      self?.app.noteReplaced(error)
      self?.session.report(error)
    }
    provider.hooks.headerTitle = { $0.isEmpty ? "∅" : $0 }
    provider.hooks.headerDetail = { [weak self] _, count in
      // The first rows say nothing about how many there are.
      self?.isPartial == true ? "…" : groupedDigits(count)
    }
    provider.hooks.indexTitle = { [weak self] in self?.indexTitle(for: $0) }
    provider.hooks.didChangeContent = { [weak self] change, origin in
      if origin == .store { self?.noteOutside(change) }
    }
    provider.hooks.objectWasSelected = { [weak self] _ in self?.openCursorRow() }
    provider.attach(to: table)
  }

  private func configure(_ cell: inout TableCell, for object: ManagedObject) {
    let look = session.look
    cell.style = .columns
    if object.isAccessible {
      cell.fields = shownColumns.map { $0.field(of: object, in: session.context, look: look) }
      tint(&cell)
    } else {
      // What cannot be read is not NULL.
      cell.fields = [TableCell.Field(look.signs.ellipsis, style: look.theme.dim)]
    }
    if session.marks.contains(object.objectID) { cell.flag = .deleted }
  }

  /// Gives the text of a row the colour that one of its fields names as `#RRGGBB`, if it can be read.
  private func tint(_ cell: inout TableCell) {
    let named = cell.fields.lazy.compactMap { field in
      field.text.hasPrefix("#") && field.text.utf8.count == 7 ? Color(hex: field.text) : nil
    }
    guard let color = named.first, color.isReadable, !cell.fields.isEmpty else { return }
    cell.fields[0].style.foreground = color
  }

  /// Reads what the visible rows lead to in one go, not one by one.
  private func prefetchDestinations(of ids: [ObjectID]) {
    var destinations: Set<ObjectID> = []
    for column in shownColumns {
      guard case .toOne(let relationship) = column.source else { continue }
      for id in ids {
        session.context.object(with: id).objectID(forKey: relationship.name)
          .map { _ = destinations.insert($0) }
      }
    }
    do {
      try session.context.prefetch(destinations)
    } catch {
      session.report(error)
    }
  }

  /// The title of a section in the index strip: a letter, a year, a month, a short value.
  func indexTitle(for name: String) -> String {
    guard !name.isEmpty else { return "∅" }
    return sectionKey?.transform == .value ? String(name.prefix(7)) : name
  }

  // MARK: Asking

  /// Asks for the list as it is wanted now; the old rows stay until the first new ones are here.
  ///
  /// - Returns: Whether it could be asked for.
  @discardableResult
  func fetch(_ work: Work) -> Bool {
    self.work = work
    workStart = session.clock()
    waitingMotion = nil
    provider.set(
      predicate: RelationshipScope.all(scope.predicate, filter?.predicate),
      sortDescriptors: sortDescriptors, sectionKey: sectionKey, firstScreen: Self.firstScreen,
      wake: session.wake)
    listChanged()
    return provider.mostRecentError == nil
  }

  /// Stops work in the background and goes back to what is shown.
  func cancelWork() {
    provider.cancelFetch()
    sortDescriptors = provider.sortDescriptors
    sectionKey = provider.sectionKey
    if provider.fetchPredicate != RelationshipScope.all(scope.predicate, filter?.predicate) {
      filter = shownFilter
    }
    wantedCursor = nil
    session.message = .done(isWhole ? "Cancelled" : "Cancelled — R reads the rest")
  }

  private var isWhole: Bool { provider.fetchState == .complete }

  func takeResults() {
    if provider.poll() { listChanged() }
    if table.isHidden { provider.isSuspended = !isWorking }
  }

  /// Follows up on a list that is another now.
  private func listChanged() {
    if !provider.showsOldOrder {
      shownFilter = filter
      shownOrder = provider.sortDescriptors.first
    }
    if isWhole {
      if filter == nil { unfilteredCount = controller.count }
      waitingMotion?()
      waitingMotion = nil
    }
    if let place = wantedCursor, goBack(to: place) || isWhole { wantedCursor = nil }
  }
}
