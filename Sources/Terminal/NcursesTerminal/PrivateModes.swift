/// The modes of an xterm that the program turns on and off itself: reports of the mouse and
/// bracketed paste.
struct PrivateModes {
  /// Whether the terminal has these modes.
  let areSupported: Bool
  /// Whether the mouse is reported.
  var reportsMouse: Bool

  /// The sequences that turn the modes on.
  var on: [UInt8] {
    areSupported ? Array("\u{1B}[?2004h".utf8) + (reportsMouse ? mouseOn : []) : []
  }

  /// The sequences that turn the modes off, whether they are on or not.
  var off: [UInt8] { areSupported ? mouseOff + Array("\u{1B}[?2004l".utf8) : [] }

  /// Presses and the wheel, movements with the button down, and coordinates of any size.
  private var mouseOn: [UInt8] { Array("\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h".utf8) }
  private var mouseOff: [UInt8] { Array("\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l".utf8) }

  /// Turns the reports of the mouse on or off.
  ///
  /// - Returns: The sequences to send; none if nothing changes.
  mutating func reportMouse(_ isOn: Bool) -> [UInt8] {
    guard areSupported, isOn != reportsMouse else { return [] }
    reportsMouse = isOn
    return isOn ? mouseOn : mouseOff
  }
}
