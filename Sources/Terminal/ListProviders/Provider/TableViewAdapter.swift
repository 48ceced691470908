import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit

/// Connects a results controller to a table view: the delegate of the former, data source and
/// delegate of the latter.
///
/// It keeps these conformances out of the provider's public interface.
@MainActor
final class TableViewAdapter<Object: ManagedObject> {
  weak var provider: TableViewProvider<Object>?
  /// The objects of which the cursor returns to the first that the list has once all rows are
  /// fetched, and the cursor until then.
  ///
  /// Nil if the first rows have the cursor's object.
  var awaited: (ids: [ObjectID], cursor: TablePath?)?
  /// The selected objects that the list does not have: they do not match its request, or have not
  /// been fetched.
  var hiddenSelection: Set<ObjectID> = []
  /// The request all objects of which are selected by its condition, whether they are held or not;
  /// nil if objects are selected one by one.
  var allSelected: ListRequest?
  /// Whether the next list that is fetched is shown from its first row.
  var showsFirstRow = false
  /// The part of the list that is shown from its first row once it has been fetched; nil for none.
  var awaitedPart: ListPart?

  /// The titles of the index strip: of all sections of a windowed list, once they are looked up.
  private var stripIndex: SectionIndex?

  var controller: FetchedResultsController<Object>? { provider?.fetchedResultsController }
  var list: ResultsSections? { controller?.results }
  /// The list before the change that is being reported.
  var oldList: ResultsSections? { controller?.previous }
}

extension TableViewAdapter: TableViewDataSource {
  func numberOfSections(in tableView: TableView) -> Int { list?.sectionCount ?? 0 }

  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    list?.count(inSection: section) ?? 0
  }

  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    guard let provider, let object = provider.object(at: path) else { return TableCell() }
    return provider.cell(for: object)
  }

  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    guard let provider, let list, list.isSectioned, list.names.indices.contains(section) else {
      return nil
    }
    return provider.currentDelegate.provider(
      provider, titleForHeaderOfSection: list.names[section])
  }

  func tableView(_ tableView: TableView, detailForHeaderInSection section: Int) -> String? {
    guard let provider, let list, list.names.indices.contains(section) else { return nil }
    return provider.currentDelegate.provider(
      provider, detailForHeaderOfSection: list.names[section],
      count: list.count(inSection: section))
  }

  func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String? {
    guard let provider, let list, list.names.indices.contains(section) else { return nil }
    return provider.currentDelegate.provider(
      provider, titleForFooterOfSection: list.names[section])
  }

  func sectionIndexTitles(for tableView: TableView) -> [String] {
    guard list?.isSectioned == true else { return [] }
    stripIndex = controller?.wholeSectionIndex ?? controller?.sectionIndex
    return stripIndex?.titles ?? []
  }

  func tableView(
    _ tableView: TableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { stripIndex?.section(for: title, at: index) ?? 0 }
}

extension TableViewAdapter: TableViewDelegate {
  func tableView(_ tableView: TableView, willSelectRowAt path: TablePath) -> TablePath? {
    guard let provider, let object = provider.object(at: path) else { return nil }
    return provider.currentDelegate.provider(provider, shouldSelect: object) ? path : nil
  }

  func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {
    guard let provider, let object = provider.object(at: path) else { return }
    if !provider.deselectsAutomatically, let row = tableView.row(at: path) {
      tableView.selectNone()
      tableView.setSelected(true, rows: row..<row + 1)
    }
    provider.currentDelegate.provider(provider, didSelect: object)
  }

  func tableViewDidMoveCursor(_ tableView: TableView) {
    showsFirstRow = false
    awaitedPart = nil
    guard let provider else { return }
    // Rows that come before it is drawn must not let go of its row.
    if let row = tableView.cursorRow, list?.ids.indices.contains(row) == true {
      controller?.look(at: row..<row + 1)
    }
    provider.currentDelegate.provider(provider, didMoveCursorTo: tableView.cursor)
  }

  /// Reads the visible rows and as many before and after them in one query, if one is a fault.
  func tableView(_ tableView: TableView, willDisplayRows rows: Range<Int>) {
    guard let provider, let controller, let list else { return }
    let visible = rows.clamped(to: list.ids.indices)
    controller.look(at: visible)
    if tableView.isSectionIndexVisible { controller.lookSectionsUp() }
    let ids = Array(list.ids[visible])
    if ids.contains(where: { provider.managedObjectContext.object(with: $0).isFault }) {
      controller.prefetch(visible.lowerBound - visible.count..<visible.upperBound + visible.count)
    }
    provider.currentDelegate.provider(provider, willDisplay: ids)
  }
}
