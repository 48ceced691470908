import CCurl
import Foundation
public import ObjectModel
import Synchronization

/// Sends requests with libcurl, the library of the system, which is opened when the first one is sent:
/// a program that asks no service does without it.
///
/// Connections are kept open for the next request, as many as there were requests at once. A request
/// that writes gets a new one, because libcurl sends again what a kept connection has lost. Proxies
/// are those of the environment (`https_proxy`, `no_proxy`), but never for this machine.
public final class CurlTransport: HTTPTransport {
  /// The addresses of the lines that nobody uses; the last one was used last.
  private let idle = Mutex<[UInt]>([])

  /// Creates a transport; nothing is opened.
  public init() {}

  deinit {
    for address in idle.withLock({ $0 }) {
      if let line = OpaquePointer(bitPattern: address) { cn_curl_close(line) }
    }
  }

  /// See `HTTPTransport.response(to:within:control:)`.
  public func response(
    to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
  ) throws(HTTPFailure) -> HTTPResponse {
    guard
      let line = idle.withLock({ $0.popLast() }).flatMap(OpaquePointer.init(bitPattern:))
        ?? cn_curl_open()
    else { throw HTTPFailure(.missingLibrary) }
    let exchange = CurlExchange(within: limits, control: control)
    let code = exchange.perform(request, on: line)
    let words = String(cString: cn_curl_words(line))
    idle.withLock { $0.append(UInt(bitPattern: line)) }
    if let failure = exchange.failure ?? HTTPFailure(curl: code, words) { throw failure }
    guard let status = exchange.status else { throw HTTPFailure(.malformed) }
    return HTTPResponse(status: status, headers: exchange.headers, body: exchange.body)
  }
}

/// One request, and what has come of its answer.
private final class CurlExchange {
  private(set) var status: Int?
  private(set) var headers: [String: String] = [:]
  private(set) var body = Data()
  /// Why it was ended here.
  private(set) var failure: HTTPFailure?

  private static let headLimit = 1 << 20

  private let limits: HTTPLimits
  private let control: FetchControl?
  private var headCount = 0
  /// How many bytes were sent and came, and since when there were no more.
  private var progress = (byteCount: 0, time: ContinuousClock.now)

  init(within limits: HTTPLimits, control: FetchControl?) {
    (self.limits, self.control) = (limits, control)
  }

  /// Sends the request, and waits; returns the code of libcurl.
  func perform(_ request: HTTPRequest, on line: OpaquePointer) -> Int32 {
    var own = cn_curl_request()
    own.connect_milliseconds = Int(limits.seconds * 1_000)
    own.may_repeat = request.isSafe ? 1 : 0
    own.is_loopback = request.url.isLoopback ? 1 : 0
    own.context = Unmanaged.passUnretained(self).toOpaque()
    own.take_head = { CurlExchange.at($0).takeHead(UnsafeRawBufferPointer(start: $1, count: $2)) }
    own.take_body = { CurlExchange.at($0).takeBody(UnsafeRawBufferPointer(start: $1, count: $2)) }
    own.must_stop = { CurlExchange.at($0).mustStop(sent: Int($1)) }
    let lines = request.headers.map { "\($0.key): \($0.value)" }
    return Self.withCStrings([request.url.absoluteString, request.method] + lines) { texts in
      (request.body ?? Data()).withUnsafeBytes { bytes in
        own.url = texts[0]
        own.method = texts[1]
        own.headers = texts.baseAddress?.advanced(by: 2)
        own.header_count = lines.count
        (own.body, own.body_count) = (bytes.baseAddress, bytes.count)
        return cn_curl_perform(line, &own)
      }
    }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    guard let context else { preconditionFailure("a request has a context") }
    return Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer(body)
  }

  /// Takes a line of the head; each answer before the last, such as 100, begins anew.
  private func takeHead(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    headCount += bytes.count
    guard headCount <= Self.headLimit else { return end(.malformed) }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      let words = line.split(separator: " ", maxSplits: 2)
      status = words.count > 1 ? Int(words[1].prefix(3)) : nil
      headers = [:]
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      let name = line[..<colon].lowercased()
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    return 1
  }

  /// Takes a piece of the body, as it is without its encoding; what is too long is cut off.
  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    guard body.count + bytes.count <= limits.byteCount else {
      body = Data()
      return end(.tooLarge)
    }
    body.append(contentsOf: bytes)
    return 1
  }

  private func mustStop(sent: Int) -> Int32 {
    let byteCount = headCount + body.count + sent
    if byteCount != progress.byteCount { progress = (byteCount, .now) }
    if control?.mustStop == true {
      _ = end(control?.isCancelled == true ? .cancelled : .timedOut)
    } else if .now - progress.time > .seconds(limits.seconds) {
      _ = end(.timedOut)
    }
    return failure == nil ? 0 : 1
  }

  private func end(_ reason: HTTPFailure.Reason) -> Int32 {
    failure = HTTPFailure(reason)
    return 0
  }
}

extension HTTPFailure {
  /// What a code of libcurl says (https://curl.se/libcurl/c/libcurl-errors.html); nil for success.
  fileprivate init?(curl code: Int32, _ words: String) {
    let reason: Reason
    switch code {
    case 0: return nil
    // The names of proxy and host, the connection, and the proxy's handshake.
    case 5, 6, 7, 97: reason = .unreachable
    // The handshake of TLS, and all that may be wrong with certificates.
    case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: reason = .insecure
    case 28: reason = .timedOut
    // An unknown protocol, an answer that is not HTTP (or is HTTP 0.9), a wrong encoding.
    case 1, 8, 61: reason = .malformed
    default: reason = .lost
    }
    self.init(reason, detail: reason == .unreachable || reason == .insecure ? words : "")
  }
}
