import CNcurses
import Glibc
import TerminalKit

/// What the terminal's description and the environment say.
struct Capabilities {
  /// Reports clicks and knows xterm's private modes.
  let isLikeXterm: Bool
  let isUnicode: Bool
  let colorSupport: ColorSupport

  /// Call it after the screen was opened.
  init(respectsNoColor: Bool) {
    isLikeXterm = cn_capability("kmous") != nil
    isUnicode = nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
    let asksForNone = respectsNoColor && !(Self.environment("NO_COLOR") ?? "").isEmpty
    guard !asksForNone, has_colors(), start_color() == OK else {
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

  /// A string of the terminal's description, without the pauses that old terminals needed.
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
