public import FetchedResults
public import ManagedObjects
package import ObjectModel
public import TerminalKit

/// Fills a table or grid view with the results of a fetch and keeps it up to date.
///
///     let provider = TableViewProvider<Event>(display: Event.timeStamp, context: context)
///     provider.attach(to: tableView)
///     provider.performFetchAndReloadTableView()
///
/// Its ``delegate`` customises cells, headers and what can be selected and deleted. It is generic over
/// the class of the objects; where that is not known, as for an entity that a person chooses, it is
/// `TableViewProvider<ManagedObject>`.
@MainActor
public final class TableViewProvider<Object: ManagedObject> {
  /// The context that the objects are in.
  public var managedObjectContext: ManagedObjectContext {
    fetchedResultsController.managedObjectContext
  }

  /// Customises the provider; nil for the defaults.
  public weak var delegate: (any TableViewProviderDelegate<Object>)?

  /// The table or grid view; held weakly.
  public private(set) weak var tableView: TableView?

  /// The controller of the list that the table shows.
  public let fetchedResultsController: FetchedResultsController<Object>

  /// The cell that every row starts from, before its text and flag are set.
  public var prototypeCell = TableCell() { didSet { showSettings() } }
  /// The style of cells.
  public var cellStyle: TableCell.CellStyle {
    get { prototypeCell.style }
    set { prototypeCell.style = newValue }
  }
  /// The sign at the right edge of cells.
  public var accessory: TableCell.Accessory {
    get { prototypeCell.accessory }
    set { prototypeCell.accessory = newValue }
  }
  /// The lines shown in the middle of an empty table.
  public var emptyText: [String] = [] { didSet { tableView?.emptyText = emptyText } }
  /// Whether a selected row is deselected at once.
  public var deselectsAutomatically = true
  /// Whether a delete is followed by a save.
  ///
  /// If false, the object is still deleted, unsaved.
  public var saveContextAfterEditing = true
  /// Whether any change reloads the table, instead of updating it row by row.
  public var reloadsEntireTableViewForAnyChange = false

  /// The last error, of a fetch, a deletion or a save; nil after a success.
  public var mostRecentError: (any Error)? { fetchedResultsController.mostRecentError }

  /// Called with each error, before the delegate: for the screen that shows the table.
  package var failed: (any Error) -> Void = { _ in }
  /// Called when the list has changed and the table shows it, before the delegate.
  package var listChanged: () -> Void = {}
  /// Called when a commit of another program has removed the object under the cursor from the rows
  /// that a windowed list holds: it was deleted, or has moved within the list.
  package var cursorObjectLeft: (ObjectID) -> Void = { _ in }

  let adapter = TableViewAdapter<Object>()
  private let defaultDelegate = DefaultDelegate<Object>()

  /// Makes a provider for all objects of an entity.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - displayAttributeName: The attribute whose value a row shows, and which the list is sorted
  ///     by;
  ///     nil for the entity's own.
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
  ///   - fetchRequest: What the list shows; without sort descriptors it is sorted by the display
  ///     attribute.
  ///   - displayAttributeName: The attribute whose value a row shows; nil for the entity's own.
  ///   - context: The context that the objects are in.
  public init(
    fetchRequest: FetchRequest<Object>, displayAttributeName: String? = nil,
    context: ManagedObjectContext
  ) {
    fetchedResultsController = FetchedResultsController(
      Self.request(
        fetchRequest, displayAttributeName: displayAttributeName, in: context.model),
      context: context)
    adapter.provider = self
    fetchedResultsController.delegate = adapter
  }

  /// Makes a provider for all objects of a class.
  ///
  /// - Parameters:
  ///   - display: The attribute whose value a row shows, and which the list is sorted by; not one of
  ///     a related object.
  ///   - context: The context that the objects are in.
  public convenience init<Attribute>(
    display: AttributeKey<Object, Attribute>, context: ManagedObjectContext
  ) where Object: EntityClass {
    precondition(
      display.path.count == 1,
      "A row shows an attribute of its own object, not \(display.keyPath): configure the cell.")
    self.init(
      fetchRequest: FetchRequest(), displayAttributeName: display.name, context: context)
  }

  // MARK: The table

  /// Shows the list in a table or grid view: sets its data source and delegate.
  ///
  /// A view that it was attached to before is detached; the new one takes over its cursor and
  /// selection.
  public func attach(to tableView: TableView) {
    let old = self.tableView === tableView ? nil : self.tableView
    old?.dataSource = nil
    old?.delegate = nil
    self.tableView = tableView
    tableView.dataSource = adapter
    tableView.delegate = adapter
    showSettings()
    tableView.emptyText = emptyText
    if let old { tableView.reloadData(replacing: old) }
  }

  /// Fetches the whole list and shows it.
  ///
  /// An error is kept in ``mostRecentError`` and reported; the old rows stay.
  public func performFetchAndReloadTableView() {
    reportingErrors {
      try fetchedResultsController.performFetch()
      reloadTableView()
    }
  }

  /// Shows the results of a background fetch; call it after a wake.
  ///
  /// - Returns: Whether there were any results.
  @discardableResult
  public func takeBackgroundResults() -> Bool {
    let isNew = fetchedResultsController.takeBackgroundResults()
    // What has not come with all rows does not come, even if they are those that were shown.
    if isNew, fetchedResultsController.fetchState == .complete { adapter.awaited = nil }
    // The sections may have been looked up.
    if isNew, fetchedResultsController.isWindowed { tableView?.reloadSectionIndex() }
    return isNew
  }

  /// Whether changes are only collected, as while a screen is hidden.
  ///
  /// Setting it to false shows them.
  package var isSuspended: Bool {
    get { fetchedResultsController.isSuspended }
    set {
      fetchedResultsController.isSuspended = newValue
      if !newValue { takeBackgroundResults() }
    }
  }

  /// Runs a throwing closure; an error is kept and reported, success clears the last error.
  func reportingErrors(_ body: () throws -> Void) {
    do {
      try body()
      fetchedResultsController.mostRecentError = nil
    } catch {
      fetchedResultsController.report(error)
    }
  }

  /// The delegate, or the default implementations.
  var currentDelegate: any TableViewProviderDelegate<Object> { delegate ?? defaultDelegate }

  func reloadTableView() {
    guard let tableView else { return }
    tableView.reloadData(cursor: tableView.cursor, selection: tableView.selection)
  }

  private func showSettings() {
    guard let tableView else { return }
    tableView.rowHeight = cellStyle == .subtitle ? 2 : 1
    reloadTableView()
  }
}
