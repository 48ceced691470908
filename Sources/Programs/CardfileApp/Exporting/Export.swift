import Foundation
import ManagedObjects
import ObjectModel
import RowOutput
import Synchronization
import TerminalKit

/// Writes the rows of a list to a file in the background, in one read transaction.
nonisolated final class Export: Sendable {
  /// What is written.
  struct Request: Sendable {
    /// The objects in the order of the list.
    let ids: ObjectIDList
    let columns: [OutputColumn]
    /// The rows of objects with unsaved changes, as the list shows them.
    let unsaved: [ObjectID: OutputRow]
    let form: ValueForm
    /// How many columns there are, and how many of them the list hides.
    let columnsPhrase: String
  }

  /// What has become of an export.
  enum Outcome: Sendable {
    /// The number of rows, of objects that were gone, and of bytes.
    case written(rows: Int, gone: Int, bytes: Int)
    case cancelled
    case failed(String)
  }

  private struct State {
    var completed = 0
    var isCancelled = false
    var outcome: Outcome?
  }

  private struct Cancelled: Error {}

  let path: String
  private let request: Request
  private let format: ExportFormat
  private let target: FileTarget
  private let store: any PersistentStore
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)
  private let control = FetchControl(isPatient: true)

  private static let batchSize = 1000

  init(
    _ request: Request, to target: FileTarget, path: String, format: ExportFormat,
    store: any PersistentStore, wake: @escaping @Sendable () -> Void
  ) {
    self.request = request
    self.path = path
    self.format = format
    self.target = target
    self.store = store
    self.wake = wake
  }

  /// How many columns are written, and how many of them the list hides.
  var columnsPhrase: String { request.columnsPhrase }

  /// How many rows are written, and how many there are.
  var progress: (completed: Int, total: Int) {
    (state.withLock { $0.completed }, request.ids.count)
  }

  /// What has become of it; nil while it runs.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Stops it; nothing is left of the file.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    control.cancel()
  }

  /// Stops it before the program ends, and waits until nothing is left of the file: a batch of rows,
  /// or the last bytes on their way to the disk.
  func stop() {
    cancel()
    _ = ended.wait(timeout: .now() + .milliseconds(1500))
  }

  /// Starts writing.
  func start() {
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      let outcome = FetchControl.$current.withValue(control) { run() }
      state.withLock { $0.outcome = outcome }
      ended.signal()
      wake()
    }
  }

  private func run() -> Outcome {
    do {
      var file = try FileSink(target)
      do {
        let gone = try store.inReadTransaction { try write(to: &file) }
        if state.withLock({ $0.isCancelled }) { throw Cancelled() }
        try file.commit()
        return .written(rows: request.ids.count - gone, gone: gone, bytes: file.writtenCount)
      } catch {
        file.discard()
        throw error
      }
    } catch is Cancelled {
      return .cancelled
    } catch let error as StoreError where error.reason == .cancelled {
      return .cancelled
    } catch {
      return .failed("\(error)")
    }
  }

  /// Writes all rows; returns how many objects were gone.
  private func write(to file: inout FileSink) throws -> Int {
    try file.startOver()
    var writer = format.writer(request.columns)
    var reader = OutputRowReader(store, columns: .fixed(request.columns), form: request.form)
    var titles = ObjectTitles(store)
    var gone = 0
    for chunk in request.ids.chunks(of: Self.batchSize) {
      let batch = Array(chunk)
      if state.withLock({ $0.isCancelled }) { throw Cancelled() }
      var rows: [ObjectID: OutputRow] = [:]
      for id in batch { rows[id] = request.unsaved[id] }
      let saved = batch.filter { rows[$0] == nil }
      try reader.forEachRow(of: ObjectIDList(saved)) { row in
        if let id = row.id { rows[id] = row }
      }
      try titles.read(rows.values)
      for id in batch {
        guard var row = rows[id] else {
          gone += 1
          continue
        }
        row.fields = row.fields.map(titles.shown)
        try writer.write(row, to: &file)
      }
      state.withLock { $0.completed = chunk.endIndex }
    }
    try writer.finish(&file)
    return gone
  }
}

/// The titles of the objects that rows lead to, as lists show them.
nonisolated struct ObjectTitles {
  private let store: any PersistentStore
  private var titles: [ObjectID: String] = [:]

  /// The most titles that are kept, so that memory does not grow with the number of rows.
  private static let mostKept = 100_000

  init(_ store: any PersistentStore) { self.store = store }

  /// Reads the titles of the objects that rows lead to, with one query for each entity.
  mutating func read(_ rows: some Sequence<OutputRow>) throws {
    if titles.count > Self.mostKept { titles.removeAll(keepingCapacity: true) }
    var wanted: Set<ObjectID> = []
    for row in rows {
      for case .object(let id?) in row.fields where titles[id] == nil { wanted.insert(id) }
    }
    for (entityName, ids) in Dictionary(grouping: wanted, by: \.entityName) {
      let snapshots = try store.snapshots(of: ids)
      let entity = store.model.entity(named: entityName)
      for id in ids { titles[id] = title(of: id, snapshots[id], entity) }
    }
  }

  private func title(
    of id: ObjectID, _ row: RowSnapshot?, _ entity: EntityDescription?
  ) -> String {
    guard let row, let entity, let name = entity.displayAttributeName,
      let attribute = entity.attribute(named: name), let index = entity.attributeIndex(name),
      row.values.indices.contains(index)
    else { return id.description }
    let text = attribute.decode(row.values[index]).description
    return text.isEmpty ? id.description : text
  }

  /// A field as lists show it: the title of an object, the number of objects.
  func shown(_ field: OutputField) -> OutputField {
    switch field {
    case .object(let id?): .value(.string(titles[id] ?? id.uriRepresentation))
    case .object(nil): .value(.null)
    case .objects(let ids): .value(.integer(Int64(ids.count)))
    case .value, .missingFile: field
    }
  }
}
