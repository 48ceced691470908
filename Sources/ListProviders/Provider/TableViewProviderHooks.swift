public import FetchedResults
public import ManagedObjects
public import ObjectModel
public import TerminalKit

/// What a ``TableViewProvider`` asks and tells, for those who do not make a subclass of it.
///
/// A hook that is nil leaves the default.
@MainActor
public struct TableViewProviderHooks {
  /// Changes a cell that shows the display attribute already.
  public var configureCell: ((inout TableCell, ManagedObject) -> Void)?
  /// Whether a row can be deleted; true by default.
  public var canEditRow: ((ManagedObject) -> Bool)?
  /// Whether an object is to be deleted now; true by default.
  public var shouldDelete: ((ManagedObject) -> Bool)?
  /// Whether a row can be chosen; true by default.
  public var shouldSelect: ((ManagedObject) -> Bool)?
  /// Is told that a row was chosen.
  public var objectWasSelected: ((ManagedObject) -> Void)?
  /// Is told that the accessory of a row was chosen.
  public var accessoryWasSelected: ((ManagedObject) -> Void)?
  /// Is told of every error.
  public var encounteredError: ((any Error) -> Void)?
  /// The title in a section's header; by default the section's name, and no headers without a section key.
  public var headerTitle: ((_ sectionName: String) -> String?)?
  /// The text at the right of a section's header, from its name and count; by default the count.
  public var headerDetail: ((_ sectionName: String, _ count: Int) -> String?)?
  /// The text below a section; by default none.
  public var footerTitle: ((_ sectionName: String) -> String?)?
  /// The title of a section in the index strip; nil leaves the section out.
  ///
  /// By default the capitalised first letter.
  public var indexTitle: ((_ sectionName: String) -> String?)?
  /// Is told that the list is about to change.
  public var willChangeContent: (() -> Void)?
  /// Is told that the list has changed, after the table has followed.
  public var didChangeContent: ((ResultsChange, ChangeOrigin) -> Void)?
  /// Is told that the cursor stands on another row, or on none.
  public var didMoveCursor: ((TablePath?) -> Void)?
  /// Is told which objects will be drawn, after their rows were read: the time to read what they lead to, together.
  public var willDisplay: (([ObjectID]) -> Void)?

  /// Makes hooks that are all nil.
  public init() {}
}
