import Foundation
import TerminalKit
import Testing

/// Compares text with the file kept beside the tests.
///
/// With `CARDFILE_RECORD=1` in the environment the files are written anew.
func expectGolden(
  _ picture: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")
  let file = folder.appendingPathComponent(name + ".txt")
  if ProcessInfo.processInfo.environment["CARDFILE_RECORD"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(picture.utf8).write(to: file)
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  guard picture != expected else { return }
  let (new, old) = (picture.split(separator: "\n"), expected.split(separator: "\n"))
  let place = zip(new, old).enumerated().first { $1.0 != $1.1 }
  Issue.record(
    """
    \(name) differs, first in line \(place.map { $0.offset + 1 } ?? min(new.count, old.count) + 1):
    now:    \(place?.element.0 ?? "(end)")
    before: \(place?.element.1 ?? "(end)")
    """, sourceLocation: sourceLocation)
}
