public import FetchedResults
public import ManagedObjects
public import ObjectModel
public import TerminalKit

/// Customises a ``TableViewProvider``, and is notified of what happens in its table.
///
/// Every method has a default implementation.
@MainActor
public protocol TableViewProviderDelegate<Object>: AnyObject {
  /// The class of the objects; `ManagedObject` if no method determines it.
  associatedtype Object: ManagedObject = ManagedObject

  /// Configures a cell, style included; its text is the value of the display attribute.
  func provider(
    _ provider: TableViewProvider<Object>, configureCell cell: inout TableCell, for object: Object)
  /// Whether a row can be deleted; true by default.
  func provider(_ provider: TableViewProvider<Object>, canEditRowFor object: Object) -> Bool
  /// Whether an object is to be deleted now; true by default.
  func provider(_ provider: TableViewProvider<Object>, shouldDelete object: Object) -> Bool
  /// Whether a row can be selected; true by default.
  func provider(_ provider: TableViewProvider<Object>, shouldSelect object: Object) -> Bool
  /// A row was selected.
  func provider(_ provider: TableViewProvider<Object>, didSelect object: Object)
  /// A fetch, a deletion or a save failed.
  func provider(_ provider: TableViewProvider<Object>, didFailWith error: any Error)
  /// The title in a section's header; nil for none.
  ///
  /// By default the section's name. Without a section key there are no headers.
  func provider(_ provider: TableViewProvider<Object>, titleForHeaderOfSection name: String)
    -> String?
  /// The text at the right of a section's header; nil for none.
  ///
  /// By default the number of objects in the section.
  func provider(
    _ provider: TableViewProvider<Object>, detailForHeaderOfSection name: String, count: Int
  ) -> String?
  /// The text below a section; nil, the default, for none.
  func provider(_ provider: TableViewProvider<Object>, titleForFooterOfSection name: String)
    -> String?
  /// The title of a section in the index strip; nil leaves the section out.
  ///
  /// By default the capitalised first letter.
  func provider(_ provider: TableViewProvider<Object>, indexTitleForSection name: String) -> String?
  /// The list is about to change.
  func providerWillChangeContent(_ provider: TableViewProvider<Object>)
  /// The list has changed, and the table shows it.
  func provider(
    _ provider: TableViewProvider<Object>, didChangeContent change: ResultsChange,
    origin: ChangeOrigin)
  /// The cursor moved to another row; nil if there are no rows.
  func provider(_ provider: TableViewProvider<Object>, didMoveCursorTo path: TablePath?)
  /// Objects are about to be drawn, and their rows were read: prefetch related objects here.
  func provider(_ provider: TableViewProvider<Object>, willDisplay ids: [ObjectID])
}

extension TableViewProviderDelegate {
  /// Leaves the cell as it is.
  public func provider(
    _ provider: TableViewProvider<Object>, configureCell cell: inout TableCell, for object: Object
  ) {}
  /// True.
  public func provider(_ provider: TableViewProvider<Object>, canEditRowFor object: Object) -> Bool
  {
    true
  }
  /// True.
  public func provider(_ provider: TableViewProvider<Object>, shouldDelete object: Object) -> Bool {
    true
  }
  /// True.
  public func provider(_ provider: TableViewProvider<Object>, shouldSelect object: Object) -> Bool {
    true
  }
  /// Does nothing.
  public func provider(_ provider: TableViewProvider<Object>, didSelect object: Object) {}
  /// Does nothing; the error is ``TableViewProvider/mostRecentError``.
  public func provider(_ provider: TableViewProvider<Object>, didFailWith error: any Error) {}
  /// The section's name.
  public func provider(
    _ provider: TableViewProvider<Object>, titleForHeaderOfSection name: String
  ) -> String? { name }
  /// The number of objects in the section.
  public func provider(
    _ provider: TableViewProvider<Object>, detailForHeaderOfSection name: String, count: Int
  ) -> String? { groupedDigits(count) }
  /// Nil.
  public func provider(
    _ provider: TableViewProvider<Object>, titleForFooterOfSection name: String
  ) -> String? { nil }
  /// The capitalised first letter.
  public func provider(
    _ provider: TableViewProvider<Object>, indexTitleForSection name: String
  ) -> String? { SectionIndex.title(forSectionName: name) }
  /// Does nothing.
  public func providerWillChangeContent(_ provider: TableViewProvider<Object>) {}
  /// Does nothing.
  public func provider(
    _ provider: TableViewProvider<Object>, didChangeContent change: ResultsChange,
    origin: ChangeOrigin
  ) {}
  /// Does nothing.
  public func provider(_ provider: TableViewProvider<Object>, didMoveCursorTo path: TablePath?) {}
  /// Does nothing.
  public func provider(_ provider: TableViewProvider<Object>, willDisplay ids: [ObjectID]) {}
}

/// The default implementations, for a provider without a delegate.
@MainActor
final class DefaultDelegate<Object: ManagedObject>: TableViewProviderDelegate {}
