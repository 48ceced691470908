import Glibc

/// Why the system refused to open, create or change a file.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the error, as `errno`.
  package let code: Int32
  /// The path of the file.
  package let path: String

  package init(_ code: Int32, _ path: String) { (self.code, self.path) = (code, path) }

  /// The system's words for it; `ESTALE` is our own error for a name that leads to another file.
  package var description: String {
    code == ESTALE ? "another file has come in its place" : String(cString: strerror(code))
  }
}
