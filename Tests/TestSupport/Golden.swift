import Foundation
package import Testing

/// Compares text with the file `Golden/NAME.txt` of the calling test target.
///
/// With `CARDFILE_RECORD=1` in the environment the file is written instead.
package func expectGolden(
  _ text: String, _ name: String, fileID: String = #fileID,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let target = String(fileID.prefix { $0 != "/" })
  let folder = Repository.root.appendingPathComponent("Tests/\(target)/Golden")
  let file = folder.appendingPathComponent(name + ".txt")
  if ProcessInfo.processInfo.environment["CARDFILE_RECORD"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  guard text != expected else { return }
  let (new, old) = (lines(text), lines(expected))
  let first = zip(new, old).enumerated().first { $1.0 != $1.1 }
  Issue.record(
    """
    \(name) differs, first in line \(first.map { $0.offset + 1 } ?? min(new.count, old.count) + 1):
    now:    \(first?.element.0 ?? "(end)")
    before: \(first?.element.1 ?? "(end)")
    """, sourceLocation: sourceLocation)
}

private func lines(_ text: String) -> [Substring] {
  text.split(separator: "\n", omittingEmptySubsequences: false)
}
