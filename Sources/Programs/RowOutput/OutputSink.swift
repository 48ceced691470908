import Foundation
import TerminalKit

/// What rows are written to: bytes that are collected and written in large parts.
package protocol OutputSink {
  /// The bytes not yet written; append to them, then call ``flushIfLarge()``.
  var bytes: [UInt8] { get set }
  /// The columns of the terminal that the bytes go to; nil if they go elsewhere.
  var columns: Int? { get }
  /// Writes the collected bytes if they are many.
  mutating func flushIfLarge() throws
}

extension OutputSink {
  package var columns: Int? { nil }

  /// Appends a line for people.
  ///
  /// Line breaks, escape sequences and other control characters of names and values in it are shown
  /// as signs.
  package mutating func writeLine(_ text: String) throws {
    try writeUnchanged(Signs.unicode.visible(text))
  }

  /// Appends text that is the program's own, or in a format with escapes of its own, and a line
  /// feed.
  package mutating func writeUnchanged(_ text: String) throws {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Appends bytes in base64, piece by piece, so that long ones are never in memory as text.
  mutating func appendBase64(of data: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws {
    if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    let pieceSize = 3 << 14
    for start in stride(from: 0, to: data.count, by: pieceSize) {
      let piece = Data(data[start..<min(start + pieceSize, data.count)])
      bytes.append(contentsOf: piece.base64EncodedData())
      try flushIfLarge()
    }
    if isQuoted { bytes.append(UInt8(ascii: "\"")) }
  }
}

/// Collects bytes for a sink of any type, which is called only when there are some thousands.
struct CollectingSink: OutputSink {
  var bytes: [UInt8]
  private var target: any OutputSink
  private static let largeSize = 1 << 12

  /// Takes over the bytes that a sink has collected.
  init<Sink: OutputSink>(_ sink: inout Sink) {
    bytes = sink.bytes
    // So that there is one reference to them.
    sink.bytes = []
    target = sink
  }

  mutating func flushIfLarge() throws {
    guard bytes.count >= Self.largeSize else { return }
    swap(&bytes, &target.bytes)
    defer { swap(&bytes, &target.bytes) }
    try target.flushIfLarge()
  }

  /// Makes a variable the sink again, with what it has not yet written.
  mutating func giveBack<Sink: OutputSink>(to sink: inout Sink) {
    guard let own = target as? Sink else { return }
    sink = own
    sink.bytes = bytes
  }
}
