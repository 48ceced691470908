import ObjectModel

/// Reads objects of JSON: one a line, one after the other, or the elements of one array.
///
/// The keys are the columns, in the order in which they come.
final class JSONRecordReader: RecordReader {
  private var pending: PendingBytes
  private(set) var columns: [String] = []
  private var indexes: [String: Int] = [:]
  /// The keys whose objects are composites: what is in them has names like `address.city`.
  private let composites: Set<String>
  private var line = 1
  private var isArray = false
  private var hasBegun = false

  var position: Int { pending.position }

  init(_ pending: PendingBytes, composites: Set<String>) {
    self.pending = pending
    self.composites = composites
  }

  func next(_ record: inout ImportRecord) throws(TransferError) -> Bool {
    guard try skipBlanks() else {
      guard hasBegun else { throw TransferError(.malformed, pending.name, "it is empty") }
      if isArray { throw malformed("the array does not end") }
      return false
    }
    if !hasBegun {
      hasBegun = true
      if byte == UInt8(ascii: "[") {
        isArray = true
        pending.start += 1
        guard try skipBlanks() else { throw malformed("the array does not end") }
      }
    }
    if isArray, byte == UInt8(ascii: "]") {
      pending.start += 1
      if try skipBlanks() { throw malformed("something follows the array") }
      isArray = false
      return false
    }
    record.clear(line: line)
    let range = try element()
    do throws(JSONParser.Failure) {
      try JSONParser.read(pending.bytes[range], deepest: JSONParser.deepestImported) {
        parser throws(JSONParser.Failure) in
        try parser.readObject { key, parser throws(JSONParser.Failure) in
          try self.read(key, &parser, into: &record)
        }
      }
    } catch {
      record.defect = "it is no JSON: \(error.words)"
    }
    line += pending.bytes[range].count { $0 == 0x0A }
    pending.start = range.upperBound
    if isArray, try skipBlanks() {
      if byte == UInt8(ascii: ",") {
        pending.start += 1
        // A comma before the end is forgiven.
        _ = try skipBlanks()
      } else if byte != UInt8(ascii: "]") {
        throw malformed("a comma or ] is expected")
      }
    }
    return true
  }

  private var byte: UInt8 { pending.bytes[pending.start] }

  private func malformed(_ detail: String) -> TransferError {
    TransferError(.malformed, "\(pending.name), line \(line)", detail)
  }

  /// Goes to the next byte that is not blank; false at the end.
  private func skipBlanks() throws(TransferError) -> Bool {
    while true {
      while pending.start < pending.bytes.count {
        guard [0x20, 0x09, 0x0A, 0x0D].contains(byte) else { return true }
        if byte == 0x0A { line += 1 }
        pending.start += 1
      }
      if pending.isLast { return false }
      try pending.fill(line: line)
    }
  }

  /// The next object; in a file of lines what is no object is the line.
  private func element() throws(TransferError) -> Range<Int> {
    while true {
      if let end = elementEnd() { return pending.start..<end }
      if pending.isLast {
        if isArray { throw malformed("an object does not end") }
        return pending.start..<pending.bytes.count
      }
      try pending.fill(line: line)
    }
  }

  private func elementEnd() -> Int? {
    pending.bytes.withUnsafeBufferPointer { bytes in
      var index = pending.start
      let isObject = bytes[index] == UInt8(ascii: "{")
      if isArray, !isObject {
        while index < bytes.count {
          if bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "]") { return index }
          index += 1
        }
        return nil
      }
      var (depth, isText) = (0, false)
      while index < bytes.count {
        let byte = bytes[index]
        if isText {
          if byte == UInt8(ascii: "\\") {
            index += 1
          } else if byte == UInt8(ascii: "\"") {
            isText = false
          }
        } else if isObject {
          switch byte {
          case UInt8(ascii: "\""): isText = true
          case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
          case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { return index + 1 }
          default: break
          }
        }
        // An object that is damaged ends with its line, so that only it is rejected.
        if byte == 0x0A, !isArray, isText || !isObject { return index }
        index += 1
      }
      return nil
    }
  }

  private func read(
    _ key: String, _ parser: inout JSONParser, into record: inout ImportRecord
  ) throws(JSONParser.Failure) {
    if composites.contains(key), parser.next == .object {
      try parser.readObject { inner, parser throws(JSONParser.Failure) in
        try self.read(key + "." + inner, &parser, into: &record)
      }
      return
    }
    let column: Int
    if let known = indexes[key] {
      column = known
    } else {
      column = columns.count
      columns.append(key)
      indexes[key] = column
    }
    while record.fields.count <= column { record.fields.append(.missing) }
    let start = record.bytes.count
    let kind = try parser.readField(into: &record.bytes)
    record.fields[column] = .init(kind: kind, start: start, end: record.bytes.count)
  }
}
