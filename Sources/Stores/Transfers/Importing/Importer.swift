package import ObjectModel

/// Imports a file as objects of an entity: recognises what it has, shows it, then writes all of it
/// in one transaction.
///
/// Memory does not grow with the file.
package final class Importer {
  /// How far an import has come.
  package struct Progress: Sendable {
    /// The number of records.
    package var records = 0
    /// The number of bytes of the file that were read.
    package var position = 0
    /// Their number; nil for a pipe.
    package var size: Int?

    package init(records: Int = 0, size: Int? = nil) { (self.records, self.size) = (records, size) }

    /// About how many records the file has; 0 if that is not known.
    package var estimatedTotal: Int {
      guard let size, position > 0 else { return 0 }
      return max(records, Int(Double(records) * Double(size) / Double(position)))
    }
  }

  /// The properties of the columns.
  package private(set) var mapping: ImportMapping
  /// The format of the file, for a person: `CSV, fields separated by “;”`.
  package let formatPhrase: String
  private let store: any BulkStore
  private let reader: any RecordReader
  private let source: ByteSource
  /// The first records, by which the columns were recognised.
  private var sample: [ImportRecord] = []
  private let options: ImportOptions

  private static let sampleCount = 1_000
  private static let sampleSize = 1 << 20

  /// Opens a file, and reads its first records.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - entity: The entity of the objects.
  ///   - store: The store.
  ///   - options: What a person has said about the file.
  /// - Throws: ``TransferError``.
  package init(
    _ path: String, as entity: EntityDescription, into store: any BulkStore,
    options: ImportOptions = ImportOptions()
  ) throws(TransferError) {
    // A model that was given to create the store may have its attributes in another order.
    let entity = store.model.entity(named: entity.name) ?? entity
    if let reason = entity.readOnlyReason ?? (entity.isAbstract ? "it is abstract" : nil) {
      throw TransferError(.refused, entity.name, "no object can be inserted: \(reason)")
    }
    self.store = store
    self.options = options
    source = try ByteSource(path: path, encoding: options.encoding)
    var pending = PendingBytes(source)
    try pending.fill(line: 1)
    let first = pending.bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let format =
      options.format ?? TransferFormat(path: path)
      ?? (first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv)
    var delimiter: UInt8?
    if format == .json {
      reader = JSONRecordReader(
        pending, composites: Set(entity.details.composites.map(\.name)))
      formatPhrase = "JSON"
    } else {
      let delimited = try DelimitedReader(
        pending, delimiter: options.delimiter ?? (format == .tsv ? UInt8(ascii: "\t") : nil),
        hasHeader: options.hasHeader)
      delimiter = delimited.delimiter
      reader = delimited
      let name =
        delimited.delimiter == 0x09 ? "tabs" : "“\(Unicode.Scalar(delimited.delimiter))”"
      formatPhrase = "fields separated by \(name)"
    }
    var size = 0
    while sample.count < Self.sampleCount, size < Self.sampleSize {
      var record = ImportRecord()
      guard try reader.next(&record) else { break }
      size += record.bytes.count
      sample.append(record)
    }
    mapping = try ImportMapping(
      reader.columns, sample: sample.filter { $0.defect == nil }, of: entity, in: store.model,
      options: options, delimiter: delimiter)
  }

  // MARK: Preview

  /// A record of the file as it will be in the store.
  package struct PreviewRow: Sendable {
    /// The values of the properties that have a column, in their order.
    package var values: [String]
    /// Why it would be rejected; nil if that is not known.
    package var problem: String?
  }

  /// The names of the columns of a preview.
  package var previewColumns: [String] { mapping.columns.compactMap(\.propertyName) }

  /// The first records as they will be; the store is not asked.
  package func preview(_ count: Int) -> [PreviewRow] {
    sample.prefix(count).map { record in
      var row = PreviewRow(values: [], problem: record.defect.map { "line \(record.line): \($0)" })
      for (index, column) in mapping.columns.enumerated() where column.propertyName != nil {
        guard case .attribute(_, let reader) = column.target, index < record.fields.count,
          record.fields[index].kind != .missing
        else {
          row.values.append(record.text(index) ?? "")
          continue
        }
        let field = record.fields[index]
        let outcome = record.bytes.withUnsafeBufferPointer {
          bytes -> (text: String, problem: String?) in
          let own = UnsafeBufferPointer(rebasing: bytes[field.start..<field.end])
          switch reader.read(own, field.kind) {
          case .field(let stored): return (reader.attribute.decode(stored.value).description, nil)
          case .value(let value): return (reader.attribute.decode(value).description, nil)
          case .problem(let reason): return (record.text(index) ?? "", reason)
          }
        }
        row.values.append(outcome.text)
        row.problem = row.problem ?? outcome.problem.map { "line \(record.line): \($0)" }
      }
      return row
    }
  }

  // MARK: Writing

  /// Writes the objects, all in one transaction.
  ///
  /// - Parameters:
  ///   - acceptsRejects: Whether the others are imported if there are such records.
  ///   - reject: Called with each record that cannot be an object.
  ///   - progress: Called now and then.
  /// - Returns: What was done.
  /// - Throws: ``TransferError``, `StoreError`, or what `reject` throws; nothing was written then.
  package func run(
    acceptsRejects: Bool = true,
    reject: @escaping (Rejection) throws -> Void, progress: @escaping (Progress) -> Void = { _ in }
  ) throws -> ImportResult {
    let entity = mapping.entity
    var changes = StoreChanges()
    changes.inserted = [entity.name]
    if !mapping.keys.isEmpty {
      changes.updated[entity.name] = Set(
        mapping.columns.compactMap { $0.propertyName?.split(separator: ".").first.map(String.init) }
      )
    }
    return try store.saveTogether(changing: changes, doing: "importing \(entity.name)") { bulk in
      var writer = ImportWriter(
        bulk, try RowMaker(mapping, into: store, bulk), model: store.model,
        reject: reject)
      var earlier = ImportResult()
      var done = Progress(size: source.size)
      func add(_ record: ImportRecord) throws {
        done.records += 1
        if reader.columns.count > mapping.columns.count {
          // A key of JSON that no record had before.
          try writer.finish()
          earlier.add(writer.result)
          try mapping.add(reader.columns, sample: [record])
          writer = ImportWriter(
            bulk, try RowMaker(mapping, into: store, bulk), model: store.model,
            reject: reject)
        }
        let isWritten = try writer.add(record)
        if isWritten || done.records % 1_000 == 0 {
          try FetchControl.check(doing: "importing \(entity.name)")
          done.position = reader.position
          progress(done)
        }
      }
      for record in sample { try add(record) }
      sample = []
      var record = ImportRecord()
      while try reader.next(&record) { try add(record) }
      try writer.finish()
      earlier.add(writer.result)
      done.position = reader.position
      progress(done)
      guard earlier.rejected == 0 || acceptsRejects else {
        throw TransferError(
          .refused, source.name,
          "nothing was imported, because \(Value.grouped(earlier.rejected)) of"
            + " \(Value.grouped(done.records)) records cannot be objects",
          try: "--rejects FILE imports the others")
      }
      return earlier
    }
  }
}

extension ImportResult {
  /// What was done, in one line.
  package var phrase: String {
    [
      (inserted, "inserted"), (updated, "updated"), (unchanged, "unchanged"),
      (rejected, "rejected"),
    ]
    .filter { $0.0 > 0 || $0.1 == "inserted" }
    .map { "\(Value.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  mutating func add(_ other: ImportResult) {
    inserted += other.inserted
    updated += other.updated
    unchanged += other.unchanged
    rejected += other.rejected
  }
}
