import Foundation
import ObjectModel
package import TerminalKit

/// A text to find, compared without case and diacritics.
package struct TextPattern: Hashable, Sendable {
  /// The text as it was typed; never empty.
  package let text: String
  private let folded: [UInt8]

  /// Makes a pattern; nil for empty text.
  package init?(_ text: String) {
    folded = TextFolding.foldedBytes(text, [.case, .diacritics])
    guard !folded.isEmpty else { return nil }
    self.text = text
  }

  /// Whether a text contains the pattern.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func matches(_ text: String) -> Bool {
    !ranges(in: TextFolding.foldedBytes(text, [.case, .diacritics]), limit: 1).isEmpty
  }

  /// Whether a part of UTF-8 bytes contains the pattern; the array is reused for the folded bytes.
  package func matches(_ bytes: [UInt8], in range: Range<Int>, folding buffer: inout [UInt8])
    -> Bool
  {
    bytes.withUnsafeBufferPointer {
      TextFolding.fold(
        UnsafeBufferPointer(rebasing: $0[range]), [.case, .diacritics], into: &buffer)
    }
    return !ranges(in: buffer, limit: 1).isEmpty
  }

  /// The matches in a text as ranges of its characters, in order, without overlap.
  ///
  /// - Complexity: O(*n*) in the length of the text; for the lines of a screen.
  package func ranges(in text: [Character]) -> [Range<Int>] {
    var bytes: [UInt8] = []
    /// The character that each folded byte belongs to.
    var owners: [Int] = []
    for (offset, character) in text.enumerated() {
      if let ascii = character.asciiValue {
        bytes.append((0x41...0x5A).contains(ascii) ? ascii | 0x20 : ascii)
        owners.append(offset)
      } else {
        let part = TextFolding.foldedBytes(String(character), [.case, .diacritics])
        bytes += part
        owners += Array(repeating: offset, count: part.count)
      }
    }
    return ranges(in: bytes, limit: .max).map {
      owners[$0.lowerBound]..<owners[$0.upperBound - 1] + 1
    }
  }

  private func ranges(in bytes: [UInt8], limit: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    bytes.withUnsafeBufferPointer { bytes in
      folded.withUnsafeBufferPointer { wanted in
        guard let base = bytes.baseAddress, let first = wanted.baseAddress else { return }
        var start = 0
        while found.count < limit, start + wanted.count <= bytes.count,
          let next = memchr(base + start, Int32(first[0]), bytes.count - wanted.count - start + 1)
        {
          let offset = UnsafeRawPointer(next) - UnsafeRawPointer(base)
          let isMatch = memcmp(base + offset, first, wanted.count) == 0
          if isMatch { found.append(offset..<offset + wanted.count) }
          start = offset + (isMatch ? wanted.count : 1)
        }
      }
    }
    return found
  }
}

extension Canvas {
  /// Highlights the matches of patterns in the cells drawn on a line of the viewport.
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - columns: The columns of the viewport to look at.
  ///   - y: The line of the viewport.
  package mutating func highlight(_ patterns: [TextPattern], columns: Range<Int>, y: Int) {
    let columns = columns.clamped(to: 0..<width)
    guard !patterns.isEmpty, !columns.isEmpty, y >= 0, y < height else { return }
    let (text, positions) = characters(columns: columns, y: y)
    for range in patterns.flatMap({ $0.ranges(in: text) }) {
      let end =
        range.upperBound < positions.count ? positions[range.upperBound] : columns.upperBound
      overlay(
        Rect(
          x: positions[range.lowerBound], y: y, width: end - positions[range.lowerBound], height: 1),
        style: theme.match)
    }
  }
}
