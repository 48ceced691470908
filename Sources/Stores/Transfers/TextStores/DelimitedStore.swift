import Foundation
package import ObjectModel
import Synchronization

/// A CSV or TSV file as a store of one entity, which has its name: each record is an object.
///
/// Records that are not changed keep their bytes. The key of an object is the number of its record;
/// after another program has written the file, records that it still has keep their keys.
package final class DelimitedStore: AtomicFileStore {
  package let identifier: String
  package let model: ManagedObjectModel
  package let cache = AtomicCache()
  package let file: StoreFile
  private let readOnlyReason: String?
  private let columns: [TextColumn]
  private let contents: Mutex<Contents>

  private struct Contents {
    var text: DelimitedText
    /// The ranges of the objects' records, by key.
    var places: [Int64: Range<Int>]
    var rows: InMemoryRows
  }

  /// Whether a file is taken for one: by its ending.
  package static func recognizes(_ path: String) -> Bool {
    guard !path.lowercased().hasSuffix(".gz"), let format = TransferFormat(path: path) else {
      return false
    }
    return format != .json
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - isReadOnly: Whether it is only read.
  /// - Throws: `StoreError` if it cannot be read, or has no header.
  package init(path: String, isReadOnly: Bool = false) throws(StoreError) {
    file = StoreFile(path: path)
    identifier = path.canonicalPath
    var records: [[String?]] = []
    let text = try Self.text(of: file) { records.append($0) }
    let names = attributeNames(text.names)
    columns = names.indices.map { column in
      TextColumn(names[column], records.compactMap { $0[column] }.filter { !$0.isEmpty })
    }
    let entityName = path.lastPathPart.split(separator: ".").first.map(String.init) ?? "record"
    model = ManagedObjectModel(entities: [
      EntityDescription(name: entityName, attributes: columns.map(\.attribute))
    ])
    readOnlyReason = isReadOnly ? "opened read-only" : text.defect ?? file.readOnlyReason
    let keys = (0..<records.count).map { Int64($0 + 1) }
    contents = Mutex(
      Contents(
        text: text, places: Dictionary(firstOf: zip(keys, text.records)),
        rows: Self.rows(records, keys, columns, model, identifier)))
  }

  package var summary: StoreSummary {
    var summary = StoreSummary(
      name: file.path.lastPathPart, path: file.path, kind: "Delimited text",
      readOnlyReason: readOnlyReason)
    summary.byteCount = contents.withLock { $0.text.bytes.count }
    return summary
  }

  private static func text(of file: StoreFile, _ body: ([String?]) -> Void) throws(StoreError)
    -> DelimitedText
  {
    let data = try file.read()
    do throws(TransferError) { return try DelimitedText(data, path: file.path, body) } catch {
      throw StoreError(
        .corrupt, doing: "opening", subject: file.path, detail: error.detail,
        remedy: error.remedy)
    }
  }

  private static func rows(
    _ records: [[String?]], _ keys: [Int64], _ columns: [TextColumn], _ model: ManagedObjectModel,
    _ identifier: String
  ) -> InMemoryRows {
    let entityName = model.entities[0].name
    return InMemoryRows(
      model: model, storeIdentifier: identifier,
      rows: zip(keys, records).lazy.map { key, record in
        RowSnapshot(
          id: ObjectID(storeIdentifier: identifier, entityName: entityName, key: .integer(key)),
          version: 0, values: zip(columns, record).map { $0.value($1) })
      })
  }

  package func load() throws(StoreError) -> InMemoryRows {
    var records: [[String?]] = []
    let text = try Self.text(of: file) { records.append($0) }
    return try contents.withLock { contents throws(StoreError) in
      guard attributeNames(text.names) == columns.map(\.attribute.name) else {
        throw StoreError(
          .replaced, doing: "reading", subject: file.path, detail: "it has other columns now",
          remedy: "open the store again")
      }
      if text.bytes == contents.text.bytes { return contents.rows }
      let keys = Self.keys(of: text, after: contents)
      contents = Contents(
        text: text, places: Dictionary(firstOf: zip(keys, text.records)),
        rows: Self.rows(records, keys, columns, model, identifier))
      return contents.rows
    }
  }

  /// The keys of the records of a file that another program has written.
  ///
  /// A record that was there keeps its key. If as many are left over on both sides, they were
  /// changed; else they are new ones.
  private static func keys(of text: DelimitedText, after old: Contents) -> [Int64] {
    let places = old.places.sorted { $0.key < $1.key }
    var known: [ArraySlice<UInt8>: [Int64]] = [:]
    for (key, place) in places.reversed() { known[old.text.bytes[place], default: []].append(key) }
    var keys = text.records.map { known[text.bytes[$0]]?.popLast() }
    let found = Set(keys.compactMap(\.self))
    var left = places.map(\.key).filter { !found.contains($0) }[...]
    var last = places.last?.key ?? 0
    let areChanged = left.count == keys.count { $0 == nil }
    for index in keys.indices where keys[index] == nil {
      last += 1
      keys[index] = areChanged ? left.popFirst() : last
    }
    return keys.compactMap(\.self)
  }

  package func write(_ rows: InMemoryRows) throws(StoreError) {
    let old = contents.withLock { $0 }
    var keys: [Int64] = []
    var records: [(place: Range<Int>?, changed: [Int: String?])] = []
    for id in rows.objectIDs.sorted() {
      guard case .integer(let key) = id.key, let row = rows.row(of: id) else { continue }
      let before = old.rows.row(of: id)
      var changed: [Int: String?] = [:]
      for (index, column) in columns.enumerated() where row.values[index] != before?.values[index] {
        changed[index] = .some(column.text(of: row.values[index]))
      }
      keys.append(key)
      records.append((old.places[key], changed))
    }
    let bytes = old.text.file(with: records)
    let text = try Self.checked(Data(bytes), file, records.count)
    try file.write(bytes)
    contents.withLock {
      $0 = Contents(
        text: text, places: Dictionary(firstOf: zip(keys, text.records)), rows: rows)
    }
  }

  /// Reads what is to be written: it must have all records.
  private static func checked(_ data: Data, _ file: StoreFile, _ count: Int) throws(StoreError)
    -> DelimitedText
  {
    do throws(TransferError) {
      let text = try DelimitedText(data, path: file.path) { _ in }
      if text.records.count == count, text.defect == nil { return text }
    } catch {}
    throw StoreError(
      .other, doing: "saving", subject: file.path,
      detail: "the objects cannot be written as records that are read again")
  }
}
