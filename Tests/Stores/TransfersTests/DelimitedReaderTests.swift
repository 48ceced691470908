import Foundation
import TestSupport
import Testing

@testable import Transfers

/// 200 files of delimited text, each with its right answer.
struct DelimitedReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `there are two hundred files`() {
    #expect(NastyFile.special.count + NastyFile.random(count: 130).count >= 200)
  }

  @Test(arguments: NastyFile.special)
  func `a trap`(file: NastyFile) throws { try check(file) }

  @Test(arguments: NastyFile.random(count: 130))
  func `random values in a random dialect`(file: NastyFile) throws { try check(file) }

  private func check(_ file: NastyFile) throws {
    let path = folder.path("file.csv")
    try Data(file.bytes).write(to: folder.url("file.csv"))
    let reader = try DelimitedReader(
      pending(path), delimiter: nil, hasHeader: true)
    #expect(reader.columns == file.columns)
    var (rows, lines): ([[String?]], [Int]) = ([], [])
    var record = ImportRecord()
    while try reader.next(&record) {
      if record.defect != nil {
        lines.append(record.line)
      } else {
        rows.append(
          record.fields.indices.map {
            record.fields[$0].kind == .bare && record.fields[$0].isEmpty ? nil : record.text($0)
          })
      }
    }
    #expect(rows == file.rows)
    #expect(lines == file.rejectedLines)
  }

  private func pending(_ path: String) throws -> PendingBytes {
    var pending = PendingBytes(try ByteSource(path: path))
    try pending.fill(line: 1)
    return pending
  }

  @Test func `an empty file, and one of empty lines, are refused`() throws {
    for text in ["", "\n\n\r\n", "\u{FEFF}"] {
      try Data(text.utf8).write(to: folder.url("empty.csv"))
      let error = #expect(throws: TransferError.self) {
        try DelimitedReader(pending(folder.path("empty.csv")), delimiter: nil, hasHeader: true)
      }
      #expect(error?.detail == "it is empty")
    }
  }

  @Test func `records that lie across the pieces of a file are whole`() throws {
    // A piece has 256 KiB.
    var text = "a,b\r\n"
    var rows: [[String?]] = []
    for index in 0..<20_000 {
      let value = String(repeating: "\"x\"\r\n", count: index % 13)
      rows.append(["\(index)", value])
      text += "\(index),\"\(value.replacing("\"", with: "\"\""))\"\r\n"
    }
    try check(NastyFile("pieces", text, ["a", "b"], rows))
  }

  @Test func `without a header columns have numbers`() throws {
    try Data("1,2\n3,4\n".utf8).write(to: folder.url("file.csv"))
    let reader = try DelimitedReader(
      pending(folder.path("file.csv")), delimiter: nil, hasHeader: false)
    #expect(reader.columns == ["1", "2"])
    var record = ImportRecord()
    #expect(try reader.next(&record) && record.text(0) == "1" && record.line == 1)
    #expect(try reader.next(&record) && record.text(1) == "4" && record.line == 2)
    #expect(try !reader.next(&record))
  }

  @Test func `gzip of several parts is unpacked, and a truncated one refused`() throws {
    try Data("a,b\n1,2\n".utf8).write(to: folder.url("one"))
    try Data("3,4\n".utf8).write(to: folder.url("two"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      "cd '\(folder.url.path)'; (gzip -c one; gzip -c two) > all.gz; head -c 30 all.gz > cut.gz",
    ]
    try process.run()
    process.waitUntilExit()
    let reader = try DelimitedReader(
      pending(folder.path("all.gz")), delimiter: nil, hasHeader: true)
    var record = ImportRecord()
    var rows: [String?] = []
    while try reader.next(&record) { rows.append(record.text(1)) }
    #expect(rows == ["2", "4"])
    #expect(throws: TransferError.self) { try pending(folder.path("cut.gz")) }
  }

  @Test func `Windows' code page is read when it is named`() throws {
    try Data([0x61, 0x0A, 0x80, 0xE9, 0x0A]).write(to: folder.url("file.csv"))
    var pending = PendingBytes(
      try ByteSource(path: folder.path("file.csv"), encoding: .windows1252))
    try pending.fill(line: 1)
    let reader = try DelimitedReader(pending, delimiter: nil, hasHeader: true)
    var record = ImportRecord()
    #expect(try reader.next(&record) && record.text(0) == "€é")
  }
}
