import Foundation
import GRDBSQLite
import ObjectModel

extension SQLFunctions {
  /// An attribute of each encoding, to decode by.
  private static let attributes = ValueEncoding.byCode.map {
    AttributeDescription("", .undefined, encoding: $0)
  }

  /// `cardfile_image(x, encoding)`: what a stored value is compared as.
  ///
  /// A date gives its seconds since 1970, a UUID its bytes, a decimal its number; what does not fit stays as it is.
  static let image: Callback = { context, _, arguments in
    guard let arguments else { return }
    switch meaning(arguments[0], encoding: arguments[1]) {
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

  /// `cardfile_date(x, encoding)`: a stored date as seconds since 1970; NULL for what is no date.
  static let date: Callback = { context, _, arguments in
    guard let arguments, case .date(let date) = meaning(arguments[0], encoding: arguments[1]) else {
      return
    }
    sqlite3_result_double(context, date.timeIntervalSince1970)
  }

  /// What an argument means; dates in text, the usual ones, are read where they lie.
  private static func meaning(_ argument: OpaquePointer?, encoding: OpaquePointer?) -> Value {
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
