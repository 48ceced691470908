import Foundation

/// An open file of this user, read from its beginning.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  /// The size in bytes when it was opened.
  let byteCount: Int

  /// Opens a regular file of this user for reading; nil if there is none.
  init?(reading path: String) {
    // A pipe would block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else {
      close(descriptor)
      return nil
    }
    (self.descriptor, byteCount) = (descriptor, Int(status.st_size))
  }

  deinit { close(descriptor) }

  /// Reads the next elements; nil if there are fewer.
  borrowing func read<Element: BitwiseCopyable>(_ count: Int, as type: Element.Type) -> [Element]? {
    // Swift writes the count of an array without room into the one empty array of all threads.
    guard count > 0 else { return [] }
    let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      var done = 0
      while done < bytes.count {
        let length = Foundation.read(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if length < 0, errno == EINTR { continue }
        guard length > 0 else { break }
        done += length
      }
      initialized = done == bytes.count ? count : 0
    }
    return elements.count == count ? elements : nil
  }
}
