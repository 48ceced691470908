import ObjectModel

/// Reads CSV, TSV and their relatives: RFC 4180, and what programs write instead.
///
/// Fields are in quotes or not, a quote inside of quotes is doubled, lines end with CR LF, LF or CR,
/// also mixed. A quote inside of a field that does not begin with one is itself; what follows a
/// closing quote belongs to the field. Empty lines are left out unless there is only one column.
final class DelimitedReader: RecordReader {
  private var pending: PendingBytes
  let delimiter: UInt8
  private(set) var columns: [String] = []
  /// The line on which the next record begins.
  private var line = 1

  private static let quote = UInt8(ascii: "\"")
  private static let (feed, carriage): (UInt8, UInt8) = (0x0A, 0x0D)
  /// The delimiters that are recognised.
  private static let candidates = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  var position: Int { pending.position }
  /// Where the next record begins among the bytes that are not used yet.
  var offset: Int { pending.start }

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - pending: The beginning of the file.
  ///   - delimiter: What separates fields; nil to recognise it.
  ///   - hasHeader: Whether the first record has the names of the columns; else they are numbers.
  /// - Throws: ``TransferError`` if the file is empty or cannot be read.
  init(_ pending: PendingBytes, delimiter: UInt8?, hasHeader: Bool) throws(TransferError) {
    self.pending = pending
    var delimiter = delimiter
    // Excel's own first line.
    let start = pending.bytes.prefix(9)
    for (prefix, suffix) in [("sep=", ""), ("\"sep=", "\"")] {
      guard start.starts(with: prefix.utf8), start.count > prefix.utf8.count else { continue }
      let rest = start.dropFirst(prefix.utf8.count)
      guard let named = rest.first, rest.dropFirst().starts(with: suffix.utf8) else { continue }
      let end = rest.dropFirst(1 + suffix.utf8.count)
      guard end.isEmpty || end.first == Self.feed || end.first == Self.carriage else { continue }
      delimiter = delimiter ?? named
      let length = end.starts(with: [Self.carriage, Self.feed]) ? 2 : min(end.count, 1)
      self.pending.start = prefix.utf8.count + 1 + suffix.utf8.count + length
      line = 2
      break
    }
    self.delimiter = delimiter ?? Self.recognised(in: self.pending)
    var record = ImportRecord()
    var first = self.pending.start
    repeat {
      first = self.pending.start
      guard try read(&record) else {
        throw TransferError(.malformed, pending.name, "it is empty")
      }
    } while record.isEmptyLine
    if let defect = record.defect { throw TransferError(.malformed, pending.name, defect) }
    if hasHeader {
      columns = record.fields.indices.map {
        (record.text($0) ?? "").trimmingBlanks
      }
    } else {
      columns = record.fields.indices.map { "\($0 + 1)" }
      self.pending.start = first
      line = record.line
    }
  }

  /// The delimiter under which the first records have the same number of fields, more than one; the
  /// one with the most fields of several.
  private static func recognised(in pending: PendingBytes) -> UInt8 {
    var best = (delimiter: candidates[0], score: 0)
    for delimiter in candidates {
      var record = ImportRecord()
      var counts: [Int] = []
      var start = pending.start
      pending.bytes.withUnsafeBufferPointer { bytes in
        while counts.count < 20, start < bytes.count {
          record.clear(line: 1)
          guard
            let parsed = parse(
              bytes, from: start, isLast: pending.isLast, delimiter: delimiter, into: &record)
          else { break }
          if record.fields.count > 1 || record.fields.first?.isEmpty == false {
            counts.append(record.fields.count)
          }
          start = parsed.end
        }
      }
      guard let first = counts.first, first > 1 else { continue }
      let same = counts.count { $0 == first }
      let score = same * 1_000 / counts.count * 100 + min(first, 99)
      if score > best.score { best = (delimiter, score) }
    }
    return best.delimiter
  }

  func next(_ record: inout ImportRecord) throws(TransferError) -> Bool {
    while try read(&record) {
      if record.isEmptyLine, columns.count > 1 { continue }
      check(&record)
      return true
    }
    return false
  }

  /// Refuses a record that has more or fewer fields than the header: its values may be in columns
  /// where they do not belong.
  private func check(_ record: inout ImportRecord) {
    guard record.defect == nil else { return }
    let count = columns.count
    // Some programs end each line with a delimiter, but not the header.
    while record.fields.count > count, record.fields[record.fields.count - 1].isEmpty,
      record.fields[record.fields.count - 1].kind == .bare
    {
      record.fields.removeLast()
    }
    guard record.fields.count != count else { return }
    record.defect = "it has \(record.fields.count) fields, and the header \(count)"
  }

  private func read(_ record: inout ImportRecord) throws(TransferError) -> Bool {
    while true {
      record.clear(line: line)
      if pending.start < pending.bytes.count {
        let parsed = pending.bytes.withUnsafeBufferPointer {
          Self.parse(
            $0, from: pending.start, isLast: pending.isLast, delimiter: delimiter, into: &record)
        }
        if let parsed {
          pending.start = parsed.end
          line += parsed.lines
          return true
        }
      } else if pending.isLast {
        return false
      }
      try pending.fill(line: line)
    }
  }

  /// Reads a record.
  ///
  /// - Returns: Where the next one begins, and the number of line ends; nil if the bytes end before.
  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool, delimiter: UInt8,
    into record: inout ImportRecord
  ) -> (end: Int, lines: Int)? {
    let count = bytes.count
    var (index, lines) = (start, 0)
    func append(_ range: Range<Int>) {
      record.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
    }
    func skipPlain() {
      while index < count {
        let byte = bytes[index]
        if byte == delimiter || byte == feed || byte == carriage { return }
        index += 1
      }
    }
    while true {
      let fieldStart = record.bytes.count
      var kind = ImportRecord.Kind.bare
      if index < count, bytes[index] == quote, quote != delimiter {
        kind = .quoted
        index += 1
        var segment = index
        var isClosed = false
        while index < count {
          let byte = bytes[index]
          if byte == quote {
            guard index + 1 < count || isLast else { return nil }
            if index + 1 < count, bytes[index + 1] == quote {
              append(segment..<index + 1)
              index += 2
              segment = index
              continue
            }
            isClosed = true
            break
          }
          if byte == feed {
            lines += 1
          } else if byte == carriage {
            guard index + 1 < count || isLast else { return nil }
            if index + 1 == count || bytes[index + 1] != feed { lines += 1 }
          }
          index += 1
        }
        append(segment..<index)
        if isClosed {
          index += 1
        } else {
          guard isLast else { return nil }
          record.defect = "a quote in it is never closed, so that the rest of the file is in it"
        }
      }
      let segment = index
      skipPlain()
      guard index < count || isLast else { return nil }
      append(segment..<index)
      record.fields.append(.init(kind: kind, start: fieldStart, end: record.bytes.count))
      guard index < count else { return (count, lines) }
      if bytes[index] == delimiter {
        index += 1
        continue
      }
      if bytes[index] == carriage {
        guard index + 1 < count || isLast else { return nil }
        if index + 1 < count, bytes[index + 1] == feed { index += 1 }
      }
      return (index + 1, lines + 1)
    }
  }
}

extension ImportRecord {
  fileprivate var isEmptyLine: Bool {
    fields.count == 1 && fields[0].kind == .bare && fields[0].isEmpty
  }
}

extension String {
  /// The text without blanks around it.
  var trimmingBlanks: String {
    let isBlank = { (scalar: Unicode.Scalar) in
      scalar == " " || scalar == "\u{A0}" || scalar == "\t"
    }
    let scalars = unicodeScalars.drop(while: isBlank)
    let end = scalars.lastIndex { !isBlank($0) }.map { scalars.index(after: $0) }
    return end.map { String(scalars[..<$0]) } ?? ""
  }
}
