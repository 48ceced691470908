import TerminalKit

/// Turns reports of the mouse into events.
///
/// It remembers the state of the button and the last press, which drags and double presses need.
struct MouseDecoder {
  /// How soon a second press at the same position is a double press, in milliseconds.
  private static let doublePressInterval = 400

  private var lastPress: (position: Point, time: Int)?
  private var isButtonDown = false

  /// Decodes a report that came at a time in milliseconds, on a clock that never goes back; nil for
  /// a report without a use, such as a movement without a button.
  mutating func event(for report: MouseReport, at time: Int) -> MouseEvent? {
    let position = report.position
    switch report.button {
    case .wheelUp: return MouseEvent(.wheelUp, at: position)
    case .wheelDown: return MouseEvent(.wheelDown, at: position)
    case .left where report.isRelease, .none where report.isRelease && isButtonDown:
      isButtonDown = false
      return MouseEvent(.release, at: position)
    case .left where report.isMotion: return isButtonDown ? MouseEvent(.drag, at: position) : nil
    case .left: return press(at: position, time: time)
    case .none, .other: return nil
    }
  }

  private mutating func press(at position: Point, time: Int) -> MouseEvent {
    isButtonDown = true
    if let last = lastPress, last.position == position,
      time - last.time < Self.doublePressInterval
    {
      lastPress = nil
      return MouseEvent(.doublePress, at: position)
    }
    lastPress = (position, time)
    return MouseEvent(.press, at: position)
  }
}
