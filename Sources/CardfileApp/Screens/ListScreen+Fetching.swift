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
    table.fold = TextFolding.folded
    provider.attach(to: table)
  }

  /// The title of a section in the index strip: a letter, a year, a month, a short value.
  func indexTitle(for name: String) -> String {
    guard !name.isEmpty else { return "∅" }
    return provider.displayedRequest?.sectionKey?.transform == .value
      ? String(name.prefix(7)) : name
  }

  // MARK: The request

  /// Changes what the list shows; the old rows stay until the first new ones are here.
  func fetch(_ work: Work, _ request: ListRequest) {
    self.work = work
    waitingMotion = nil
    provider.set(request, firstScreen: Self.firstScreen, wake: session.wake)
    listChanged()
  }

  /// Stops work in the background; the displayed rows and their request stay.
  func cancelWork() {
    provider.cancelFetch()
    wantedCursor = nil
    session.message = .done(isWhole ? "Cancelled" : "Cancelled — R reads the rest")
  }

  private var isWhole: Bool { provider.fetchState == .complete }

  func takeResults() {
    if provider.takeBackgroundResults() { listChanged() }
    if table.isHidden { provider.isSuspended = !isWorking }
  }

  /// Does what waited for rows of the list to arrive.
  private func listChanged() {
    if isWhole {
      if provider.displayedRequest?.filter == nil { unfilteredCount = controller.count }
      waitingMotion?()
      waitingMotion = nil
    }
    if let place = wantedCursor, goBack(to: place) || isWhole { wantedCursor = nil }
  }
}
