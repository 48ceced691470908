public import ManagedObjects
public import ObjectModel
public import TerminalKit

/// Says what a ``TableListController`` lists.
@MainActor
public protocol TableListDataSource: AnyObject {
  /// The name of the model whose context the objects are in.
  var modelName: String { get }
  /// The entity.
  var entityName: String { get }
  /// The condition as long as no other is set; nil for all objects.
  var defaultPredicate: FetchPredicate? { get }
  /// The order as long as no other is set; empty for the display attribute's.
  var defaultSortDescriptors: [FetchSortDescriptor] { get }
  /// The name of the cell that rows begin with; see ``TableListController/register(_:forCellIdentifier:)``.
  var cellIdentifier: String { get }
  /// Fills a row's cell.
  func configureCell(_ cell: inout TableCell, for object: ManagedObject)
}

extension TableListDataSource {
  /// All objects.
  public var defaultPredicate: FetchPredicate? { nil }
  /// By the display attribute.
  public var defaultSortDescriptors: [FetchSortDescriptor] { [] }
  /// The plain cell.
  public var cellIdentifier: String { "" }
  /// Leaves the value of the display attribute.
  public func configureCell(_ cell: inout TableCell, for object: ManagedObject) {}
}
