import ObjectModel
import RowOutput

/// Writes the rows of a list to a file.
nonisolated struct Export: Sendable {
  let rows: ShownRows
  /// How many columns there are, and how many of them the list hides.
  let columnsPhrase: String

  /// What has become of an export.
  enum Outcome: Sendable {
    /// The number of rows, of objects that were gone, and of bytes.
    case written(rows: Int, gone: Int, bytes: Int)
    case cancelled
    case failed(String)
  }

  /// Writes the file; nothing is left of it if the control cancels that.
  func write(to target: FileTarget, as format: ExportFormat, _ control: FetchControl) -> Outcome {
    do {
      var file = try FileSink(target)
      do {
        func begin() throws -> (writer: any RowWriter, count: Int) {
          try file.startOver()
          return (format.writer(rows.columns), 0)
        }
        var written = try rows.reduce(into: begin(), control) { written, row in
          try written.writer.write(row, to: &file)
          written.count += 1
        }
        try written.writer.finish(&file)
        if control.isCancelled { throw StoreError(.cancelled, doing: "exporting") }
        try file.commit()
        return .written(
          rows: written.count, gone: rows.goneCount(written.count), bytes: file.writtenCount)
      } catch {
        file.discard()
        throw error
      }
    } catch let error as StoreError where error.reason == .cancelled {
      return .cancelled
    } catch {
      return .failed("\(error)")
    }
  }
}

/// The titles of the objects that rows lead to, as lists show them.
nonisolated struct ObjectTitles {
  private let store: any PersistentStore
  private var titles: [ObjectID: String] = [:]
  private var namings: [String: ObjectNaming] = [:]

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
    for ids in Dictionary(grouping: wanted, by: \.entityName).values {
      let snapshots = try store.snapshots(of: ids)
      for id in ids { titles[id] = title(of: id, snapshots[id]) }
    }
  }

  private mutating func title(of id: ObjectID, _ row: RowSnapshot?) -> String {
    guard let row, let entity = store.model.entity(named: row.id.entityName) else {
      return id.description
    }
    let naming = namings[entity.name] ?? ObjectNaming(entity)
    namings[entity.name] = naming
    return naming.name(of: row.id) { $0 < row.values.count ? row.values[$0] : .null }
      ?? id.description
  }

  /// A field as lists show it: the title of an object, the number of objects.
  func shown(_ field: OutputField) -> OutputField {
    switch field {
    case .object(let id?): .value(.string(titles[id] ?? id.uriRepresentation))
    case .object(nil): .value(.null)
    case .dangling(let id): .value(.string(id.description))
    case .objects(let ids): .value(.integer(Int64(ids.count)))
    case .value, .missingFile: field
    }
  }
}
