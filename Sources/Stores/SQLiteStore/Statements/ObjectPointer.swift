import GRDBSQLite

/// The pointer by which a C function of SQLite gets an object of ours: C closures capture nothing.
///
/// This is the only place of the module that counts references by hand.
enum ObjectPointer<Object: AnyObject> {
  /// A pointer to an object that whoever registers it keeps alive.
  static func unretained(_ object: Object) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque()
  }

  /// A pointer that keeps its object alive until ``release(_:)``.
  static func retained(_ object: Object) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(object).toOpaque()
  }

  static func object(_ pointer: UnsafeMutableRawPointer?) -> Object? {
    pointer.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Calls a closure with an object without counting a reference for each call, which takes a tenth
  /// more of the time of a sort.
  static func with<Result>(_ pointer: UnsafeMutableRawPointer?, _ body: (Object) -> Result)
    -> Result?
  {
    pointer.map { Unmanaged<Object>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
  }

  static func release(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<Object>.fromOpaque(pointer).release() }
  }
}

/// The state of an aggregate function for one group of rows, to which SQLite keeps a pointer.
enum AggregateState<State: AnyObject> {
  /// The state of the group, which is made for its first row; nil if SQLite has no memory.
  static func current(_ context: OpaquePointer?, making make: () -> State) -> State? {
    guard let slot = slot(context, creating: true) else { return nil }
    if slot.pointee == nil { slot.pointee = ObjectPointer.retained(make()) }
    return ObjectPointer<State>.object(slot.pointee)
  }

  /// Takes the state at the end of the group; nil for one without rows.
  static func take(_ context: OpaquePointer?) -> State? {
    guard let slot = slot(context, creating: false) else { return nil }
    defer {
      ObjectPointer<State>.release(slot.pointee)
      slot.pointee = nil
    }
    return ObjectPointer<State>.object(slot.pointee)
  }

  /// Where SQLite keeps the pointer.
  static func slot(_ context: OpaquePointer?, creating: Bool)
    -> UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  {
    let size = creating ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    return sqlite3_aggregate_context(context, size)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
