import Foundation
import ObjectModel

/// What a server says of a failure.
struct ServerError {
  /// The five characters of SQLSTATE; empty if the server did not report the failure.
  var state: String
  var message: String
  var detail = ""

  /// A message of several lines as one.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "; ")
  }

  /// The error of a statement; see PostgreSQL's documentation, appendix A.
  ///
  /// - Parameters:
  ///   - doing: What was being done.
  ///   - sql: The statement.
  ///   - isStopped: Whether somebody here has stopped it, and not the server after some time.
  /// - Returns: The error.
  func storeError(doing: String, sql: String, isStopped: Bool = false) -> StoreError {
    if state == "57014", !isStopped, !message.hasSuffix("user request") {
      return StoreError(
        .other, doing: doing, detail: Self.oneLine(message),
        remedy: "give it more time with PGOPTIONS='-c statement_timeout=1h'")
    }
    let reason: StoreError.Reason =
      switch state {
      case "57014": .cancelled
      case "42501": .permissionDenied
      case "25006": .readOnly
      case "55P03": .locked
      case "XX001", "XX002": .corrupt
      case _ where state.hasPrefix("23"): .constraint
      case _ where state.hasPrefix("53"): .disk
      default: .other
      }
    let words = [message, detail].filter { !$0.isEmpty }.map(Self.oneLine)
    var error = StoreError(
      reason, doing: doing, detail: words.joined(separator: ": "),
      remedy: reason == .locked ? "wait until the other session has ended its transaction" : "")
    if reason == .other { error.sql = sql }
    return error
  }
}

/// The address of a database.
enum ServerAddress {
  /// Whether a text is the address of a server and no path.
  static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// The address as it may be shown: no password is in it.
  static func withoutPassword(_ text: String) -> String {
    // A password may have any sign but a slash: it ends at the last @ before one.
    text.replacing(#/(://[^/@:?]*):[^/?]*@/#) { "\($0.1)@" }
      .replacing(#/([?&])(password|sslpassword)=[^&]*/#) { "\($0.1)\($0.2)=…" }
  }
}

extension Value {
  /// The value as a statement's parameter; nil for NULL.
  ///
  /// - Throws: ``StoreError`` for text with a NUL, which no server stores.
  func serverText(doing: String) throws(StoreError) -> String? {
    switch self {
    case .null: return nil
    case .integer(let number): return String(number)
    case .double(let number):
      return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    case .decimal(let number): return "\(number)"
    case .bool(let flag): return flag ? "t" : "f"
    case .data(let data): return "\\x" + data.map { String(format: "%02x", $0) }.joined()
    case .uuid(let uuid): return uuid.uuidString.lowercased()
    case .url(let url): return url.absoluteString
    case .date(let date): return Self.timestamp(date)
    case .string(let text):
      guard !text.utf8.contains(0) else {
        throw StoreError(
          .constraint, doing: doing, detail: "PostgreSQL stores no text with the character U+0000")
      }
      return text
    }
  }

  /// A date as the server reads it, to the microsecond.
  static func timestamp(_ date: Date) -> String {
    let attribute = AttributeDescription("", .date, encoding: .isoText)
    guard case .string(let text)? = try? attribute.encode(.date(date)) else {
      return date.formatted(.iso8601)
    }
    return text
  }
}
