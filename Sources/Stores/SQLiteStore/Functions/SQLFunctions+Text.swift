import GRDBSQLite
import ObjectModel

extension SQLFunctions {
  /// `cardfile_fold(x, options)`: folded text, any other value unchanged.
  static let fold: Callback = { context, _, arguments in
    guard let arguments, sqlite3_value_type(arguments[0]) == SQLITE_TEXT else {
      sqlite3_result_value(context, arguments?[0])
      return
    }
    let options = options(arguments[1])
    let bytes = text(arguments[0])
    if isFolded(bytes, options) {
      sqlite3_result_value(context, arguments[0])
    } else {
      withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: TextFolding.capacity(for: bytes.count)
      ) { buffer in
        let count = TextFolding.fold(bytes, options, to: buffer)
        result(UnsafeBufferPointer(rebasing: buffer[..<count]), in: context)
      }
    }
  }

  /// The folding options of an argument.
  private static func options(_ argument: OpaquePointer?) -> TextFolding.Options {
    TextFolding.Options(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(argument)))
  }

  /// Whether text is folded already: ASCII without capitals that begins with a letter.
  private static func isFolded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ options: TextFolding.Options
  ) -> Bool {
    guard let first = bytes.first, first &- 97 < 26, !options.contains(.numeric) else {
      return false
    }
    return bytes.allSatisfy { $0 < 0x80 && $0 &- 65 >= 26 }
  }

  static func result(_ bytes: UnsafeBufferPointer<UInt8>, in context: OpaquePointer?) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      sqlite3_result_text(context, "", 0, transient)
      return
    }
    start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_result_text64(context, $0, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
    }
  }

  /// `cardfile_length(x)`: the length of text in UTF-16 units, of a blob in bytes; NULL for any
  /// other value.
  static let length: Callback = { context, _, arguments in
    guard let arguments else { return }
    switch sqlite3_value_type(arguments[0]) {
    case SQLITE_TEXT: break
    case SQLITE_BLOB:
      return sqlite3_result_int64(context, Int64(sqlite3_value_bytes(arguments[0])))
    default: return
    }
    let bytes = text(arguments[0])
    let length = ASCII.isAll(bytes) ? bytes.count : String(storedText: bytes).storedLength
    sqlite3_result_int64(context, Int64(length))
  }

  /// `cardfile_contains(needle, options, x, …)`: whether any x contains the folded needle.
  static let contains: Callback = { context, count, arguments in
    var needle: FoldedNeedle?
    search(context, count, arguments) { text, bytes, options in
      if bytes.isEmpty { return false }
      let known = needle ?? Self.needle(bytes, context)
      needle = known
      return TextFolding.contains(text, known, options)
    }
  }

  /// The first argument as a needle; SQLite keeps for the next row where its rarest byte is.
  private static func needle(_ bytes: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?)
    -> FoldedNeedle
  {
    // It is kept as an address, one higher because there is no address 0.
    if let kept = sqlite3_get_auxdata(context, 0) {
      return FoldedNeedle(bytes, rarest: Int(bitPattern: kept) - 1)
    }
    let needle = FoldedNeedle(bytes)
    sqlite3_set_auxdata(context, 0, UnsafeMutableRawPointer(bitPattern: needle.rarest + 1), nil)
    return needle
  }

  /// `cardfile_begins(needle, options, x, …)`: whether any x begins with the folded needle.
  static let begins: Callback = { context, count, arguments in
    search(context, count, arguments) {
      !$1.isEmpty && TextFolding.hasPrefix($0, foldedNeedle: $1, $2)
    }
  }

  /// `cardfile_ends(needle, options, x, …)`: whether any x ends with the folded needle.
  static let ends: Callback = { context, count, arguments in
    search(context, count, arguments) {
      !$1.isEmpty && TextFolding.hasSuffix($0, foldedNeedle: $1, $2)
    }
  }

  /// `cardfile_like(pattern, options, x, …)`: whether any x matches the folded pattern.
  static let like: Callback = { context, count, arguments in
    search(context, count, arguments) { Pattern.like($0, foldedPattern: $1, $2) }
  }

  /// Calls a search for each text argument until one matches.
  @inline(__always)
  private static func search(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ holds: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, TextFolding.Options) -> Bool
  ) {
    guard let arguments, count > 2 else { return }
    let needle = text(arguments[0])
    let options = options(arguments[1])
    var isFound = false
    for index in 2..<Int(count) where sqlite3_value_type(arguments[index]) == SQLITE_TEXT {
      isFound = holds(text(arguments[index]), needle, options)
      if isFound { break }
    }
    sqlite3_result_int(context, isFound ? 1 : 0)
  }
}
