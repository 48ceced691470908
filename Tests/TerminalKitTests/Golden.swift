import Foundation
import TerminalKit
import Testing

/// Compares a canvas with the picture kept beside the tests: text first, then styles by letter.
///
/// With `CARDFILE_RECORD=1` in the environment the pictures are written anew.
func expectGolden(
  _ canvas: Canvas, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let picture = canvas.text + "\n== styles\n" + canvas.styleLayer + "\n"
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")
  let file = folder.appendingPathComponent(name + ".txt")
  if ProcessInfo.processInfo.environment["CARDFILE_RECORD"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(picture.utf8).write(to: file)
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(picture == expected, "\(name) differs", sourceLocation: sourceLocation)
}

/// The terminals that pictures are made for.
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
