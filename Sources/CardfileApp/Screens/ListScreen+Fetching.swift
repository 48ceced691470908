import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// How many rows are fetched before all others: more than any screen shows.
  private static let firstScreen = 200

  /// Makes the table show the list.
  func connect() {
    provider.delegate = self
    provider.attach(to: table)
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
