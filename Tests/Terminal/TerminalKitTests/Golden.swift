import TerminalKit
import TestSupport
import Testing

/// Compares a canvas with its golden file: the text first, then the styles by letter.
func expectGolden(
  _ canvas: Canvas, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try TestSupport.expectGolden(
    canvas.text + "\n== styles\n" + canvas.styleLayer + "\n", name, sourceLocation: sourceLocation)
}

/// The terminals that golden screens are drawn for.
enum TestTerminal: String, CaseIterable, CustomTestStringConvertible {
  case color, noColor, ascii

  var look: Look {
    switch self {
    case .color: Look(TerminalCapabilities(colorSupport: .palette))
    case .noColor: Look(TerminalCapabilities(colorSupport: .none))
    case .ascii: Look(TerminalCapabilities(colorSupport: .none, isUnicode: false))
    }
  }

  var testDescription: String { rawValue }
}
