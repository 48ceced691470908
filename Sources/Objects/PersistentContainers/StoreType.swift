/// The type of store that a ``StackFactory`` makes.
///
/// Core Data's XML and binary stores have no case, because nothing here reads them.
public enum StoreType: String, Hashable, Sendable, CaseIterable {
  /// An SQLite database: a Core Data store or plain tables, whichever the file is.
  case sqlite
  /// In memory; it ends with its last context.
  case inMemory

  /// The file extension; nil for a store in memory.
  public var fileExtension: String? {
    switch self {
    case .sqlite: "sqlite"
    case .inMemory: nil
    }
  }
}
