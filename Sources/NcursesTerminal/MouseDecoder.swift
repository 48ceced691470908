import CNcurses
import TerminalKit

/// Turns the mouse reports of ncurses into events.
///
/// It remembers the state of the button and the last press, which drags and double presses need.
struct MouseDecoder {
  /// How soon a second press at the same position is a double press, in milliseconds.
  private static let doublePressInterval = 400

  private var lastPress: (position: Point, time: Int)?
  private var isButtonDown = false

  /// Decodes a report that came at a time in milliseconds, on a clock that never goes back; nil for
  /// a report without a use, such as a movement without a button.
  mutating func event(for report: MEVENT, at time: Int) -> MouseEvent? {
    let position = Point(x: Int(report.x), y: Int(report.y))
    let state = report.bstate
    if state & CN_WHEEL_UP != 0 { return MouseEvent(.wheelUp, at: position) }
    if state & CN_WHEEL_DOWN != 0 { return MouseEvent(.wheelDown, at: position) }
    if state & CN_PRESSED != 0 { return press(at: position, time: time) }
    if state & CN_RELEASED != 0 {
      isButtonDown = false
      return MouseEvent(.release, at: position)
    }
    return state & CN_MOVED != 0 && isButtonDown ? MouseEvent(.drag, at: position) : nil
  }

  /// Returns a press, or a drag: ncurses reports a movement with the button down as another press.
  private mutating func press(at position: Point, time: Int) -> MouseEvent {
    guard !isButtonDown else { return MouseEvent(.drag, at: position) }
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
