import CNcurses
import Glibc
import TerminalKit

/// The terminal's capabilities according to terminfo, the locale and the environment.
struct Capabilities {
  /// Whether the terminal supports xterm's mouse reports and private modes.
  let isLikeXterm: Bool
  let isUnicode: Bool
  let colorSupport: ColorSupport

  /// Reads the capabilities; call it after the ncurses screen was opened.
  ///
  /// A non-empty environment variable `NO_COLOR` turns colours off.
  init() {
    isLikeXterm = cn_capability("kmous") != nil || cn_capability("XM") != nil
    isUnicode = nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
    let allowsColor = (Self.environment("NO_COLOR") ?? "").isEmpty
    guard allowsColor, has_colors(), start_color() == OK else {
      colorSupport = .none
      return
    }
    use_default_colors()
    colorSupport =
      switch tigetnum("colors") {
      case 0x100_0000...: .trueColor
      case 256...: .palette
      case 16...: .sixteen
      case 8...: .eight
      default: .none
      }
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Returns a terminfo string as bytes, without padding delays such as `$<5>`; empty if missing.
  static func bytes(_ name: String) -> [UInt8] {
    guard let text = cn_capability(name) else { return [] }
    var result: [UInt8] = []
    var isPause = false
    var rest = String(cString: text).utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<") { isPause = true }
      if !isPause { result.append(byte) }
      if isPause, byte == UInt8(ascii: ">") { isPause = false }
    }
    return result
  }
}
