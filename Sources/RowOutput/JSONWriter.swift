import ObjectModel

/// Writes one JSON object per line, with the keys in the order of the columns.
package struct JSONWriter: RowWriter {
  /// The encoded keys `{"first":`, `,"second":` and so on, by entity name; the last item ends the
  /// object.
  private var keys: [String: [[UInt8]]] = [:]

  /// Creates a writer.
  package init() {}

  package mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws {
    let keys = keys(of: row)
    for (key, field) in zip(keys, row.fields) {
      output.bytes.append(contentsOf: key)
      if case .value(.data(let data)) = field {
        try output.appendQuotedBase64(of: data)
      } else {
        append(field, to: &output.bytes)
      }
    }
    output.bytes.append(contentsOf: keys[keys.count - 1])
    try output.flushIfLarge()
  }

  private mutating func keys(of row: OutputRow) -> [[UInt8]] {
    if let cached = keys[row.entityName] { return cached }
    var encoded: [[UInt8]] = []
    var open: [String] = []
    for (index, column) in row.columns.enumerated() {
      let shared = zip(open, column.composites).prefix { $0 == $1 }.count
      var key = Array(repeating: UInt8(ascii: "}"), count: open.count - shared)
      key.append(UInt8(ascii: index == 0 ? "{" : ","))
      for name in column.composites.dropFirst(shared) {
        JSONText.append(name, to: &key)
        key += Array(":{".utf8)
      }
      JSONText.append(column.elementName, to: &key)
      encoded.append(key + [UInt8(ascii: ":")])
      open = column.composites
    }
    encoded.append(Array(repeating: UInt8(ascii: "}"), count: open.count + 1) + [0x0A])
    keys[row.entityName] = encoded
    return encoded
  }

  package func finish(_ output: inout some OutputSink) {}

  private func append(_ field: OutputField, to bytes: inout [UInt8]) {
    switch field {
    case .value(let value): JSONText.append(value, to: &bytes)
    case .object(nil): JSONText.append(.null, to: &bytes)
    case .object(let id?): JSONText.append(id.uriRepresentation, to: &bytes)
    case .objects(let ids):
      bytes.append(UInt8(ascii: "["))
      for (index, id) in ids.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(id.uriRepresentation, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .missingFile(let name):
      bytes.append(contentsOf: "{\"external\":".utf8)
      JSONText.append(name, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
