import CNcurses
import Glibc
import TerminalKit

/// Asking the terminal for its background colour, by the sequence OSC 11.
///
/// Nobody waits for the answer: the screen is drawn for a dark terminal, and again if it is a light
/// one. A terminal that does not answer costs nothing.
extension NcursesTerminal {
  /// How long after the question the terminal is left to its shell at the earliest, in milliseconds,
  /// so that an answer that is on its way is not typed there.
  private static let answerPatience = 200

  func askForBackground() {
    send(Array("\u{1B}]11;?\u{1B}\\".utf8))
    backgroundAsked = milliseconds()
  }

  /// Reads an answer that has come, and waits for one that may be on its way.
  func awaitBackground() {
    while let asked = backgroundAsked {
      let rest = max(asked + Self.answerPatience - milliseconds(), 0)
      var file = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&file, 1, Int32(rest)) > 0, cn_waiting_bytes(STDIN_FILENO) > 0 else { break }
      while let event = readEvent() { queue.append(event) }
    }
    backgroundAsked = nil
  }

  /// Reads to the end of a report of the terminal, `ESC ]` … with BEL or `ESC \\` at its end.
  ///
  /// - Returns: The event of another background; nil for any other report. A key if nothing follows.
  func readReport() -> InputEvent? {
    var text = ""
    while case .scalar(let scalar)? = readRest() {
      switch scalar {
      case "\u{7}", "\u{9C}": return event(ofReport: text)
      case "\u{1B}":
        if readRest() != .scalar("\\") { return nil }
        return event(ofReport: text)
      default: if text.utf8.count < 64 { text.unicodeScalars.append(scalar) }
      }
    }
    return text.isEmpty ? .key(.meta("]")) : nil
  }

  private func event(ofReport text: String) -> InputEvent? {
    guard let color = Self.background(inReport: text), let isLight = color.isLight else {
      return nil
    }
    backgroundAsked = nil
    let background: TerminalBackground = isLight ? .light : .dark
    guard background != capabilities.background else { return nil }
    capabilities.background = background
    return .background
  }

  /// The colour of an answer such as `11;rgb:ffff/ffff/ffff`, with 1 to 4 digits for each part; nil
  /// for any other report.
  static func background(inReport text: String) -> Color? {
    guard text.hasPrefix("11;rgb") else { return nil }
    let parts = text.drop { $0 != ":" }.dropFirst().split(separator: "/").prefix(3)
    let bytes = parts.compactMap { part -> UInt8? in
      guard (1...4).contains(part.utf8.count), let value = UInt16(part, radix: 16) else {
        return nil
      }
      return UInt8(Int(value) * 255 / ((1 << (4 * part.utf8.count)) - 1))
    }
    return bytes.count == 3 ? .rgb(red: bytes[0], green: bytes[1], blue: bytes[2]) : nil
  }
}
