import TerminalKit

/// A report of the mouse as terminals send it (XTerm Control Sequences, "Mouse Tracking").
///
/// It is decoded here because ncurses knows only the form that terminfo names, while multiplexers
/// pass on the reports of the terminal that they run in.
struct MouseReport: Hashable {
  /// The buttons that have a use.
  enum Button: Hashable {
    case left, wheelUp, wheelDown, other
    /// No button: a movement, or a release in the older form, which does not tell the button.
    case none
  }

  let button: Button
  /// Whether the mouse moved.
  let isMotion: Bool
  let isRelease: Bool
  /// The cell under the pointer; (0, 0) is the top left.
  let position: Point

  /// Decodes the newer form (mode 1006), `ESC [ < code ; column ; line M`, or `m` for a release.
  ///
  /// `parameters` are the characters between `ESC [` and the final one. The result is nil if they
  /// are not those of a report.
  init?(parameters: String, final: Unicode.Scalar) {
    guard parameters.hasPrefix("<"), final == "M" || final == "m" else { return nil }
    let numbers = parameters.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) }
    guard numbers.count == 3, let code = numbers[0], let x = numbers[1], let y = numbers[2],
      code >= 0, (1...9999).contains(x), (1...9999).contains(y)
    else { return nil }
    self.init(code: code, isRelease: final == "m", x: x, y: y)
  }

  /// Decodes the older form, the three bytes after `ESC [ M`; nil if they are not those of a report.
  init?(bytes: [UInt8]) {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 0x20 }) else { return nil }
    let code = Int(bytes[0]) - 0x20
    // The byte of a column or line beyond 223 is 0 or wraps around: such a report has no position.
    guard bytes[1] > 0x20, bytes[2] > 0x20 else { return nil }
    self.init(
      code: code, isRelease: code & 0b110_0011 == 3, x: Int(bytes[1]) - 0x20,
      y: Int(bytes[2]) - 0x20)
  }

  /// The bits of `code`: 1 and 2 the button, 4, 8 and 16 modifiers, 32 motion, 64 the wheel,
  /// 128 more buttons.
  private init(code: Int, isRelease: Bool, x: Int, y: Int) {
    isMotion = code & 32 != 0
    self.isRelease = isRelease
    position = Point(x: x - 1, y: y - 1)
    button =
      switch code & 0b1100_0011 {
      case 0: .left
      case 3: .none
      case 64: .wheelUp
      case 65: .wheelDown
      default: .other
      }
  }
}
