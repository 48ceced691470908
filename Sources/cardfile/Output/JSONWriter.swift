import ObjectModel

/// Writes one JSON object per line, with the keys in the order of the columns.
struct JSONWriter: RowWriter {
  /// The encoded keys `{"first":`, `,"second":` and so on, by entity name.
  private var keys: [String: [[UInt8]]] = [:]

  mutating func write(_ row: OutputRow, to output: inout StandardOutput) throws {
    for (key, field) in zip(keys(of: row), row.fields) {
      output.bytes.append(contentsOf: key)
      append(field, to: &output.bytes)
    }
    output.bytes.append(contentsOf: "}\n".utf8)
    try output.flushIfLarge()
  }

  private mutating func keys(of row: OutputRow) -> [[UInt8]] {
    if let cached = keys[row.entityName] { return cached }
    let encoded = row.columns.enumerated().map { index, column in
      var key = [UInt8(ascii: index == 0 ? "{" : ",")]
      JSONText.append(column.name, to: &key)
      return key + [UInt8(ascii: ":")]
    }
    keys[row.entityName] = encoded
    return encoded
  }

  func finish(_ output: inout StandardOutput) {}

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
