import Foundation
import Synchronization
package import Testing

/// Blocks of one file are written one after the other.
private let writing = Mutex(())

/// Whether golden files are written instead of compared: `CARDFILE_RECORD=1` in the environment.
private let isRecording = ProcessInfo.processInfo.environment["CARDFILE_RECORD"] == "1"

/// Compares text with the file `Golden/NAME.txt` of the calling test target.
///
/// With `CARDFILE_RECORD=1` in the environment the file is written instead.
package func expectGolden(
  _ text: String, _ name: String, fileID: String = #fileID, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let target = "/\(fileID.prefix { $0 != "/" })/"
  let folder =
    filePath.dropFirst(Repository.root.path.count + 1)
    .split(separator: target)[0] + target
  try expectGolden(text, at: "\(folder)Golden/\(name).txt", sourceLocation: sourceLocation)
}

/// Compares text with a file of the repository.
///
/// With `CARDFILE_RECORD=1` in the environment the file is written instead.
///
/// - Parameters:
///   - text: What the file should contain.
///   - path: The path of the file from the root of the repository.
package func expectGolden(
  _ text: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = Repository.root.appendingPathComponent(path)
  if isRecording {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return
  }
  expectSame(text, try Repository.text(path), path, sourceLocation)
}

/// Compares text with the part of a Markdown file between `<!-- NAME -->` and `<!-- /NAME -->`.
///
/// With `CARDFILE_RECORD=1` in the environment that part is written instead.
package func expectBlock(
  _ text: String, _ name: String, in path: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  if isRecording {
    try writing.withLock { _ in
      let (before, _, after) = try block(name, in: path, sourceLocation)
      try Data((before + text + after).utf8).write(
        to: Repository.root.appendingPathComponent(path))
    }
    return
  }
  expectSame(
    text, try block(name, in: path, sourceLocation).text, "\(name) of \(path)", sourceLocation)
}

/// A marked part of a file, with what is before and after it.
private func block(
  _ name: String, in path: String, _ sourceLocation: SourceLocation
) throws -> (before: String, text: String, after: String) {
  let document = try Repository.text(path)
  let parts = document.components(separatedBy: "<!-- \(name) -->\n")
  let rest = try #require(parts.count == 2 ? parts[1] : nil, sourceLocation: sourceLocation)
  let end = try #require(rest.range(of: "<!-- /\(name) -->"), sourceLocation: sourceLocation)
  return (
    parts[0] + "<!-- \(name) -->\n", String(rest[..<end.lowerBound]),
    String(rest[end.lowerBound...])
  )
}

private func expectSame(
  _ text: String, _ expected: String, _ name: String, _ sourceLocation: SourceLocation
) {
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
