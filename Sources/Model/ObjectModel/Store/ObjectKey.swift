/// The key of an object within its entity.
public enum ObjectKey: Hashable, Sendable {
  /// A row's 64-bit integer key: SQLite's rowid, Core Data's Z_PK.
  case integer(Int64)
  /// The stored values of a text or composite key, in the order of the key's columns.
  case composite([Value])
  /// The key of an unsaved object, unique in this process.
  case temporary(UInt64)
}
