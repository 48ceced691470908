import GRDBSQLite
import ObjectModel

/// The state of an aggregate function for one group of rows, to which SQLite keeps a pointer.
enum AggregateState<State: AnyObject> {
  /// The state of the group, which is made for its first row; nil if SQLite has no memory.
  static func current(_ context: OpaquePointer?, making make: () -> State) -> State? {
    guard let slot = slot(context, creating: true) else { return nil }
    if slot.pointee == nil { slot.pointee = Unretained(retaining: make()).pointer }
    return Unretained<State>(pointer: slot.pointee).object
  }

  /// Takes the state at the end of the group; nil for one without rows.
  static func take(_ context: OpaquePointer?) -> State? {
    guard let slot = slot(context, creating: false) else { return nil }
    defer {
      Unretained<State>(pointer: slot.pointee).release()
      slot.pointee = nil
    }
    return Unretained<State>(pointer: slot.pointee).object
  }

  /// Where SQLite keeps the pointer.
  private static func slot(_ context: OpaquePointer?, creating: Bool)
    -> UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  {
    let size = creating ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    return sqlite3_aggregate_context(context, size)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
