import Glibc

extension Draft {
  /// Appends bytes, or the bytes of numbers.
  package func write<Elements: Collection>(_ elements: Elements) throws(FileError)
  where Elements.Element: BitwiseCopyable {
    let isWritten =
      elements.withContiguousStorageIfAvailable {
        writeAll(UnsafeRawBufferPointer($0), to: descriptor)
      } ?? Array(elements).withUnsafeBytes { writeAll($0, to: descriptor) }
    guard isWritten else { throw FileError(errno, folder.path) }
  }

  /// Makes it empty again.
  package func startOver() throws(FileError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FileError(errno, folder.path)
    }
  }

  /// Replaces the file of a name by one with some bytes, or creates it; after a power failure the
  /// old one, or none, may be there.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - folder: Its folder.
  ///   - bytes: The contents.
  ///   - mode: Who may read and write it, of those whom the process lets (umask).
  /// - Throws: ``FileError``; the old file stays then.
  package static func replace(
    _ name: String, in folder: OpenFolder, with bytes: some Collection<UInt8>,
    mode: UInt32 = 0o600
  ) throws(FileError) {
    let draft = try Draft(fileIn: folder, mode: mode)
    try draft.write(bytes)
    try draft.commit(as: name, replacing: true, isDurable: false)
  }
}

/// Writes all bytes to an open file; returns false, with `errno`, if not all could be written.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = Glibc.write(
      descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR {
      return false
    }
  }
  return true
}
