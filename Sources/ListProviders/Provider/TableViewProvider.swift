public import FetchedResults
public import ManagedObjects
import ObjectModel
public import TerminalKit

/// Makes a table show a fetch and follow it, with no code of one's own.
///
///     let provider = TableViewProvider(entityName: "Event", displayAttributeName: "timeStamp", context: context)
///     provider.attach(to: tableView)
///     provider.performFetchAndReloadTableView()
///
/// What it asks and tells can be changed by a subclass or by ``hooks``.
@MainActor
open class TableViewProvider {
  /// The context that the objects are in.
  public let managedObjectContext: ManagedObjectContext

  /// What is asked and told, for those who do not make a subclass.
  public var hooks = TableViewProviderHooks()

  /// The table; not held.
  public private(set) weak var tableView: TableView?

  /// The list that the table shows.
  public private(set) var fetchedResultsController: FetchedResultsController<ManagedObject>

  /// The attribute whose value a row shows; nil for empty cells.
  ///
  /// As long as ``sortDescriptors`` were not set, it is the order too.
  public var displayAttributeName: String? {
    didSet {
      guard displayAttributeName != oldValue else { return }
      follow()
      reloadTableView()
    }
  }

  /// The style of cells.
  public var cellStyle: TableCell.CellStyle = .standard { didSet { showSettings() } }
  /// The sign at the right edge of cells.
  public var accessory: TableCell.Accessory = .none { didSet { showSettings() } }
  /// The lines that stand in the middle of a table without rows.
  public var emptyText: [String] = [] { didSet { tableView?.emptyText = emptyText } }
  /// Whether a chosen row does not stay selected.
  public var deselectsAutomatically = true
  /// Whether a delete is followed by a save.
  ///
  /// When it is not, the object is deleted all the same, unsaved.
  public var saveContextAfterEditing = true
  /// Whether the table is read anew for any change, and not row by row.
  public var reloadsEntireTableViewForAnyChange = false

  /// The last error; nil after a success.
  public internal(set) var mostRecentError: (any Error)?

  var question: Question
  let follower = TableFollower()

  /// Makes a provider for all objects of an entity.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - displayAttributeName: The attribute whose value a row shows, and the order; nil for a sensible one.
  ///   - context: The context that the objects are in.
  public convenience init(
    entityName: String, displayAttributeName: String? = nil, context: ManagedObjectContext
  ) {
    self.init(
      fetchRequest: FetchRequest(entityName: entityName),
      displayAttributeName: displayAttributeName, context: context)
  }

  /// Makes a provider for a fetch request.
  ///
  /// - Parameters:
  ///   - fetchRequest: What the list shows; without sort descriptors it is ordered by the display attribute.
  ///   - displayAttributeName: The attribute whose value a row shows; nil for a sensible one.
  ///   - context: The context that the objects are in.
  public init(
    fetchRequest: FetchRequest<ManagedObject>, displayAttributeName: String? = nil,
    context: ManagedObjectContext
  ) {
    managedObjectContext = context
    self.displayAttributeName =
      displayAttributeName
      ?? context.model.entity(named: fetchRequest.entityName)?.displayAttributeName
    question = Question(request: fetchRequest)
    fetchedResultsController = FetchedResultsController(
      fetchRequest: fetchRequest, context: context)
    follower.provider = self
    observeController()
  }

  // MARK: The table

  /// Becomes the data source and delegate of a table, which shows the list from now on.
  public func attach(to tableView: TableView) {
    self.tableView = tableView
    tableView.dataSource = follower
    tableView.delegate = follower
    showSettings()
    tableView.emptyText = emptyText
  }

  /// Fetches the whole list and shows it.
  ///
  /// An error is kept in ``mostRecentError`` and told; the old rows stay.
  public func performFetchAndReloadTableView() {
    telling {
      try prepareController()
      try fetchedResultsController.performFetch()
      reloadTableView()
    }
  }

  /// Fetches and shows the first rows, and fetches all of them in the background.
  ///
  /// - Parameters:
  ///   - firstScreen: How many rows to fetch at once.
  ///   - wake: Called on another thread when ``poll()`` has something to show.
  public func performFetchAndReloadTableView(
    firstScreen: Int, wake: @escaping @Sendable () -> Void
  ) {
    telling {
      try prepareController()
      try fetchedResultsController.performFetch(firstScreen: firstScreen, wake: wake)
      reloadTableView()
    }
  }

  /// Shows what a background fetch has brought; call it after a wake.
  ///
  /// - Returns: Whether there was anything.
  @discardableResult
  public func poll() -> Bool {
    let isTaken = fetchedResultsController.takeBackgroundResults()
    if isTaken {
      followQuestion()
      if fetchedResultsController.mostRecentError == nil { mostRecentError = nil }
    }
    return isTaken
  }

  /// Whether changes are gathered and not followed, as while a screen is hidden.
  ///
  /// Setting it to false catches up.
  public var isSuspended: Bool {
    get { fetchedResultsController.isSuspended }
    set {
      fetchedResultsController.isSuspended = newValue
      if !newValue { poll() }
    }
  }

  /// Does something that may fail; its error is kept and told, its success clears the last one.
  func telling(_ body: () throws -> Void) {
    do {
      try body()
      mostRecentError = nil
    } catch {
      tell(error)
    }
  }

  func tell(_ error: any Error) {
    mostRecentError = error
    encounteredError(error)
  }

  /// Puts a new controller in the place of the old one: for another entity.
  func replaceController() {
    let isSuspended = fetchedResultsController.isSuspended
    fetchedResultsController.cancelFetch()
    fetchedResultsController = FetchedResultsController(
      fetchRequest: question.request, context: managedObjectContext)
    fetchedResultsController.isSuspended = isSuspended
    observeController()
  }

  private func reloadTableView() {
    guard let tableView else { return }
    tableView.reloadData(cursor: tableView.cursor, selection: tableView.selection)
  }

  private func observeController() { fetchedResultsController.delegate = follower }

  private func showSettings() {
    guard let tableView else { return }
    tableView.rowHeight = cellStyle == .subtitle ? 2 : 1
    reloadTableView()
  }

  // MARK: To override

  /// Changes a cell that shows the display attribute already; the style too.
  open func configureCell(_ cell: inout TableCell, for object: ManagedObject) {
    hooks.configureCell?(&cell, object)
  }

  /// Whether a row can be deleted.
  open func canEditRow(for object: ManagedObject) -> Bool { hooks.canEditRow?(object) ?? true }

  /// Whether an object is to be deleted now.
  open func shouldDelete(_ object: ManagedObject) -> Bool { hooks.shouldDelete?(object) ?? true }

  /// Whether a row can be chosen.
  open func shouldSelect(_ object: ManagedObject) -> Bool { hooks.shouldSelect?(object) ?? true }

  /// Is told that a row was chosen.
  open func objectWasSelected(_ object: ManagedObject) { hooks.objectWasSelected?(object) }

  /// Is told that the accessory of a row was chosen.
  open func accessoryWasSelected(_ object: ManagedObject) { hooks.accessoryWasSelected?(object) }

  /// Is told of every error.
  open func encounteredError(_ error: any Error) { hooks.encounteredError?(error) }

  /// The title in a section's header.
  open func headerTitle(forSectionName name: String) -> String? {
    if let hook = hooks.headerTitle { return hook(name) }
    return name
  }

  /// The text below a section.
  open func footerTitle(forSectionName name: String) -> String? { hooks.footerTitle?(name) ?? nil }

  /// The title of a section in the index strip; nil leaves the section out.
  open func indexTitle(forSectionName name: String) -> String? {
    if let hook = hooks.indexTitle { return hook(name) }
    return SectionIndex.title(forSectionName: name)
  }

  /// Is told that the list is about to change.
  open func willChangeContent() { hooks.willChangeContent?() }

  /// Is told that the list has changed, after the table has followed.
  open func didChangeContent(_ change: ResultsChange, origin: ChangeOrigin) {
    hooks.didChangeContent?(change, origin)
  }
}
