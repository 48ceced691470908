import TerminalKit
import Testing

@testable import NcursesTerminal

/// What terminals answer when they are asked for their background.
@MainActor @Suite struct BackgroundReportTests {
  @Test(arguments: [
    ("11;rgb:ffff/ffff/ffff", Color.rgb(red: 255, green: 255, blue: 255)),
    ("11;rgb:00/2b/36", Color.rgb(red: 0, green: 43, blue: 54)),
    ("11;rgb:f/0/8", Color.rgb(red: 255, green: 0, blue: 136)),
    ("11;rgba:fdfd/f6f6/e3e3/ffff", Color.rgb(red: 253, green: 246, blue: 227)),
  ])
  func `a report of the background is its colour`(text: String, color: Color) {
    #expect(NcursesTerminal.background(inReport: text) == color)
  }

  @Test(arguments: [
    "", "11;?", "10;rgb:ffff/ffff/ffff", "11;rgb:", "11;rgb:12/34", "11;rgb:zz/00/00",
    "11;rgb:12345/0/0", "11;rgb:-1/0/0", "52;c;rgb:00/00/00",
  ])
  func `any other report is none`(text: String) {
    #expect(NcursesTerminal.background(inReport: text) == nil)
  }
}
