import FetchedResults
import ManagedObjects
import ObjectModel
import RowOutput
import TerminalApplications

/// The values of columns over all rows that a list shows, unsaved changes included, for work that
/// reads them in the background.
nonisolated struct ShownRows: Sendable {
  /// Where the objects come from, in the order of the list.
  enum Objects: Sendable {
    case held(ObjectIDList)
    /// They are looked up, those of a windowed list: about how many there are.
    case lookedUp(ListRowReading, about: Int)
  }

  let objects: Objects
  let columns: [OutputColumn]
  /// The rows of objects with unsaved changes.
  fileprivate let unsaved: [ObjectID: OutputRow]
  fileprivate let form: ValueForm
  let store: any PersistentStore

  private static let batchSize = 1000

  /// How many objects there are, at least about.
  var count: Int {
    switch objects {
    case .held(let ids): ids.count
    case .lookedUp(_, let count): count
    }
  }

  /// How many objects were gone when so many were read: none of those that are looked up.
  func goneCount(_ readCount: Int) -> Int {
    if case .held(let ids) = objects { ids.count - readCount } else { 0 }
  }

  private func forEachBatch(_ control: FetchControl, _ body: ([ObjectID]) throws -> Void) throws {
    switch objects {
    case .held(let ids): for chunk in ids.chunks(of: Self.batchSize) { try body(Array(chunk)) }
    case .lookedUp(let read, _): try read(Self.batchSize, control) { try body(Array($0)) }
    }
  }

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
      var readCount = 0
      try forEachBatch(control) { batch in
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
        readCount += batch.count
        control.report(completed: readCount, total: max(count, readCount))
      }
      return result
    }
  }
}

extension ListScreen {
  /// The rows that are shown, with the values of some columns; nil if nothing was fetched.
  ///
  /// Of a windowed list these are all rows as they are stored, without unsaved changes.
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
    var objects = ShownRows.Objects.held(ids)
    if let reading = controller.rowReading() {
      objects = .lookedUp(reading, about: controller.listCount?.count ?? 0)
    }
    return ShownRows(
      objects: objects, columns: columns, unsaved: unsaved, form: form, store: session.store)
  }
}
