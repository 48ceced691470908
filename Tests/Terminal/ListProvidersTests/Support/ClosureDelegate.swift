import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

/// A delegate made of closures, for tests.
@MainActor
final class ClosureDelegate: TableViewProviderDelegate {
  var configureCell: (inout TableCell, ManagedObject) -> Void = { _, _ in }
  var canEditRow: (ManagedObject) -> Bool = { _ in true }
  var shouldDelete: (ManagedObject) -> Bool = { _ in true }
  var shouldSelect: (ManagedObject) -> Bool = { _ in true }
  var didSelect: (ManagedObject) -> Void = { _ in }
  var didFail: (any Error) -> Void = { _ in }
  var headerDetail: (String, Int) -> String? = { _, count in groupedDigits(count) }
  var footerTitle: (String) -> String? = { _ in nil }
  var willChangeContent: () -> Void = {}
  var didChangeContent: (ResultsChange, ChangeOrigin) -> Void = { _, _ in }
  var didMoveCursor: (TablePath?) -> Void = { _ in }
  var willDisplay: ([ObjectID]) -> Void = { _ in }

  func provider(
    _ provider: TableViewProvider<ManagedObject>, configureCell cell: inout TableCell,
    for object: ManagedObject
  ) { configureCell(&cell, object) }
  func provider(_ provider: TableViewProvider<ManagedObject>, canEditRowFor object: ManagedObject)
    -> Bool
  {
    canEditRow(object)
  }
  func provider(_ provider: TableViewProvider<ManagedObject>, shouldDelete object: ManagedObject)
    -> Bool
  {
    shouldDelete(object)
  }
  func provider(_ provider: TableViewProvider<ManagedObject>, shouldSelect object: ManagedObject)
    -> Bool
  {
    shouldSelect(object)
  }
  func provider(_ provider: TableViewProvider<ManagedObject>, didSelect object: ManagedObject) {
    didSelect(object)
  }
  func provider(_ provider: TableViewProvider<ManagedObject>, didFailWith error: any Error) {
    didFail(error)
  }
  func provider(
    _ provider: TableViewProvider<ManagedObject>, detailForHeaderOfSection name: String, count: Int
  ) -> String? { headerDetail(name, count) }
  func provider(
    _ provider: TableViewProvider<ManagedObject>, titleForFooterOfSection name: String
  ) -> String? { footerTitle(name) }
  func providerWillChangeContent(_ provider: TableViewProvider<ManagedObject>) {
    willChangeContent()
  }
  func provider(
    _ provider: TableViewProvider<ManagedObject>, didChangeContent change: ResultsChange,
    origin: ChangeOrigin
  ) { didChangeContent(change, origin) }
  func provider(_ provider: TableViewProvider<ManagedObject>, didMoveCursorTo path: TablePath?) {
    didMoveCursor(path)
  }
  func provider(_ provider: TableViewProvider<ManagedObject>, willDisplay ids: [ObjectID]) {
    willDisplay(ids)
  }
}

extension TableViewProvider {
  /// Deletes the object under the cursor; returns whether it was deleted.
  @MainActor func deleteCursorObject() -> Bool { cursorObject.map { delete($0) } ?? false }
}
