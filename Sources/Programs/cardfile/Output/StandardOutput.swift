import Foundation
import ObjectModel
import RowOutput

/// Buffered standard output.
///
/// The first 4 MiB are kept until they are full or printing ends, so that a read of the store that
/// has to be repeated has usually printed nothing yet: see ``startOver()``.
///
/// If the reader closes the pipe (`cardfile fetch … | head`), the program ends with success. Any
/// other error, such as a full disk, is thrown as a ``Failure``, so that a script does not take
/// partial output for complete output.
struct StandardOutput: OutputSink {
  /// Thrown if the reading end of the pipe was closed (EPIPE).
  struct ReaderGone: Error {}

  /// The bytes not yet written; append to them, then call ``flushIfLarge()``.
  var bytes: [UInt8] = []

  /// The columns of the terminal; nil if standard output is no terminal.
  let columns: Int? = {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }()

  /// How much has been written, and its hash.
  private var written = Extent()
  /// What was written before ``startOver()``, and is not written again.
  private var before: Extent?

  private struct Extent {
    var count = 0
    var hasher = Hasher()
  }

  private static let largeSize = 1 << 16
  private static let firstSize = 1 << 22

  /// Writes the buffered bytes if they are many.
  mutating func flushIfLarge() throws {
    if bytes.count >= (written.count == 0 ? Self.firstSize : Self.largeSize) { try write() }
  }

  /// Begins to print the same again, because the store was read again.
  ///
  /// What was written already must come again, and is compared: if the store has changed meanwhile,
  /// ``flush()`` fails.
  mutating func startOver() {
    bytes.removeAll(keepingCapacity: true)
    if written.count > 0 { before = before ?? written }
    written = Extent()
  }

  /// Writes all buffered bytes; call it at the end.
  mutating func flush() throws {
    try write()
    if before != nil { throw Self.changed }
  }

  private static let changed = Failure(
    .refused, "another program changed the store while it was printed", try: "the same again")

  /// Writes what is new of the buffered bytes.
  private mutating func write() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    if let before {
      let rest = before.count - written.count
      note(bytes[..<min(rest, bytes.count)])
      guard written.count == before.count else { return }
      guard written.hasher.finalize() == before.hasher.finalize() else {
        throw Self.changed
      }
      self.before = nil
      bytes.removeFirst(rest)
    }
    try writeAll()
    note(bytes[...])
  }

  private mutating func note(_ bytes: ArraySlice<UInt8>) {
    written.count += bytes.count
    bytes.withUnsafeBytes { written.hasher.combine(bytes: $0) }
  }

  /// Whether a person reads the output at a terminal, which obeys escape sequences in it.
  private static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Writes the bytes exactly; to a terminal as text in which control characters, escape sequences,
  /// and what turns the direction of text around, are shown as signs.
  private func writeAll() throws {
    guard Self.isTerminal else { return try bytes.withUnsafeBytes(Self.writeAll) }
    try Array(TerminalText.visible(bytes).utf8).withUnsafeBytes(Self.writeAll)
  }

  private static func writeAll(_ buffer: UnsafeRawBufferPointer) throws {
    guard !ObjectModel.writeAll(buffer, to: STDOUT_FILENO) else { return }
    if errno == EPIPE { throw ReaderGone() }
    throw Failure(
      .refused, "standard output cannot be written: \(String(cString: strerror(errno)))",
      try: "another file or disk with free space; the output so far is incomplete")
  }
}
