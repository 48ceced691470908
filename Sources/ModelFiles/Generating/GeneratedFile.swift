/// A source file that was made from a model.
public struct GeneratedFile: Hashable, Sendable {
  /// The file's name, `MOPerson.swift`.
  public var name: String
  /// The whole text.
  public var contents: String
  /// Whether the file is for the programmer to write in, so that one that is there already must be left as it is.
  public var isWrittenOnce: Bool

  /// Describes a file.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - contents: The whole text.
  ///   - isWrittenOnce: Whether one that is there must be left.
  public init(name: String, contents: String, isWrittenOnce: Bool = false) {
    self.name = name
    self.contents = contents
    self.isWrittenOnce = isWrittenOnce
  }
}
