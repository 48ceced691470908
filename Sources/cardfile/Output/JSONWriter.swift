import ObjectModel

/// One JSON object a line, keys in the order of the columns.
struct JSONWriter: RowWriter {
  let needsWholeValues = true
  /// `{"first":`, `,"second":` and so on.
  private let keys: [[UInt8]]

  init(columns: [OutputColumn]) {
    keys = columns.enumerated().map { index, column in
      var key = [UInt8(ascii: index == 0 ? "{" : ",")]
      JSONText.append(column.name, to: &key)
      return key + [UInt8(ascii: ":")]
    }
  }

  mutating func write(_ row: [OutputField], to output: inout StandardOutput) throws {
    for (key, field) in zip(keys, row) {
      output.bytes.append(contentsOf: key)
      append(field, to: &output.bytes)
    }
    output.bytes.append(contentsOf: "}\n".utf8)
    try output.flushIfLarge()
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
    }
  }
}
