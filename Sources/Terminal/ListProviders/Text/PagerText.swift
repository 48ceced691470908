import Foundation
import ObjectModel

/// A text of any length, of which only the lines that are looked at become strings.
///
/// A line that is longer than ``longestPiece`` is kept as several pieces, so that a text without
/// line breaks costs no more than one with.
struct PagerText: Sendable {
  static let longestPiece = 8 << 10

  private let bytes: [UInt8]
  /// The index of the first byte of each piece, and the number of bytes at the end.
  private let starts: [Int]
  /// The pieces that continue the line before them, in order.
  private let continuations: [Int]

  /// Splits a text.
  ///
  /// - Complexity: O(*n*) in the length of the text, at the speed of a search for line breaks.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    var starts = [0]
    var continuations: [Int] = []
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var start = 0
      while start < buffer.count {
        let rest = buffer.count - start
        let found = memchr(base + start, 0x0A, min(rest, Self.longestPiece))
        if let found {
          start = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        } else if rest <= Self.longestPiece {
          break
        } else {
          start += Self.longestPiece
          // A character is not divided.
          while start < buffer.count, buffer[start] & 0xC0 == 0x80 { start += 1 }
          continuations.append(starts.count)
        }
        starts.append(start)
      }
    }
    starts.append(bytes.count)
    (self.bytes, self.starts, self.continuations) = (bytes, starts, continuations)
  }

  /// The number of pieces; at least 1.
  var count: Int { starts.count - 1 }

  /// The number of lines, a long one counted once.
  var lineCount: Int { count - continuations.count }

  /// The number of the line that a piece belongs to, counted from 1.
  func lineNumber(of piece: Int) -> Int {
    var (low, high) = (0, continuations.count)
    while low < high {
      let middle = (low + high) / 2
      if continuations[middle] <= piece { low = middle + 1 } else { high = middle }
    }
    return piece + 1 - low
  }

  /// The first piece of a line; the number is counted from 1 and clamped to the lines.
  func piece(ofLine number: Int) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if lineNumber(of: middle) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The text of a piece without its line break.
  subscript(piece: Int) -> String { String(decoding: bytes[range(piece)], as: UTF8.self) }

  private func range(_ piece: Int) -> Range<Int> {
    let start = starts[piece]
    var end = starts[piece + 1]
    if end > start, bytes[end - 1] == 0x0A {
      end -= 1
      if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    }
    return start..<end
  }

  /// Returns the next piece that contains a pattern, around the ends of the text.
  ///
  /// - Parameters:
  ///   - pattern: What to find.
  ///   - start: The first piece to look at.
  ///   - isForward: Whether to look towards the end.
  /// - Returns: The piece; nil if no piece contains the pattern.
  func find(_ pattern: TextPattern, from start: Int, isForward: Bool) -> Int? {
    var folded: [UInt8] = []
    var piece = min(max(start, 0), count - 1)
    for _ in 0..<count {
      if pattern.matches(bytes, in: range(piece), folding: &folded) { return piece }
      piece += isForward ? 1 : -1
      if piece == count { piece = 0 } else if piece < 0 { piece = count - 1 }
    }
    return nil
  }
}
