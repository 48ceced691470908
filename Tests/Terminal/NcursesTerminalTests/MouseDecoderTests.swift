import TerminalKit
import Testing

@testable import NcursesTerminal

/// Mouse reports of terminals and the events that they are.
@MainActor @Suite struct MouseDecoderTests {
  /// The kinds of the events of reports in the newer form, each with its time in milliseconds.
  private func kinds(_ reports: (String, Int)...) throws -> [MouseEvent.Kind?] {
    var decoder = MouseDecoder()
    return try reports.map { text, time in
      let final = try #require(text.unicodeScalars.last)
      let report = MouseReport(parameters: String(text.dropLast()), final: final)
      return decoder.event(for: try #require(report), at: time)?.kind
    }
  }

  @Test func `a press and a release are events at their position`() throws {
    var decoder = MouseDecoder()
    let press = try #require(MouseReport(parameters: "<0;5;3", final: "M"))
    let release = try #require(MouseReport(parameters: "<0;6;3", final: "m"))
    #expect(decoder.event(for: press, at: 0) == MouseEvent(.press, at: Point(x: 4, y: 2)))
    #expect(decoder.event(for: release, at: 9) == MouseEvent(.release, at: Point(x: 5, y: 2)))
  }

  @Test func `a second press within 400 milliseconds at the same position is a double press`()
    throws
  {
    let (press, release) = ("<0;4;2M", "<0;4;2m")
    #expect(
      try kinds((press, 0), (release, 10), (press, 399), (release, 410), (press, 500)) == [
        .press, .release, .doublePress, .release, .press,
      ])
    #expect(try kinds((press, 0), (release, 10), (press, 400)) == [.press, .release, .press])
    #expect(
      try kinds((press, 0), (release, 10), ("<0;5;2M", 20)) == [.press, .release, .press])
  }

  @Test func `a movement is a drag only while the button is down`() throws {
    let (press, release, move) = ("<0;4;2M", "<0;4;2m", "<32;4;3M")
    #expect(
      try kinds((move, 0), (press, 1), (move, 2), (move, 3), (release, 4), (move, 5)) == [
        nil, .press, .drag, .drag, .release, nil,
      ])
  }

  @Test func `the wheel neither presses nor releases, whatever modifiers are held`() throws {
    #expect(
      try kinds(("<64;4;2M", 0), ("<65;4;2M", 1), ("<80;4;2M", 2), ("<35;4;2M", 3)) == [
        .wheelUp, .wheelDown, .wheelUp, nil,
      ])
  }

  @Test func `other buttons have no use`() throws {
    #expect(
      try kinds(("<1;4;2M", 0), ("<2;4;2M", 1), ("<66;4;2M", 2), ("<128;4;2M", 3)) == [
        nil, nil, nil, nil,
      ])
  }

  @Test(arguments: [
    ([0x20, 0x25, 0x23], MouseEvent(.press, at: Point(x: 4, y: 2))),
    ([0x60, 0x21, 0x21], MouseEvent(.wheelUp, at: Point(x: 0, y: 0))),
    ([0x61, 0xFF, 0x21], MouseEvent(.wheelDown, at: Point(x: 222, y: 0))),
  ])
  func `the older form has button and position too`(bytes: [UInt8], event: MouseEvent) throws {
    var decoder = MouseDecoder()
    #expect(decoder.event(for: try #require(MouseReport(bytes: bytes)), at: 0) == event)
  }

  @Test func `a release in the older form ends a drag, though it does not name the button`() throws
  {
    var decoder = MouseDecoder()
    let bytes: [[UInt8]] = [[0x20, 40, 40], [0x40, 41, 40], [0x23, 41, 40], [0x43, 42, 40]]
    let kinds = try bytes.map {
      decoder.event(for: try #require(MouseReport(bytes: $0)), at: 0)?.kind
    }
    #expect(kinds == [.press, .drag, .release, nil])
  }

  @Test(arguments: [
    "0;1;1M", "<0;1M", "<0;0;1M", "<0;1;0M", "<;1;1M", "<0;1;1;1M", "<x;1;1M", "<0;99999;1M",
    "<-1;1;1M", "<0;1;1A",
  ])
  func `what is not complete is no report`(text: String) throws {
    let final = try #require(text.unicodeScalars.last)
    #expect(MouseReport(parameters: String(text.dropLast()), final: final) == nil)
  }

  @Test(arguments: [[0x20, 0x20, 0x21], [0x20, 0x21], [0x1B, 0x21, 0x21]] as [[UInt8]])
  func `bytes without a position are no report in the older form`(bytes: [UInt8]) {
    #expect(MouseReport(bytes: bytes) == nil)
  }
}
