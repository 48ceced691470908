public import ManagedObjects
public import TerminalKit

/// A grid view and its provider, described by a data source: a superclass for screens.
///
/// It is a ``TableListController`` whose cells lie side by side; the same data source describes
/// either.
@MainActor
open class GridListController<Object: ManagedObject>: TableListController<Object> {
  /// The grid view.
  public let gridView: GridView

  /// Makes a list controller.
  ///
  /// - Parameters:
  ///   - dataSource: Describes the list.
  ///   - gridView: The grid view.
  ///   - context: Makes the context for a model name, as a stack factory does.
  /// - Throws: What `context` throws.
  public init(
    dataSource: any TableListDataSource<Object>, gridView: GridView = GridView(),
    context: (_ modelName: String) throws -> ManagedObjectContext
  ) throws {
    self.gridView = gridView
    try super.init(dataSource: dataSource, tableView: gridView, context: context)
  }
}
