/// The type of store that a ``StackFactory`` opens.
public enum StoreType: String, Hashable, Sendable, CaseIterable {
  /// An SQLite database.
  case sqlite
  /// In memory, gone with the stack.
  case inMemory
  /// An XML file: not supported yet, opening one is an error that says so.
  case xml
  /// A binary file: not supported yet, opening one is an error that says so.
  case binary

  /// The extension of its files; nil when it has none.
  public var fileExtension: String? {
    switch self {
    case .sqlite: "sqlite"
    case .inMemory: nil
    case .xml: "xml"
    case .binary: "binary"
    }
  }
}
