import ObjectModel

/// A record of a file: its fields, by column.
package struct ImportRecord: Sendable {
  /// How a field stands in the file.
  package enum Kind: UInt8, Sendable {
    /// Not at all.
    case missing
    /// As JSON's null.
    case null
    /// As text without quotes, a number among others.
    case bare
    /// As text in quotes.
    case quoted
    /// As a list or an object of JSON, which the field is the text of.
    case structure
  }

  /// Where a field is among the bytes of the record.
  package struct Field: Sendable {
    package var kind: Kind
    var start: Int
    var end: Int

    static let missing = Field(kind: .missing, start: 0, end: 0)
    package var isEmpty: Bool { start == end }
  }

  /// The fields' bytes, without quotes and escapes.
  package var bytes: [UInt8] = []
  /// The fields by column; a record may have fewer than there are columns.
  package var fields: [Field] = []
  /// The number of its first line, from 1.
  package var line = 1
  /// Why it cannot be read; nil if it can.
  package var defect: String?

  package init() {}

  mutating func clear(line: Int) {
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    (self.line, defect) = (line, nil)
  }

  /// The text of a field; nil if it is missing, null, or empty without quotes.
  package func text(_ column: Int) -> String? {
    guard fields.indices.contains(column) else { return nil }
    let field = fields[column]
    if field.kind == .missing || field.kind == .null || field.kind == .bare && field.isEmpty {
      return nil
    }
    return bytes[field.start..<field.end].withUnsafeBufferPointer { String(storedText: $0) }
  }
}

/// Reads the records of a file one after the other.
protocol RecordReader: AnyObject {
  /// The names of the columns as far as they are known.
  var columns: [String] { get }
  /// How many bytes of the file have been read.
  var position: Int { get }
  /// Reads the next record.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``TransferError`` if the rest of the file cannot be read.
  func next(_ record: inout ImportRecord) throws(TransferError) -> Bool
}

/// The bytes of a source that have not been used yet.
struct PendingBytes {
  /// Where more of them come from; nil if all are here.
  private let source: ByteSource?
  /// The name of the file for messages.
  let name: String
  var bytes: [UInt8] = []
  /// Where the next record begins.
  var start = 0
  private(set) var isLast = false

  /// The longest record, in bytes: a quote that is never closed must not fill the memory.
  static let limit = 256 << 20

  /// How many bytes of the file have been read.
  var position: Int { source?.position ?? bytes.count }

  init(_ source: ByteSource) { (self.source, name) = (source, source.name) }

  /// Makes the bytes of a whole file.
  init(_ bytes: [UInt8], name: String) {
    (source, self.name, self.bytes, isLast) = (nil, name, bytes, true)
  }

  /// Reads more; at least as much again as a long record has so far, so that it is looked at only a
  /// few times.
  mutating func fill(line: Int) throws(TransferError) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    guard bytes.count <= Self.limit else {
      throw TransferError(
        .malformed, name,
        "what begins on line \(line) is longer than \(Self.limit >> 20) MB: a quote or bracket may"
          + " not be closed")
    }
    // What is recognised by the beginning needs some of it, or the end.
    let goal = max(bytes.count * 2, 1 << 16)
    repeat {
      guard try source?.read(into: &bytes) == true else { return isLast = true }
    } while bytes.count < goal
  }
}
