import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

extension SQLFunctions {
  /// An attribute of each encoding, for decoding.
  private static let attributes = ValueEncoding.byCode.map {
    AttributeDescription("", .undefined, encoding: $0)
  }

  /// `cardfile_sort_key(x, encoding)`: the value by which rows are sorted.
  ///
  /// Seconds since 1970 for a date, bytes for a UUID, a double for a decimal; any other value
  /// unchanged.
  static let sortKey: Callback = { context, _, arguments in
    guard let arguments else { return }
    switch decode(arguments[0], encoding: arguments[1]) {
    case .date(let date): sqlite3_result_double(context, date.timeIntervalSince1970)
    case .decimal(let decimal):
      sqlite3_result_double(context, Number.decimal(decimal).approximation)
    case .uuid(let uuid):
      withUnsafeBytes(of: uuid.uuid) {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
      }
    default: sqlite3_result_value(context, arguments[0])
    }
  }

  /// `cardfile_date(x, encoding)`: a stored date as seconds since 1970; NULL for any other value.
  static let date: Callback = { context, _, arguments in
    guard let arguments, case .date(let date) = decode(arguments[0], encoding: arguments[1]) else {
      return
    }
    sqlite3_result_double(context, date.timeIntervalSince1970)
  }

  /// The decoded value of an argument; ISO dates, the most frequent ones, are parsed in place.
  private static func decode(_ argument: OpaquePointer?, encoding: OpaquePointer?) -> Value {
    let code = Int(sqlite3_value_int(encoding))
    guard attributes.indices.contains(code) else { return .null }
    let attribute = attributes[code]
    guard attribute.encoding == .isoText, sqlite3_value_type(argument) == SQLITE_TEXT else {
      return attribute.decode(value(argument))
    }
    return ISODate.seconds(utf8: text(argument)).map { .date(Date(timeIntervalSince1970: $0)) }
      ?? .null
  }
}
