public import ManagedObjects
public import ObjectModel

/// Describes the list of a ``TableListController``, and is its provider's delegate.
@MainActor
public protocol TableListDataSource<Object>: TableViewProviderDelegate {
  /// The name of the model whose context the objects are in.
  var modelName: String { get }
  /// The entity; that of the class if it has one.
  var entityName: String { get }
  /// The predicate until another is set; nil for all objects.
  var defaultPredicate: FetchPredicate? { get }
  /// The order until another is set; empty to sort by the display attribute.
  var defaultSortDescriptors: [FetchSortDescriptor] { get }
  /// The identifier of the cell that rows start from; see
  /// ``TableListController/register(_:forCellIdentifier:)``.
  var cellIdentifier: String { get }
}

extension TableListDataSource where Object: EntityClass {
  /// The entity of the class.
  public var entityName: String { Object.entityName }
}

extension TableListDataSource {
  /// Nil: all objects.
  public var defaultPredicate: FetchPredicate? { nil }
  /// Empty: by the display attribute.
  public var defaultSortDescriptors: [FetchSortDescriptor] { [] }
  /// "": the standard cell.
  public var cellIdentifier: String { "" }
}
