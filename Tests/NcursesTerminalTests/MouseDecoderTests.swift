import CNcurses
import TerminalKit
import Testing

@testable import NcursesTerminal

/// Mouse reports of ncurses and the events that they are.
@MainActor @Suite struct MouseDecoderTests {
  private func report(_ state: mmask_t, x: Int32 = 4, y: Int32 = 2) -> MEVENT {
    MEVENT(id: 0, x: x, y: y, z: 0, bstate: state)
  }

  /// The kinds of the events of reports, each with its time in milliseconds.
  private func kinds(_ reports: (MEVENT, Int)...) -> [MouseEvent.Kind?] {
    var decoder = MouseDecoder()
    return reports.map { decoder.event(for: $0.0, at: $0.1)?.kind }
  }

  @Test func `a press and a release are events at their position`() {
    var decoder = MouseDecoder()
    let press = decoder.event(for: report(CN_PRESSED), at: 0)
    let release = decoder.event(for: report(CN_RELEASED, x: 5), at: 9)
    #expect(press == MouseEvent(.press, at: Point(x: 4, y: 2)))
    #expect(release == MouseEvent(.release, at: Point(x: 5, y: 2)))
  }

  @Test func `a second press within 400 milliseconds at the same position is a double press`() {
    let (press, release) = (report(CN_PRESSED), report(CN_RELEASED))
    #expect(
      kinds((press, 0), (release, 10), (press, 399), (release, 410), (press, 500)) == [
        .press, .release, .doublePress, .release, .press,
      ])
    #expect(kinds((press, 0), (release, 10), (press, 400)) == [.press, .release, .press])
    #expect(
      kinds((press, 0), (release, 10), (report(CN_PRESSED, x: 5), 20)) == [
        .press, .release, .press,
      ])
  }

  @Test func `a movement is a drag only while the button is down`() {
    let (press, release) = (report(CN_PRESSED), report(CN_RELEASED))
    let move = report(CN_MOVED)
    #expect(
      kinds((move, 0), (press, 1), (move, 2), (press, 3), (release, 4), (move, 5)) == [
        nil, .press, .drag, .drag, .release, nil,
      ])
  }

  @Test func `the wheel neither presses nor releases`() {
    #expect(
      kinds((report(CN_WHEEL_UP), 0), (report(CN_WHEEL_DOWN), 1), (report(CN_MOVED), 2)) == [
        .wheelUp, .wheelDown, nil,
      ])
    #expect(kinds((report(0), 0)) == [nil])
  }
}
