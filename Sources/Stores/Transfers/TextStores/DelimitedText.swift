import Foundation
import ObjectModel

/// The text of a CSV or TSV file, with the ranges of its records: those that are not changed keep
/// their bytes.
struct DelimitedText: Sendable {
  /// The file in UTF-8, without a byte order mark.
  let bytes: [UInt8]
  /// The names of the columns.
  let names: [String]
  /// Where each record is, with empty lines before it.
  let records: [Range<Int>]
  /// The bytes before the first record.
  let header: Range<Int>
  /// Why it cannot be written back; nil if it can.
  let defect: String?
  private let delimiter: UInt8
  private let hasMark: Bool

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quote = UInt8(ascii: "\"")

  /// Reads a file, and hands on the fields of each record; nil is an empty one without quotes.
  init(_ data: Data, path: String, _ body: ([String?]) -> Void) throws(TransferError) {
    var (bytes, defect): ([UInt8], String?) = (Array(data), nil)
    let found = TextEncoding.of(bytes)
    hasMark = found == (.utf8, Self.mark.count)
    bytes.removeFirst(found.markLength)
    let isUTF8 = found.encoding == .utf8 && bytes.withUnsafeBufferPointer { $0.isUTF8 }
    if !isUTF8 {
      // What is neither UTF-8 nor UTF-16 is taken for the text of old programs.
      let encoding = found.encoding == .utf8 ? TextEncoding.windows1252 : found.encoding
      var (transcoder, text): (TextTranscoder, [UInt8]) = (TextTranscoder(encoding), [])
      transcoder.append(bytes[...], to: &text)
      transcoder.finish(&text)
      (bytes, defect) = (text, "it is not written in UTF-8")
    }
    let format = TransferFormat(path: path)
    let reader = try DelimitedReader(
      PendingBytes(bytes, name: path), delimiter: format == .tsv ? UInt8(ascii: "\t") : nil,
      hasHeader: true)
    (names, delimiter) = (reader.columns, reader.delimiter)
    header = 0..<reader.offset
    var (start, records): (Int, [Range<Int>]) = (reader.offset, [])
    var record = ImportRecord()
    while try reader.next(&record) {
      defect = defect ?? record.defect.map { "line \(record.line): \($0)" }
      records.append(start..<reader.offset)
      start = reader.offset
      body(names.indices.map(record.text))
    }
    (self.bytes, self.records, self.defect) = (bytes, records, defect)
  }

  /// How lines end.
  private var lineEnd: [UInt8] {
    guard let last = bytes[header].last, last == 0x0A || last == 0x0D else { return [0x0A] }
    return bytes[header].suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [last]
  }

  /// The contents of the file with some records, of which those that have a range are as they were
  /// but for the fields that are given.
  func file(with records: some Sequence<(place: Range<Int>?, changed: [Int: String?])>) -> [UInt8] {
    var output = hasMark ? Self.mark : []
    output += bytes[header]
    for (place, changed) in records {
      if output.count > Self.mark.count, output.last != 0x0A, output.last != 0x0D {
        output += lineEnd
      }
      if let place, changed.isEmpty {
        output += bytes[place]
      } else {
        append(place, changed, to: &output)
      }
    }
    let end = self.records.last?.upperBound ?? header.upperBound
    return output + bytes[end...]
  }

  private func append(
    _ place: Range<Int>?, _ changed: [Int: String?], to output: inout [UInt8]
  ) {
    var record = ImportRecord()
    if let place {
      // Empty lines before it stay.
      let blank = names.count > 1 ? bytes[place].prefix { $0 == 0x0A || $0 == 0x0D } : []
      output += blank
      _ = bytes.withUnsafeBufferPointer {
        DelimitedReader.parse(
          $0, from: place.lowerBound + blank.count, isLast: true, delimiter: delimiter,
          into: &record)
      }
    }
    for column in names.indices {
      if column > 0 { output.append(delimiter) }
      let old = record.fields.indices.contains(column) ? record.fields[column] : .missing
      if let new = changed[column] {
        guard let new else { continue }
        new.withBytes { append($0, isQuoted: old.kind == .quoted, to: &output) }
      } else if old.kind == .quoted {
        record.bytes[old.start..<old.end].withUnsafeBufferPointer {
          append($0, isQuoted: true, to: &output)
        }
      } else {
        output += record.bytes[old.start..<old.end]
      }
    }
    let end = place.map { Array(bytes[$0].reversed().prefix { $0 == 0x0A || $0 == 0x0D }) } ?? []
    output += end.isEmpty ? lineEnd : end.starts(with: [0x0A, 0x0D]) ? [0x0D, 0x0A] : [end[0]]
  }

  private func append(
    _ field: UnsafeBufferPointer<UInt8>, isQuoted: Bool, to output: inout [UInt8]
  ) {
    let special: Set<UInt8> = [delimiter, Self.quote, 0x0A, 0x0D]
    guard isQuoted || field.isEmpty || field.contains(where: special.contains) else {
      return output.append(contentsOf: field)
    }
    output.append(Self.quote)
    for byte in field {
      if byte == Self.quote { output.append(byte) }
      output.append(byte)
    }
    output.append(Self.quote)
  }
}
