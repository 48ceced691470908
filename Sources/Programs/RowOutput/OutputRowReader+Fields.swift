package import ObjectModel

extension OutputRowReader {
  /// Prints objects in order.
  ///
  /// - Parameters:
  ///   - ids: The objects.
  ///   - writer: The format.
  ///   - output: Where they are printed.
  /// - Throws: `StoreError`, or what the output throws.
  package mutating func print(
    _ ids: ObjectIDList, with writer: inout any RowWriter, to output: inout some OutputSink
  ) throws {
    var collected = CollectingSink(&output)
    defer { collected.giveBack(to: &output) }
    let used: (any RowWriter)? =
      switch writer {
      // By their types, for which the compiler makes code that calls no protocol's methods.
      case let json as JSONWriter: try printFields(of: ids, with: json, to: &collected)
      case let csv as CSVWriter: try printFields(of: ids, with: csv, to: &collected)
      default: nil
      }
    if let used {
      writer = used
    } else {
      try forEachRow(of: ids) { try writer.write($0, to: &collected) }
    }
  }

  /// Prints the fields of objects as the store passes them on.
  ///
  /// - Returns: The writer after it; nil if nothing was printed because a column is no attribute, or
  ///   objects may be of several entities.
  private mutating func printFields<Writer: FieldWriter>(
    of ids: ObjectIDList, with writer: Writer, to output: inout CollectingSink
  ) throws -> Writer? {
    guard let store = store as? any StoredRowReading, let name = ids.onlyEntityName,
      let fields = fields(of: name)
    else { return nil }
    var writer = writer
    let isDone = try store.readFields(of: ids, attributes: fields.indexes) { [form] row, _ in
      try writer.write(row, fields, of: name, form, to: &output)
    }
    return isDone ? writer : nil
  }
}

extension FieldWriter {
  /// Writes a row: not in the closure that is given it, where the writer would be copied for each
  /// field.
  fileprivate mutating func write(
    _ row: UnsafeBufferPointer<StoredField>, _ fields: OutputRowReader.Fields,
    of entityName: String, _ form: ValueForm, to output: inout CollectingSink
  ) throws {
    beginRow(fields.columns, of: entityName, to: &output.bytes)
    for index in row.indices {
      switch fields.sources[index] {
      case .stored: try write(row[index], at: index, to: &output)
      case .formed(let attribute):
        try write(form.field(row[index].value, of: attribute), at: index, to: &output)
      }
    }
    endRow(to: &output.bytes)
    try output.flushIfLarge()
  }
}
