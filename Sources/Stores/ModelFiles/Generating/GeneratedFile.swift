/// A Swift source file generated from a model.
public struct GeneratedFile: Hashable, Sendable {
  /// The file name, such as `MOPerson.swift`.
  public var name: String
  /// The text of the file.
  public var contents: String
  /// Whether the file is for hand-written code, so that an existing file of this name must not be
  /// overwritten.
  public var isWrittenOnce = false
}
