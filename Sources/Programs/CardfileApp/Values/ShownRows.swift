import FetchedResults
import ManagedObjects
import ObjectModel
import RowOutput
import TerminalApplications

/// The values of columns over all rows that a list shows, unsaved changes included, for work that
/// reads them in the background.
nonisolated struct ShownRows: Sendable {
  /// The objects in the order of the list.
  let ids: ObjectIDList
  let columns: [OutputColumn]
  /// The rows of objects with unsaved changes.
  fileprivate let unsaved: [ObjectID: OutputRow]
  fileprivate let form: ValueForm
  let store: any PersistentStore

  private static let batchSize = 1000

  /// Combines the rows, read in one transaction; objects that are gone are left out.
  ///
  /// - Parameters:
  ///   - initial: The result before the first row; reading may begin anew.
  ///   - control: Gets the progress, and stops the reading.
  ///   - add: Adds a row, with a field for each column: titles in place of objects, counts in place
  ///     of many.
  /// - Returns: The result.
  /// - Throws: `StoreError`, also when it is stopped; what the closures throw.
  func reduce<Result>(
    into initial: @autoclosure () throws -> Result, _ control: FetchControl,
    _ add: (inout Result, OutputRow) throws -> Void
  ) throws -> Result {
    try store.inReadTransaction {
      var result = try initial()
      var reader = OutputRowReader(store, columns: .fixed(columns), form: form)
      var titles = ObjectTitles(store)
      for chunk in ids.chunks(of: Self.batchSize) {
        let batch = Array(chunk)
        if control.isCancelled { throw StoreError(.cancelled, doing: "reading rows") }
        var rows: [ObjectID: OutputRow] = [:]
        for id in batch { rows[id] = unsaved[id] }
        try reader.forEachRow(of: ObjectIDList(batch.filter { rows[$0] == nil })) { row in
          if let id = row.id { rows[id] = row }
        }
        try titles.read(rows.values)
        for id in batch {
          guard var row = rows[id] else { continue }
          row.fields = row.fields.map(titles.shown)
          try add(&result, row)
        }
        control.report(completed: chunk.endIndex, total: ids.count)
      }
      return result
    }
  }
}

extension ListScreen {
  /// The rows that are shown, with the values of some columns; nil if nothing was fetched.
  ///
  /// While a fetch is under way these are the rows so far: see `controller.fetchState`.
  func shownRows(_ columns: [ListColumn]) -> ShownRows? {
    guard let ids = controller.results?.ids else { return nil }
    let form = session.services.decodesValues ? ValueForm.logical : .stored
    let columns = columns.map(\.outputColumn)
    let changed = session.context.updatedObjects + session.context.insertedObjects
    var unsaved: [ObjectID: OutputRow] = [:]
    for object in changed where ids.index(of: object.objectID) != nil {
      unsaved[object.objectID] = ObjectText.row(of: object, columns: columns, form: form)
    }
    return ShownRows(
      ids: ids, columns: columns, unsaved: unsaved, form: form, store: session.store)
  }
}
