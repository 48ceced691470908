import Foundation

/// Writes a line to standard error; `stderr` itself is shared mutable state that Swift 6 does not hand out.
func writeToStandardError(_ text: String) {
  try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
}
