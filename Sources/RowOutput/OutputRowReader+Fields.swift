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
    if let fields = writer as? any FieldWriter,
      let used = try printFields(of: ids, with: fields, to: &output)
    {
      writer = used
      return
    }
    try forEachRow(of: ids) { try writer.write($0, to: &output) }
  }

  /// Prints the fields of objects as the store passes them on.
  ///
  /// - Returns: The writer after it; nil if nothing was printed because a column is no attribute, or
  ///   objects may be of several entities.
  private mutating func printFields<Sink: OutputSink>(
    of ids: ObjectIDList, with writer: some FieldWriter, to output: inout Sink
  ) throws -> (any RowWriter)? {
    guard let store = store as? any StoredRowReading, let name = ids.onlyEntityName,
      let fields = fields(of: name)
    else { return nil }
    var printer = FieldPrinter(
      writer: writer, output: output, entityName: name, columns: fields.columns,
      sources: fields.sources, form: form)
    // The printer has the only reference to the collected bytes.
    output.bytes = []
    defer { output = printer.output }
    let isDone = try store.readFields(of: ids, attributes: fields.indexes, into: &printer)
    return isDone ? printer.writer : nil
  }
}
