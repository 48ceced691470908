import FetchedResults
public import ManagedObjects
public import ObjectModel
public import TerminalKit

/// A table view and its provider, described by a data source: a superclass for screens.
///
/// The data source is the provider's delegate. A subclass can be the delegate itself: it conforms
/// to ``TableViewProviderDelegate`` and sets `provider.delegate`.
@MainActor
open class TableListController<Object: ManagedObject> {
  /// The table view.
  public let tableView: TableView
  /// The provider that fills the table view.
  public let provider: TableViewProvider<Object>

  private let dataSource: any TableListDataSource<Object>

  /// Makes a list controller.
  ///
  /// - Parameters:
  ///   - dataSource: Describes the list.
  ///   - tableView: The table view.
  ///   - context: Makes the context for a model name, as a stack factory does.
  /// - Throws: What `context` throws.
  public init(
    dataSource: any TableListDataSource<Object>, tableView: TableView = TableView(),
    context: (_ modelName: String) throws -> ManagedObjectContext
  ) throws {
    self.dataSource = dataSource
    self.tableView = tableView
    provider = TableViewProvider(
      fetchRequest: FetchRequest(
        entityName: dataSource.entityName, predicate: dataSource.defaultPredicate,
        sortDescriptors: dataSource.defaultSortDescriptors),
      context: try context(dataSource.modelName))
    provider.delegate = dataSource
    provider.attach(to: tableView)
  }

  /// Registers a cell: rows start from the one with the data source's identifier.
  public func register(_ cell: TableCell, forCellIdentifier identifier: String) {
    if identifier == dataSource.cellIdentifier { provider.prototypeCell = cell }
  }

  /// The predicate; nil for none, not for the default one.
  ///
  /// Setting it fetches.
  public var predicate: FetchPredicate? {
    get { provider.fetchPredicate }
    set { provider.fetchPredicate = newValue }
  }

  /// The order.
  ///
  /// Setting it fetches.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { provider.sortDescriptors }
    set { provider.sortDescriptors = newValue }
  }

  /// Resets predicate and order to the data source's.
  package func useDefaults() {
    provider.fetchPredicate = dataSource.defaultPredicate
    provider.sortDescriptors = dataSource.defaultSortDescriptors
  }

  /// Shows the list, with the changes made while it was hidden.
  open func willAppear() {
    tableView.isHidden = false
    if provider.fetchedResultsController.fetchState == .notFetched {
      provider.performFetchAndReloadTableView()
    } else {
      provider.isSuspended = false
    }
  }

  /// Hides the list, which collects changes until it is shown again.
  open func didDisappear() {
    tableView.isHidden = true
    provider.isSuspended = true
  }
}
