import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

extension SQLFunctions {
  /// An attribute of each encoding, for decoding.
  private static let attributes = ValueEncoding.byCode.map {
    AttributeDescription("", .undefined, encoding: $0)
  }

  /// The code of an encoding that an argument is; nil for any other argument.
  private static func code(_ argument: OpaquePointer?) -> Int? {
    let code = Int(sqlite3_value_int(argument))
    return ValueEncoding.byCode.indices.contains(code) ? code : nil
  }

  /// An attribute of the encoding whose code an argument is; nil for any other argument.
  static func attribute(_ argument: OpaquePointer?) -> AttributeDescription? {
    code(argument).map { attributes[$0] }
  }

  /// The encoding whose code an argument is; nil for any other argument.
  static func encoding(_ argument: OpaquePointer?) -> ValueEncoding? {
    code(argument).map { ValueEncoding.byCode[$0] }
  }

  /// `cardfile_sort_key(x, encoding)`: the value by which rows are sorted.
  ///
  /// Seconds since 2001 for a date, as `Date` keeps it; bytes for a UUID, a double for a decimal,
  /// the bytes of external data without their mark, 17 bytes that come after all of these for
  /// another value that does not decode; NULL for NULL.
  static let sortKey: Callback = { context, _, arguments in
    guard let arguments else { return }
    guard sqlite3_value_type(arguments[0]) != SQLITE_NULL else { return }
    switch decode(arguments[0], encoding: arguments[1]) {
    case .date(let date): sqlite3_result_double(context, date.timeIntervalSinceReferenceDate)
    case .decimal(let decimal):
      sqlite3_result_double(context, Number.decimal(decimal).approximation)
    case .uuid(let uuid):
      withUnsafeBytes(of: uuid.uuid) {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
      }
    case .data(let bytes) where !collapses(arguments[1]):
      result(bytes, in: context)
    default:
      guard collapses(arguments[1]) else {
        return sqlite3_result_value(context, arguments[0])
      }
      withUnsafeBytes(of: (UInt64.max, UInt64.max, UInt8.max)) {
        sqlite3_result_blob64(context, $0.baseAddress, 17, transient)
      }
    }
  }

  static func result(_ data: Data, in context: OpaquePointer?) {
    guard !data.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
    data.withUnsafeBytes {
      sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
    }
  }

  /// `cardfile_external(x, limit)`: external data in its inline form, read from its file if it has
  /// one, and truncated to a limit in bytes, -1 for none; any other value, and the reference to a
  /// file that cannot be read, unchanged.
  static let external: Callback = { context, _, arguments in
    guard let arguments else { return }
    let bytes = blob(arguments[0])
    let limit = Int(sqlite3_value_int(arguments[1]))
    guard sqlite3_value_type(arguments[0]) == SQLITE_BLOB else {
      return sqlite3_result_value(context, arguments[0])
    }
    if bytes.first == ExternalFolder.referenceMark,
      let file = Unretained<ExternalFolderBox>(pointer: sqlite3_user_data(context)).object?.folder
        .inlined(value(arguments[0]), limit: limit < 0 ? ExternalFolder.longestFile : limit)
    {
      result(file.value, in: context)
    } else if limit >= 0, limit < bytes.count {
      result(Data(bytes.prefix(limit)), in: context)
    } else {
      sqlite3_result_value(context, arguments[0])
    }
  }

  /// `cardfile_beginning(x, limit)`: the first bytes of a blob, and the 8 bytes of the hash of the
  /// whole (``RowDigest/hash(of:)``), for which the value is read only once.
  static let beginning: Callback = { context, _, arguments in
    guard let arguments else { return }
    let bytes = blob(arguments[0])
    var data = Data(bytes.prefix(Int(sqlite3_value_int(arguments[1]))))
    withUnsafeBytes(of: RowDigest.hash(of: bytes)) { data.append(contentsOf: $0) }
    result(data, in: context)
  }

  private static func collapses(_ encoding: OpaquePointer?) -> Bool {
    attribute(encoding)?.collapsesForeignValues ?? false
  }

  /// `cardfile_date(x, encoding)`: a stored date as seconds since 1970; NULL for any other value.
  static let date: Callback = { context, _, arguments in
    guard let arguments, case .date(let date) = decode(arguments[0], encoding: arguments[1]) else {
      return
    }
    sqlite3_result_double(context, date.timeIntervalSince1970)
  }

  /// `cardfile_text(x, encoding)`: the text of the decoded value, as `CAST(x, 'NSString')` gives
  /// it; NULL for NULL.
  static let castText: Callback = { context, _, arguments in
    guard let arguments, let encoding = encoding(arguments[1]) else { return }
    let field = StoredField(arguments[0])
    if isText(field, in: encoding) { return sqlite3_result_value(context, arguments[0]) }
    withText(of: field, encoding) { if let text = $0 { result(text, in: context) } }
  }

  /// Whether a stored value is itself the text of the decoded value.
  private static func isText(_ field: StoredField, in encoding: ValueEncoding) -> Bool {
    guard case .text(let bytes) = field else { return false }
    return switch encoding {
    case .native, .urlText: true
    // A day alone is written as it is stored.
    case .isoText: bytes.count == 10 && ISODate.referenceSeconds(utf8: bytes) != nil
    default: false
    }
  }

  /// Calls a closure with the text of the decoded value; with nil for NULL.
  static func withText<Result>(
    of field: StoredField, _ encoding: ValueEncoding,
    _ body: (UnsafeBufferPointer<UInt8>?) -> Result
  ) -> Result {
    if case .text(let bytes) = field, isText(field, in: encoding) { return body(bytes) }
    if case .integer(let number) = field, encoding == .native {
      return withDigits(of: number) { body($0) }
    }
    guard case .string(let text) = PredicateCast.string.value(encoding.decode(field.value)) else {
      return body(nil)
    }
    return text.withBytes { body($0) }
  }

  /// Whether the decoded value has a text, for which a condition holds.
  static func hasText(
    _ field: StoredField, _ encoding: ValueEncoding,
    where holds: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    // Whether it is a day takes longer to tell than whether the condition holds.
    if encoding == .isoText, case .text(let bytes) = field, bytes.count == 10 {
      return holds(bytes) && isText(field, in: encoding)
    }
    return withText(of: field, encoding) { $0.map(holds) ?? false }
  }

  /// Calls a closure with an integer in decimal digits.
  private static func withDigits<Result>(
    of number: Int64, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var (rest, start) = (number.magnitude, 20)
      repeat {
        start -= 1
        buffer[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        buffer[start] = UInt8(ascii: "-")
      }
      return body(UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// The decoded value of an argument.
  private static func decode(_ argument: OpaquePointer?, encoding: OpaquePointer?) -> Value {
    guard let encoding = Self.encoding(encoding) else { return .null }
    return decode(StoredField(argument), encoding)
  }

  /// A decoded value; ISO dates, the most frequent ones, are parsed in place.
  static func decode(_ field: StoredField, _ encoding: ValueEncoding) -> Value {
    guard encoding == .isoText, case .text(let bytes) = field else {
      return encoding.decode(field.value)
    }
    return ISODate.referenceSeconds(utf8: bytes)
      .map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
  }
}
