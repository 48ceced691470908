import FetchedResults
public import ManagedObjects
public import ObjectModel
public import TerminalKit

/// A list with its table, described by a data source: a superclass for screens.
///
/// The data source is the provider's delegate. A subclass can be the delegate itself: it conforms to
/// ``TableViewProviderDelegate`` and sets `provider.delegate`.
@MainActor
open class TableListController {
  /// The table.
  public let tableView: TableView
  /// What makes the table show the list.
  public let provider: TableViewProvider

  private let dataSource: any TableListDataSource

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - dataSource: Says what is listed.
  ///   - tableView: The table.
  ///   - context: Gives the context of a model's name, as a stack factory does.
  /// - Throws: What making the context throws.
  public init(
    dataSource: any TableListDataSource, tableView: TableView = TableView(),
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

  /// The condition; nil for none, which is not the default one.
  ///
  /// The list follows.
  public var predicate: FetchPredicate? {
    get { provider.fetchPredicate }
    set { provider.fetchPredicate = newValue }
  }

  /// The order.
  ///
  /// The list follows.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { provider.sortDescriptors }
    set { provider.sortDescriptors = newValue }
  }

  /// Goes back to the data source's condition and order.
  public func useDefaults() {
    provider.fetchPredicate = dataSource.defaultPredicate
    provider.sortDescriptors = dataSource.defaultSortDescriptors
  }

  /// Shows the list, and follows what happened while it was hidden.
  open func willAppear() {
    tableView.isHidden = false
    if provider.fetchState == .notFetched {
      provider.performFetchAndReloadTableView()
    } else {
      provider.isSuspended = false
    }
  }

  /// Stops following until the list is shown again.
  open func didDisappear() {
    tableView.isHidden = true
    provider.isSuspended = true
  }
}
