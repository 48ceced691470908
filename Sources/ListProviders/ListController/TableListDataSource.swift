public import ObjectModel

/// Describes the list of a ``TableListController``, and is its provider's delegate.
@MainActor
public protocol TableListDataSource: TableViewProviderDelegate {
  /// The name of the model whose context the objects are in.
  var modelName: String { get }
  /// The entity.
  var entityName: String { get }
  /// The condition as long as no other is set; nil for all objects.
  var defaultPredicate: FetchPredicate? { get }
  /// The order as long as no other is set; empty for the display attribute's.
  var defaultSortDescriptors: [FetchSortDescriptor] { get }
  /// The identifier of the cell that rows start from; see
  /// ``TableListController/register(_:forCellIdentifier:)``.
  var cellIdentifier: String { get }
}

extension TableListDataSource {
  /// All objects.
  public var defaultPredicate: FetchPredicate? { nil }
  /// By the display attribute.
  public var defaultSortDescriptors: [FetchSortDescriptor] { [] }
  /// The plain cell.
  public var cellIdentifier: String { "" }
}
