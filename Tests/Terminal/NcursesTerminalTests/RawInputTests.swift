import CNcurses
import TerminalKit
import Testing

@testable import NcursesTerminal

/// Keys as ncurses and terminals report them.
@MainActor @Suite struct RawInputTests {
  @Test(arguments: [
    ("A", Key.up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end),
    ("Z", .backTab),
  ])
  func `a sequence with a letter is a key whatever modifiers it carries`(
    final: String, key: Key
  ) throws {
    let final = try #require(final.unicodeScalars.first)
    #expect(RawInput.key(ofSequence: "", final: final) == key)
    #expect(RawInput.key(ofSequence: "1;5", final: final) == key)
  }

  @Test(arguments: [
    ("1", Key.home), ("2", .insert), ("3", .delete), ("4", .end), ("5", .pageUp),
    ("6", .pageDown), ("7", .home), ("8", .end), ("3;2", .delete),
  ])
  func `a sequence with a number and a tilde is a key`(parameters: String, key: Key) {
    #expect(RawInput.key(ofSequence: parameters, final: "~") == key)
  }

  @Test func `Enter of the keypad is a key, but a report that ends like it is none`() {
    #expect(RawInput.key(ofSequence: "", introducer: "O", final: "M") == .enter)
    #expect(RawInput.key(ofSequence: "64;10;10", final: "M") == nil)
    #expect(RawInput.key(ofSequence: "<64;10;10", final: "M") == nil)
  }

  @Test(arguments: [("99", "~"), ("", "~"), ("", "q"), ("?1", "c"), ("<0;1;1", "m"), (">0", "H")])
  func `an unknown sequence is no key`(parameters: String, final: String) throws {
    let final = try #require(final.unicodeScalars.first)
    #expect(RawInput.key(ofSequence: parameters, final: final) == nil)
  }

  @Test(
    arguments: [
      (0, Key.control(" ")), (1, .control("a")), (4, .control("d")), (8, .backspace), (9, .tab),
      (10, .enter), (13, .enter), (26, .control("z")), (27, .escape), (28, .control("\\")),
      (127, .backspace),
    ] as [(UInt8, Key)])
  func `a control character is a key`(code: UInt8, key: Key) {
    #expect(RawInput.key(ofControl: Unicode.Scalar(code)) == key)
  }

  @Test(arguments: ["a", " ", "é", "東", "\u{80}"])
  func `a character that types something is no control key`(text: String) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(RawInput.key(ofControl: scalar) == nil)
  }

  @Test(arguments: [
    (KEY_UP, Key.up), (KEY_PPAGE, .pageUp), (KEY_A3, .pageUp), (KEY_BACKSPACE, .backspace),
    (KEY_BTAB, .backTab), (KEY_DC, .delete), (KEY_F0 + 1, .function(1)),
    (KEY_F0 + 12, .function(12)),
  ])
  func `a code of ncurses is a key`(code: Int32, key: Key) {
    #expect(RawInput.key(ofCode: code) == key)
  }

  @Test func `codes without a use are no keys`() {
    #expect(RawInput.key(ofCode: KEY_F0) == nil)
    #expect(RawInput.key(ofCode: KEY_MOUSE) == nil)
    #expect(RawInput.key(ofCode: RawInput.pasteBegin) == nil)
  }
}
