import FetchedResults
public import ListProviders
public import ManagedObjects
import ObjectModel
public import TerminalKit

/// A list of objects that follows every change, with the keys of vim and less: move, search, find,
/// sort, select, delete, undo.
///
/// The provider's delegate configures cells and says what happens when a row is chosen; a subclass
/// can be the delegate itself.
open class ListScreen<Object: ManagedObject>: Screen {
  /// Fills the table and keeps it up to date.
  public let provider: TableViewProvider<Object>
  /// The table, or grid, of the objects.
  public let tableView: TableView

  /// Makes an object for the keys `o` and `+`; nil if the list has no such keys.
  public var makeObject: ((ManagedObjectContext) throws -> Object)?
  /// The orders that `s` offers; empty for no choice.
  ///
  /// Set ``order`` to show the list in one of them.
  public var orders: [ListOrder] = []
  /// The attributes that `/` and `f` search; nil for all texts of the entity.
  public var searchAttributes: [String]?
  /// Whether rows can be selected and deleted in edit mode only, which `E` starts and ends.
  public var hasEditMode = false
  /// Whether the list is in edit mode; see ``hasEditMode``.
  public private(set) var isEditing = false

  private let controller: TableListController<Object>?
  /// What `f` looks for; nil for nothing yet.
  var found: TypedPredicate?
  /// The text that `f` looked for last; nil for none.
  public var foundText: String? { found?.text }

  /// Creates a screen of a provider's objects.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - provider: Fills the table.
  ///   - tableView: The table; a grid for cells side by side.
  public init(
    title: String, provider: TableViewProvider<Object>, tableView: TableView = TableView()
  ) {
    (self.provider, self.tableView, controller) = (provider, tableView, nil)
    super.init(title: title)
    provider.attach(to: tableView)
  }

  /// Creates a screen of the table or grid of a list controller.
  public init(title: String, controller: TableListController<Object>) {
    (provider, tableView) = (controller.provider, controller.tableView)
    self.controller = controller
    super.init(title: title)
  }

  /// The context of the objects.
  open override var managedObjectContext: ManagedObjectContext? { provider.managedObjectContext }

  /// Whether the provider saves each change.
  open override var savesAfterChanges: Bool { provider.saveContextAfterEditing }

  // MARK: Appearing

  /// Fetches the list, or shows the changes made while it was hidden.
  open override func willAppear() {
    if let controller {
      controller.willAppear()
    } else {
      tableView.isHidden = false
      if provider.fetchState == .notFetched {
        fetch()
      } else {
        provider.isSuspended = false
      }
    }
    showProviderError()
  }

  /// Fetches the first rows, and the others of a long list in the background.
  private func fetch() {
    guard let waker = application?.terminal.waker else {
      return provider.performFetchAndReloadTableView()
    }
    provider.performFetchAndReloadTableView(firstScreen: 500) { waker.wake() }
  }

  /// Whether only the first rows have been fetched.
  var isPartial: Bool {
    if case .partial = provider.fetchState { true } else { false }
  }

  /// Fetches what a command needs beyond the first rows, without waiting for the background.
  func completeList() {
    if isPartial { provider.performFetchAndReloadTableView() }
  }

  /// Collects changes until the list is shown again.
  open override func didDisappear() {
    if let controller { return controller.didDisappear() }
    tableView.isHidden = true
    provider.isSuspended = true
  }

  /// Shows what a fetch in the background has found.
  open override func takeBackgroundResults() { provider.takeBackgroundResults() }

  override var isUnread: Bool {
    provider.mostRecentError?.storeError?.reason == .locked && provider.fetchState != .complete
  }

  /// Fetches a list again that could not be fetched because of a lock.
  open override func readAgain() {
    if isUnread, provider.fetchProgress == nil { fetch() }
  }

  /// Shows the error of the last fetch or deletion; does nothing if there was none.
  func showProviderError() {
    if let error = provider.mostRecentError { show(error) }
  }

  // MARK: Drawing

  /// Draws the table.
  open override func draw(in canvas: inout Canvas) -> Point? {
    let filter = provider.displayedRequest?.filter
    tableView.emptyText =
      filter.map { ["Nothing matches “\($0.text)”", "Esc shows all"] } ?? provider.emptyText
    tableView.draw(in: &canvas)
    return tableView.hardwareCursor
  }

  /// The time until a highlight ends.
  open override var redrawDelay: Int? {
    tableView.nextDeadline.map { max($0 - tableView.clock(), 0) }
  }

  /// The number of objects, the filter and the order.
  open override var facts: [String] {
    let count = groupedDigits(tableView.numberOfRows) + (isPartial ? " …" : "")
    var facts = [count]
    if let filter = provider.displayedRequest?.filter { facts = ["“\(filter.text)”: \(count)"] }
    if isEditing { facts.append("editing") }
    if let order {
      let isDescending = provider.sortDescriptors.first?.ascending == false
      facts.append("by \(order.title) \(isDescending ? "↓" : "↑")")
    }
    return facts
  }

  /// The number of selected rows.
  open override var status: String {
    let count = tableView.selection.count
    return count == 0 ? "" : "\(groupedDigits(count)) selected"
  }

  /// The numbers of unsaved changes, and the position of the cursor in the list.
  open override var counters: String {
    let changes = provider.managedObjectContext.changeCounts
    var parts = [
      StatusLine.counters(
        deleted: changes.deleted, changed: changes.updated, inserted: changes.inserted)
    ]
    if let row = tableView.cursorRow {
      let (number, count) = (row + 1, tableView.numberOfRows)
      parts.append("\(groupedDigits(number))/\(groupedDigits(count))  \(number * 100 / count)%")
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }

  // MARK: Keys

  /// Moving, opening, searching, sorting, selecting, changing.
  open override var keyCommands: [KeyCommand] {
    motionCommands + searchCommands + viewCommands + changeCommands + super.keyCommands
  }

  /// Moves to a clicked row or section; a double click opens, the wheel scrolls.
  open override func handle(_ event: MouseEvent) { tableView.handle(event) }

  /// Starts or ends edit mode; does nothing without ``hasEditMode``.
  open func setEditing(_ isEditing: Bool) {
    guard hasEditMode else { return }
    self.isEditing = isEditing
    if !isEditing { provider.selectNone() }
  }
}
