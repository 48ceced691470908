import Foundation
import GRDBSQLite
import ObjectModel

extension SQLFunctions {
  /// Carries a condition through SQLite as a pointer.
  private final class Box {
    let condition: EvaluatedCondition

    init(_ condition: EvaluatedCondition) { self.condition = condition }
  }

  /// The name that SQLite checks pointers by; it must stay where it is as long as the program runs.
  private static let pointerName: StaticString = "cardfile"

  private static func withPointerName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    pointerName.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: pointerName.utf8CodeUnitCount + 1, body)
  }

  /// Binds a condition; SQLite lets it go with the statement.
  static func bind(_ condition: EvaluatedCondition, to statement: OpaquePointer, at place: Int32)
    -> Int32
  {
    let box = Unmanaged.passRetained(Box(condition))
    return withPointerName { name in
      sqlite3_bind_pointer(statement, place, box.toOpaque(), name) {
        if let pointer = $0 { Unmanaged<Box>.fromOpaque(pointer).release() }
      }
    }
  }

  /// `cardfile_evaluate(condition, x, …)`: whether the condition holds for the values.
  static let evaluate: Callback = { context, count, arguments in
    guard let arguments, count > 0,
      let pointer = withPointerName({ sqlite3_value_pointer(arguments[0], $0) })
    else {
      sqlite3_result_error(context, "cardfile_evaluate without a condition", -1)
      return
    }
    let condition = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().condition
    let values = (1..<Int(count)).map { value(arguments[$0]) }
    sqlite3_result_int(context, condition.holds(values) ? 1 : 0)
  }

  /// What `cardfile_gather` has gathered of one group.
  private final class Gathering {
    var values = GatheredValues()
  }

  private static func gathering(_ context: OpaquePointer?, creating: Bool)
    -> UnsafeMutablePointer<Unmanaged<Gathering>?>?
  {
    let size = creating ? Int32(MemoryLayout<Unmanaged<Gathering>?>.size) : 0
    return sqlite3_aggregate_context(context, size)?
      .assumingMemoryBound(to: Unmanaged<Gathering>?.self)
  }

  /// `cardfile_gather(x, …)`, an aggregate: the values of all rows as one blob.
  static let gatherStep: Callback = { context, count, arguments in
    guard let arguments, let slot = gathering(context, creating: true) else {
      sqlite3_result_error_nomem(context)
      return
    }
    let gathering = slot.pointee ?? Unmanaged.passRetained(Gathering())
    slot.pointee = gathering
    for place in 0..<Int(count) {
      gathering.takeUnretainedValue().values.append(value(arguments[place]))
    }
  }

  static let gatherFinal: @convention(c) (OpaquePointer?) -> Void = { context in
    guard let slot = gathering(context, creating: false), let gathering = slot.pointee else {
      sqlite3_result_zeroblob(context, 0)
      return
    }
    slot.pointee = nil
    gathering.takeRetainedValue().values.data.withUnsafeBytes {
      sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
    }
  }
}
