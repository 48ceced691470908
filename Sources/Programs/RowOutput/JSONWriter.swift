package import ObjectModel

/// Writes one JSON object per line, with the keys in the order of the columns; on request as the
/// elements of one array.
package struct JSONWriter: FieldWriter {
  /// What stands before each field, and at the end of the object.
  private struct Keys {
    /// The encoded keys `{"first":`, `,"second":` and so on, then the end.
    var bytes: [UInt8] = []
    /// Where each ends.
    var ends: [Int] = []

    mutating func append(_ key: [UInt8]) {
      bytes += key
      ends.append(bytes.count)
    }

    /// Calls a closure with one of the keys.
    func with(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
      let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
      bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Appends one of the keys.
    func append(_ index: Int, to output: inout [UInt8]) {
      with(index) { output.append(contentsOf: $0) }
    }
  }

  /// The keys by entity name.
  private var known: [String: Keys] = [:]
  /// Those of the current row.
  private var keys = Keys()
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
    keys.append(index, to: &bytes)
  }

  package func endRow(to bytes: inout [UInt8]) { keys.append(keys.ends.count - 1, to: &bytes) }

  package func quotesBase64(isEmpty: Bool) -> Bool { true }

  private static func keys(_ columns: [OutputColumn]) -> Keys {
    var encoded = Keys()
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

  package func append(_ field: StoredField, at index: Int, to bytes: inout [UInt8]) {
    keys.with(index) { JSONText.append(field, after: $0, to: &bytes) }
  }

  package func append(_ field: OutputField, to bytes: inout [UInt8]) {
    switch field {
    case .value(let value): JSONText.append(value, to: &bytes)
    case .object(nil): JSONText.append(Value.null, to: &bytes)
    case .object(let id?), .dangling(let id): JSONText.append(id.uriRepresentation, to: &bytes)
    case .objects(let ids): JSONText.append(ids, to: &bytes)
    case .missingFile(let name):
      bytes.append(contentsOf: "{\"external\":".utf8)
      JSONText.append(name, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
