import CNcurses
import Glibc
import TerminalKit

extension NcursesTerminal {
  /// How long the rest of a sequence may take to arrive, in milliseconds: on a slow line it comes in
  /// parts, and what is left of one must not be taken for typed text.
  private static let sequencePatience = 50

  /// Reads to the end of a control sequence that terminfo does not describe; nil if it is unknown.
  ///
  /// With a wrong `TERM`, or in a multiplexer, keys and the mouse arrive as other sequences than
  /// terminfo's. `introducer` is the character after ESC: `[` or `O`.
  func readSequence(_ introducer: Unicode.Scalar) -> InputEvent? {
    var parameters = ""
    while case .scalar(let scalar)? = readRest() {
      guard (0x40...0x7E).contains(scalar.value) else {
        if parameters.utf8.count < 64 { parameters.unicodeScalars.append(scalar) }
        continue
      }
      if introducer == "[" {
        if scalar == "M", parameters.isEmpty { return readOldMouseReport() }
        if let report = MouseReport(parameters: parameters, final: scalar) { return event(report) }
      }
      return RawInput.key(ofSequence: parameters, introducer: introducer, final: scalar)
        .map { .key($0) }
    }
    return nil
  }

  func readRest() -> RawInput? {
    if let raw = readRaw() { return raw }
    return waitForInput() ? readRaw() : nil
  }

  private func waitForInput() -> Bool {
    var file = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&file, 1, Int32(Self.sequencePatience)) > 0
  }

  /// Reads the three bytes after `ESC [ M`.
  ///
  /// They are read past ncurses, which would take bytes beyond ASCII for parts of characters; it
  /// reads byte by byte and holds none after a complete character.
  private func readOldMouseReport() -> InputEvent? {
    var bytes: [UInt8] = []
    while bytes.count < 3 {
      var byte: UInt8 = 0
      guard waitForInput(), read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
      bytes.append(byte)
    }
    return MouseReport(bytes: bytes).flatMap { event($0) }
  }

  private func event(_ report: MouseReport) -> InputEvent? {
    mouse.event(for: report, at: milliseconds()).map { .mouse($0) }
  }
}
