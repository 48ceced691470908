import Foundation
import TestSupport
import Testing

@testable import ObjectModel

/// Rows of values in a temporary file.
struct SpilledRowsTests {
  private func row(_ number: Int, _ random: inout SeededGenerator) -> [Value] {
    let length = random.chance(oneIn: 50) ? 70_000 : Int.random(in: 0...300, using: &random)
    return [
      .integer(Int64(number)), .null, .double(Double(number) / 3),
      .string(String(repeating: "é", count: length / 2)),
      .data(Data(repeating: UInt8(truncatingIfNeeded: number), count: length)),
    ]
  }

  @Test func `rows come back in any order, from the file and from memory`() throws {
    var random = SeededGenerator(seed: 7)
    let folder = try TemporaryFolder()
    let rows = SpilledRows(in: folder.url.path)
    var written: [(place: Int, values: [Value])] = []
    for number in 0..<8_000 {
      let values = row(number, &random)
      written.append((try rows.add(values), values))
      // The last one is in memory, an older one may be in the file.
      for (place, values) in [written[number], random.pick(written)] {
        #expect(try Array(rows.row(at: place)) == values)
      }
    }
    for (place, values) in written.shuffled(using: &random) + written {
      #expect(try Array(rows.row(at: place)) == values)
    }
    // The file has no name.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `values that no database stores, and rows without values, come back too`() throws {
    let rows = SpilledRows()
    let odd: [Value] = [.date(Date(timeIntervalSinceReferenceDate: 1)), .bool(true)]
    let places = try [odd, [], [.null]].map { try rows.add($0) }
    #expect(try Array(rows.row(at: places[0])) == odd)
    #expect(try Array(rows.row(at: places[1])) == [])
    #expect(try Array(rows.row(at: places[2])) == [.null])
  }

  @Test func `a folder that cannot have the file is an error that names it`() throws {
    let rows = SpilledRows(in: "/nowhere/at/all")
    let error = #expect(throws: FileError.self) {
      for _ in 0..<3 { _ = try rows.add([.data(Data(count: 1 << 20))]) }
    }
    #expect(error?.path == "/nowhere/at/all")
  }
}
