import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

extension SQLFunctions {
  typealias Final = @convention(c) (OpaquePointer?) -> Void

  /// `cardfile_group_value(x, encoding, asDouble)`: the value that stands for all that are equal in
  /// a group.
  static let groupValue: Callback = { context, _, arguments in
    guard let arguments else { return }
    guard let encoding = encoding(arguments[1]) else {
      return sqlite3_result_value(context, arguments[0])
    }
    result(
      encoding.groupValue(value(arguments[0]), asDouble: sqlite3_value_int(arguments[2]) != 0),
      in: context)
  }

  /// What an aggregate function has found in a group so far.
  private final class State {
    var sum = NumberSum()
    var best = Value.null
  }

  private static func step(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ add: (State, AttributeDescription, Value) -> Void
  ) {
    guard let arguments, let state = AggregateState.current(context, making: State.init),
      let attribute = attribute(arguments[1])
    else { return sqlite3_result_error_nomem(context) }
    if sqlite3_value_type(arguments[0]) != SQLITE_NULL {
      add(state, attribute, value(arguments[0]))
    }
  }

  private static func finish(_ context: OpaquePointer?, _ make: (State) -> Value) {
    result(make(AggregateState<State>.take(context) ?? State()), in: context)
  }

  /// `cardfile_sum(x, encoding)` and `cardfile_average(x, encoding)`: of the numbers alone, and the
  /// same in every order of the rows.
  static let sumStep: Callback = { context, _, arguments in
    step(context, arguments) { state, attribute, value in state.sum.add(attribute.decode(value)) }
  }

  static let sumFinal: Final = { context in finish(context) { $0.sum.sum } }

  static let averageFinal: Final = { context in finish(context) { $0.sum.average } }

  /// `cardfile_min(x, encoding)`: the smallest value of texts that SQLite cannot compare.
  static let minStep: Callback = { context, _, arguments in
    step(context, arguments) { state, attribute, value in
      state.best = attribute.extreme(state.best, value, isLeast: true)
    }
  }

  /// `cardfile_max(x, encoding)`: the greatest value of texts that SQLite cannot compare.
  static let maxStep: Callback = { context, _, arguments in
    step(context, arguments) { state, attribute, value in
      state.best = attribute.extreme(state.best, value, isLeast: false)
    }
  }

  static let bestFinal: Final = { context in finish(context) { $0.best } }

  private static func result(_ value: Value, in context: OpaquePointer?) {
    switch value {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .double(let number): sqlite3_result_double(context, number)
    case .decimal(let decimal): result(decimal.description, in: context)
    case .string(let text): result(text, in: context)
    case .data(let data): result(data, in: context)
    // These are not stored; no encoding of a group's value makes them.
    case .null, .bool, .date, .uuid, .url: sqlite3_result_null(context)
    }
  }

  private static func result(_ text: String, in context: OpaquePointer?) {
    if text.isEmpty { return sqlite3_result_text(context, "", 0, transient) }
    text.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_result_text64(
          context, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }
}
