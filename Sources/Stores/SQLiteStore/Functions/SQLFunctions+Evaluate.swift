import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

extension SQLFunctions {
  /// A condition that is bound to a statement as a pointer.
  private final class Box {
    let condition: EvaluatedCondition

    init(_ condition: EvaluatedCondition) { self.condition = condition }
  }

  /// The type name of the pointer, which SQLite compares; a static string, as SQLite requires.
  private static let pointerName: StaticString = "cardfile"

  private static func withPointerName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    pointerName.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: pointerName.utf8CodeUnitCount + 1, body)
  }

  /// Binds a condition; SQLite releases it when the binding is cleared.
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

  /// `cardfile_evaluate(condition, x, …)`: whether the values satisfy the condition.
  static let evaluate: Callback = { context, count, arguments in
    guard let arguments, count > 0,
      let pointer = withPointerName({ sqlite3_value_pointer(arguments[0], $0) })
    else {
      sqlite3_result_error(context, "cardfile_evaluate without a condition", -1)
      return
    }
    let condition = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().condition
    let values = (1..<Int(count)).map { value(arguments[$0]) }
    do {
      sqlite3_result_int(context, try condition.holds(values) ? 1 : 0)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
      sqlite3_result_error_code(context, SQLITE_ABORT)
    }
  }

  /// The state of `cardfile_group_rows` for one group.
  private final class Group {
    var values = EncodedRows()
  }

  private static func group(_ context: OpaquePointer?, creating: Bool)
    -> UnsafeMutablePointer<Unmanaged<Group>?>?
  {
    let size = creating ? Int32(MemoryLayout<Unmanaged<Group>?>.size) : 0
    return sqlite3_aggregate_context(context, size)?
      .assumingMemoryBound(to: Unmanaged<Group>?.self)
  }

  /// `cardfile_group_rows(x, …)`, an aggregate: the values of all rows, encoded as one blob.
  static let groupStep: Callback = { context, count, arguments in
    guard let arguments, let slot = group(context, creating: true) else {
      sqlite3_result_error_nomem(context)
      return
    }
    let group = slot.pointee ?? Unmanaged.passRetained(Group())
    slot.pointee = group
    for place in 0..<Int(count) {
      group.takeUnretainedValue().values.append(value(arguments[place]))
    }
  }

  static let groupFinal: @convention(c) (OpaquePointer?) -> Void = { context in
    guard let slot = group(context, creating: false), let group = slot.pointee else {
      sqlite3_result_zeroblob(context, 0)
      return
    }
    slot.pointee = nil
    group.takeRetainedValue().values.data.withUnsafeBytes {
      sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
    }
  }
}
