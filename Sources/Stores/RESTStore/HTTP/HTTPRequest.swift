public import Foundation

/// A request to a service.
public struct HTTPRequest: Hashable, Sendable {
  /// The method, such as `GET`.
  public var method: String
  /// The address.
  public var url: URL
  /// The headers by name.
  public var headers: [String: String]
  /// The body; nil for none.
  public var body: Data?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - method: The method.
  ///   - headers: The headers by name.
  ///   - body: The body; nil for none.
  public init(
    _ url: URL, method: String = "GET", headers: [String: String] = [:], body: Data? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }

  /// Whether it changes nothing in the service, so that it may be repeated.
  package var isSafe: Bool { method == "GET" || method == "HEAD" }
}

extension HTTPRequest: CustomStringConvertible {
  /// Method and address; headers are left out, because they have secrets.
  public var description: String { "\(method) \(url.absoluteString)" }
}

/// The answer of a service.
public struct HTTPResponse: Hashable, Sendable {
  /// The status, such as 200.
  public var status: Int
  /// The headers, by name in small letters.
  public var headers: [String: String]
  /// The body.
  public var body: Data

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The headers by name, in any letters.
  ///   - body: The body.
  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    self.body = body
  }

  /// Whether the status says yes.
  package var isSuccess: Bool { (200..<300).contains(status) }
}

/// The limits of one answer.
public struct HTTPLimits: Hashable, Sendable {
  /// How many seconds may pass without a byte.
  public var seconds = 30.0
  /// How many bytes the body may have; what sends more is cut, and nothing of it is kept.
  public var byteCount = 64 << 20

  /// Creates limits.
  public init(seconds: Double = 30, byteCount: Int = 64 << 20) {
    (self.seconds, self.byteCount) = (seconds, byteCount)
  }
}

/// Why there is no answer.
public struct HTTPFailure: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// No connection was made: nothing was sent.
    case unreachable
    /// The certificate of the service is not valid: nothing was sent.
    case insecure
    /// This machine has no libcurl: nothing was sent.
    case missingLibrary
    /// No byte came in time.
    case timedOut
    /// The connection ended before the answer did.
    case lost
    /// The answer has more bytes than the limit.
    case tooLarge
    /// What came is no HTTP.
    case malformed
    /// The control cancelled it.
    case cancelled
  }

  /// What went wrong.
  package var reason: Reason
  /// Details in words; empty for none.
  package var detail: String

  /// Creates a failure.
  public init(_ reason: Reason, detail: String = "") {
    (self.reason, self.detail) = (reason, detail)
  }

  /// Whether the service may have done what was asked.
  package var mayBeDone: Bool { ![.unreachable, .insecure, .missingLibrary].contains(reason) }
}
