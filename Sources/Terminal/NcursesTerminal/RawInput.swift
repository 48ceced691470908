import CNcurses
import TerminalKit

/// One result of `wget_wch`: a character or the code of a function key.
enum RawInput: Hashable {
  case scalar(Unicode.Scalar)
  case code(Int32)

  /// Our own key codes for the markers of a bracketed paste, outside the range of ncurses.
  static let pasteBegin: Int32 = 0x4001
  static let pasteEnd: Int32 = 0x4002

  /// The text that was pasted.
  ///
  /// Terminals send a line feed as a carriage return, as if Enter had been pressed, unless they send
  /// the text as it is: then it has line feeds, and CR LF stays CR LF.
  static func pastedText(_ text: String) -> String {
    text.unicodeScalars.contains("\n") ? text : text.replacing("\r", with: "\n")
  }

  /// Returns the key for an ncurses key code; nil if the program has no use for it.
  static func key(ofCode code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_HOME, KEY_A1: .home
    case KEY_END, KEY_C1: .end
    case KEY_PPAGE, KEY_A3: .pageUp
    case KEY_NPAGE, KEY_C3: .pageDown
    case KEY_DC: .delete
    case KEY_IC: .insert
    case KEY_BACKSPACE: .backspace
    case KEY_BTAB: .backTab
    case KEY_ENTER: .enter
    case KEY_F0 + 1...KEY_F0 + 63: .function(Int(code - KEY_F0))
    default: nil
    }
  }

  /// Returns the key for a control character; nil for a printable character.
  static func key(ofControl scalar: Unicode.Scalar) -> Key? {
    switch scalar.value {
    case 0: .control(" ")
    case 8, 0x7F: .backspace
    case 9: .tab
    case 10, 13: .enter
    case 27: .escape
    case 1...26: Unicode.Scalar(scalar.value + 0x60).map { .control(Character($0)) }
    case 28...31: Unicode.Scalar(scalar.value + 0x40).map { .control(Character($0)) }
    default: nil
    }
  }

  /// Returns the key for a control sequence in xterm, VT220 or rxvt form; nil if it is unknown.
  ///
  /// `parameters` are the characters between `ESC` with its `introducer`, `[` or `O`, and the final
  /// character. Sequences with private parameters are answers and reports, never keys.
  static func key(
    ofSequence parameters: String, introducer: Unicode.Scalar = "[", final: Unicode.Scalar
  ) -> Key? {
    if let first = parameters.first, "<=>?".contains(first) { return nil }
    switch final {
    case "A": return .up
    case "B": return .down
    case "C": return .right
    case "D": return .left
    case "H": return .home
    case "F": return .end
    case "M" where introducer == "O": return .enter
    case "Z": return .backTab
    case "~":
      switch parameters.prefix(while: { $0 != ";" }) {
      case "1", "7": return .home
      case "2": return .insert
      case "3": return .delete
      case "4", "8": return .end
      case "5": return .pageUp
      case "6": return .pageDown
      default: return nil
      }
    default: return nil
    }
  }
}
