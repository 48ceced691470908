/// The type of store that a ``StackFactory`` opens.
public enum StoreType: String, Hashable, Sendable, CaseIterable {
  /// An SQLite database.
  case sqlite
  /// In memory; it ends with the stack.
  case inMemory
  /// An XML file: not supported; opening one throws.
  case xml
  /// A binary file: not supported; opening one throws.
  case binary

  /// The file extension; nil for a store in memory.
  public var fileExtension: String? {
    switch self {
    case .sqlite: "sqlite"
    case .inMemory: nil
    case .xml: "xml"
    case .binary: "binary"
    }
  }
}
