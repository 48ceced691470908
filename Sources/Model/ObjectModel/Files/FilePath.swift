import Glibc

extension String {
  /// Creates a string of a path, or of another argument of the program, of which bytes that are no
  /// UTF-8 stay known: see ``fileSystemBytes``.
  ///
  /// - Parameter path: The bytes, which end with 0.
  package init(fileSystemPath path: UnsafePointer<CChar>) {
    var count = 0
    while path[count] != 0 { count += 1 }
    self = path.withMemoryRebound(to: UInt8.self, capacity: count) {
      String(storedText: UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// The bytes of a path for the system, with 0 at the end.
  ///
  /// A file's name is bytes. Swift would pass U+10FFE9 for the byte E9 of `caf\xe9.sqlite` as four
  /// bytes, which name another file.
  package var fileSystemBytes: [CChar] {
    withBytes { $0.map { CChar(bitPattern: $0) } } + [0]
  }

  /// The path without links; the path itself if it leads nowhere.
  package var canonicalPath: String {
    guard let path = realpath(fileSystemBytes, nil) else { return self }
    defer { free(path) }
    return String(fileSystemPath: path)
  }

  /// What a path names: the part after the last slash.
  package var lastPathPart: String {
    var parts = split(separator: "/", omittingEmptySubsequences: true)
    return parts.popLast().map(String.init) ?? self
  }

  /// The path of the folder that what a path names is in; "." if the path is a name alone.
  package var parentPath: String {
    var path = Substring(self)
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension String {
  /// The 64-bit FNV-1a hash of its UTF-8 bytes: the same in every run of the program, for the names
  /// of files and identifiers.
  package var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
