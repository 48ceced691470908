import TerminalApplications
import TerminalKit
import TestSupport
import Testing

/// Compares what a state of the application looks like with its golden pictures: at every size, with
/// colours and in ASCII, and the styles of 80 columns by 24 lines with and without colours.
///
/// Without colours the text is the same as with them; a vt100 shows that of ASCII.
@MainActor func expectPictures(
  _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
  of make: (TerminalCapabilities) throws -> Stage
) throws {
  let looks = [
    ("colour", TerminalCapabilities(colorSupport: .palette)),
    ("NO_COLOR", TerminalCapabilities(colorSupport: .none)),
    ("ASCII", TerminalCapabilities(colorSupport: .none, isUnicode: false)),
  ]
  var pictures: [String] = []
  var colored: [String] = []
  for (look, capabilities) in looks {
    let stage = try make(capabilities)
    for (width, height) in [(12, 4), (20, 5), (40, 10), (80, 24), (200, 60)] {
      stage.resize(width: width, height: height)
      let canvas = stage.draw()
      switch look {
      case "NO_COLOR":
        #expect(canvas.text == colored.removeFirst(), sourceLocation: sourceLocation)
      default:
        pictures.append("=== \(width)×\(height) \(look)\n" + canvas.text)
        if look == "colour" { colored.append(canvas.text) }
      }
      if width == 80, look != "ASCII" {
        pictures.append("--- styles \(look)\n" + canvas.styleLayer)
      }
    }
  }
  try expectGolden(pictures.joined(separator: "\n") + "\n", name, sourceLocation: sourceLocation)
}
