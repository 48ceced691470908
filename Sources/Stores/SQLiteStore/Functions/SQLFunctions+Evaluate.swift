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

  /// Binds a pointer to an object, which SQLite gives to a release function when the binding is
  /// cleared.
  static func bind(
    _ pointer: UnsafeMutableRawPointer?, to statement: OpaquePointer, at index: Int32,
    release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil
  ) -> Int32 {
    withPointerName { sqlite3_bind_pointer(statement, index, pointer, $0, release) }
  }

  /// The bound pointer that an argument is; nil for any other argument.
  static func pointer(_ argument: OpaquePointer?) -> UnsafeMutableRawPointer? {
    withPointerName { sqlite3_value_pointer(argument, $0) }
  }

  /// Binds a condition; SQLite releases it when the binding is cleared.
  static func bind(_ condition: EvaluatedCondition, to statement: OpaquePointer, at index: Int32)
    -> Int32
  {
    bind(Unretained(retaining: Box(condition)).pointer, to: statement, at: index) {
      Unretained<Box>(pointer: $0).release()
    }
  }

  /// `cardfile_evaluate(condition, x, …)`: whether the values satisfy the condition.
  static let evaluate: Callback = { context, count, arguments in
    guard let arguments, count > 0, let box = Unretained<Box>(pointer: pointer(arguments[0])).object
    else {
      sqlite3_result_error(context, "cardfile_evaluate without a condition", -1)
      return
    }
    let values = (1..<Int(count)).map { value(arguments[$0]) }
    do {
      sqlite3_result_int(context, try box.condition.holds(values) ? 1 : 0)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
      sqlite3_result_error_code(context, SQLITE_ABORT)
    }
  }

  /// The state of `cardfile_group_rows` for one group.
  private final class Group {
    var values = EncodedRows()
  }

  /// `cardfile_group_rows(x, …)`, an aggregate: the values of all rows, encoded as one blob.
  static let groupStep: Callback = { context, count, arguments in
    guard let arguments, let group = AggregateState.current(context, making: Group.init) else {
      return sqlite3_result_error_nomem(context)
    }
    for index in 0..<Int(count) { group.values.append(value(arguments[index])) }
  }

  static let groupFinal: Final = { context in
    result(AggregateState<Group>.take(context)?.values.data ?? Data(), in: context)
  }
}
