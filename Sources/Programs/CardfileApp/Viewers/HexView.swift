import ListProviders
import Foundation
import ObjectModel
import TerminalKit

/// Bytes in hexadecimal with their characters, 16 on a row, or 8 or 4 on a narrow screen.
struct HexView: ValueView {
  private let bytes: Data
  private var scroll = LineScroll()
  private var bytesInRow = 16
  /// The index of the last match, from which `n` goes on; nil after a motion.
  private var matched: Int?

  init(_ bytes: Data) { self.bytes = Data(bytes) }

  private var rowCount: Int { max((bytes.count + bytesInRow - 1) / bytesInRow, 1) }

  mutating func move(_ motion: TableMotion) {
    matched = nil
    scroll.move(motion)
  }

  mutating func find(_ pattern: TextPattern, isForward: Bool, includesCurrent: Bool) -> Bool {
    let wanted = Self.wantedBytes(pattern.text)
    let here = matched ?? scroll.top * bytesInRow
    let found: Range<Data.Index>?
    if isForward {
      let start = min(includesCurrent || matched == nil ? here : here + 1, bytes.count)
      found = bytes.range(of: wanted, in: start..<bytes.count) ?? bytes.range(of: wanted)
    } else {
      let before = bytes.range(of: wanted, options: .backwards, in: 0..<min(here, bytes.count))
      found = before ?? bytes.range(of: wanted, options: .backwards)
    }
    guard let found else { return false }
    matched = found.lowerBound
    scroll.move(.row(found.lowerBound / bytesInRow + 1))
    return true
  }

  /// The bytes of pairs of hexadecimal digits as `ff d8`, else of the text.
  private static func wantedBytes(_ text: String) -> Data {
    let parts = text.split(separator: " ")
    let bytes = parts.compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
    return bytes.count == parts.count && !bytes.isEmpty ? Data(bytes) : Data(text.utf8)
  }

  mutating func draw(in canvas: inout Canvas, highlighting pattern: TextPattern?) -> Point {
    let digits = max(String(max(bytes.count - 1, 0), radix: 16).count, 4)
    let fitting = Self.fitting(columns: canvas.width - digits - 4)
    if fitting != bytesInRow {
      let first = scroll.top * bytesInRow
      bytesInRow = fitting
      scroll.setLines(rowCount)
      scroll.move(.row(first / fitting + 1))
    }
    scroll.setLines(rowCount)
    scroll.setHeight(canvas.height)
    let wanted = pattern.map { Self.wantedBytes($0.text) }
    for (y, row) in scroll.visibleLines.enumerated() {
      drawRow(row, digits: digits, wanted: wanted, y: y, in: &canvas)
    }
    return Point(x: 0, y: 0)
  }

  /// How many bytes of a row fit: each takes three columns and one for its character.
  private static func fitting(columns: Int) -> Int {
    for count in [16, 8, 4] where count * 4 + count / 8 <= columns { return count }
    return 2
  }

  private func drawRow(
    _ row: Int, digits: Int, wanted: Data?, y: Int, in canvas: inout Canvas
  ) {
    let start = row * bytesInRow
    let end = min(start + bytesInRow, bytes.count)
    guard start < end else { return }
    let address = String(start, radix: 16)
    canvas.put(
      String(repeating: "0", count: max(digits - address.count, 0)) + address, x: 1, y: y,
      style: canvas.theme.dim)
    func hexColumn(_ offset: Int) -> Int { digits + 3 + offset * 3 + offset / 8 }
    let textColumn = hexColumn(bytesInRow) + 1
    let marked = wanted.map { marks(of: $0, in: start..<end) } ?? []
    for (offset, byte) in bytes[start..<end].enumerated() {
      let style = marked.contains(start + offset) ? canvas.theme.match : .plain
      canvas.put(byte.hexDigits, x: hexColumn(offset), y: y, style: style)
      let isPrintable = (0x20...0x7E).contains(byte)
      canvas.put(
        isPrintable ? String(Character(Unicode.Scalar(byte))) : canvas.signs.skipped,
        x: textColumn + offset, y: y,
        style: isPrintable ? style : style.overlaid(by: canvas.theme.dim))
    }
  }

  /// The indexes of bytes in a row that belong to a match.
  private func marks(of wanted: Data, in row: Range<Int>) -> Set<Int> {
    guard !wanted.isEmpty, wanted.count <= 1000 else { return [] }
    var result: Set<Int> = []
    let low = max(row.lowerBound - wanted.count + 1, 0)
    let high = min(row.upperBound + wanted.count - 1, bytes.count)
    var start = low
    while start < high, let found = bytes.range(of: wanted, in: start..<high) {
      result.formUnion(found)
      start = found.lowerBound + 1
    }
    return result
  }

  var position: String {
    let percent =
      rowCount <= scroll.height ? 100 : scroll.top * 100 / max(rowCount - scroll.height, 1)
    return
      "\(groupedDigits(scroll.top * bytesInRow))/\(groupedDigits(bytes.count)) bytes  \(percent)%"
  }
}
