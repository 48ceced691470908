import Foundation
package import ObjectModel

/// A file that is written under another name and renamed when it is complete.
package struct FileSink: OutputSink {
  package var bytes: [UInt8] = []
  /// The number of bytes written so far.
  package private(set) var writtenCount = 0
  private let target: FileTarget
  private let draft: Draft

  private static let largeSize = 1 << 18

  /// Creates the file under another name in the same folder.
  ///
  /// - Throws: `FileError` if no file can be created there.
  package init(_ target: FileTarget) throws(FileError) {
    self.target = target
    draft = try target.makeDraft()
  }

  /// Writes the collected bytes if they are many.
  package mutating func flushIfLarge() throws { if bytes.count >= Self.largeSize { try flush() } }

  private mutating func flush() throws {
    try draft.write(bytes)
    writtenCount += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// Begins anew with an empty file, because the store is read again.
  package mutating func startOver() throws {
    bytes.removeAll(keepingCapacity: true)
    writtenCount = 0
    try draft.startOver()
  }

  /// Writes the rest and puts the file in its place.
  ///
  /// - Throws: `FileError`; its code is `EEXIST` if a file has come there meanwhile.
  package mutating func commit() throws {
    try flush()
    try target.put(draft)
  }

  /// Removes what was written; call it when anything was thrown.
  package func discard() { draft.removeName() }
}
