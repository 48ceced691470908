package import ObjectModel

/// Writes one JSON object per line, with the keys in the order of the columns; on request as the
/// elements of one array.
package struct JSONWriter: FieldWriter {
  /// The encoded keys `{"first":`, `,"second":` and so on, by entity name; the last item ends the
  /// object.
  private var known: [String: [[UInt8]]] = [:]
  /// Those of the current row.
  private var keys: [[UInt8]] = []
  private var entityName: String?
  private let isArray: Bool
  private var isEmpty = true

  /// Creates a writer.
  ///
  /// - Parameter asArray: Whether the objects are the elements of one array.
  package init(asArray: Bool = false) { isArray = asArray }

  package mutating func beginRow(
    _ columns: [OutputColumn], of entityName: String, to bytes: inout [UInt8]
  ) {
    if isArray { bytes.append(contentsOf: (isEmpty ? "[\n" : ",").utf8) }
    isEmpty = false
    guard self.entityName != entityName else { return }
    self.entityName = entityName
    keys = known[entityName] ?? Self.keys(columns)
    known[entityName] = keys
  }

  package func beginField(at index: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: keys[index])
  }

  package func endRow(to bytes: inout [UInt8]) { bytes.append(contentsOf: keys[keys.count - 1]) }

  package func quotesBase64(isEmpty: Bool) -> Bool { true }

  private static func keys(_ columns: [OutputColumn]) -> [[UInt8]] {
    var encoded: [[UInt8]] = []
    var open: [String] = []
    for (index, column) in columns.enumerated() {
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
    return encoded
  }

  package func finish(_ output: inout some OutputSink) throws {
    guard isArray else { return }
    output.bytes.append(contentsOf: (isEmpty ? "[]\n" : "]\n").utf8)
    try output.flushIfLarge()
  }

  package func append(_ field: StoredField, to bytes: inout [UInt8]) {
    JSONText.append(field, to: &bytes)
  }

  package func append(_ field: OutputField, to bytes: inout [UInt8]) {
    switch field {
    case .value(let value): JSONText.append(value, to: &bytes)
    case .object(nil): JSONText.append(Value.null, to: &bytes)
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
