import Dispatch
package import Foundation
package import ObjectModel
import Synchronization

/// How a service is talked to.
public struct RESTOptions: Hashable, Sendable {
  /// The limits of one answer.
  public var limits = HTTPLimits()
  /// How many requests are under way at once.
  package var requestCount = 4
  /// How long a service may make a request wait by `Retry-After`, in seconds.
  package var patience = 60.0
  /// Whether `http` is allowed to other machines than this one.
  public var isInsecure = false
  /// How old what was fetched may be before it is asked for again, in seconds.
  public var maximumAge = 30.0
  /// Whether what is fetched is brought up to date behind; if not, only when
  /// ``RESTStore/update(for:control:)`` is called, as by a program that prints and ends.
  package var updatesBehind = true
  /// How many objects an entity may have; a service that sends more is taken for endless.
  package var objectLimit = 10_000_000
  /// Whether redirects and next pages may lead to another host; it never gets the token.
  public var followsToOtherHosts = false

  /// Creates options.
  public init() {}
}

/// The connection to one service: the rules by which requests are sent over a transport.
///
/// At most four requests are under way at once. `Retry-After` is obeyed, by all requests. What only
/// reads is repeated twice if no answer comes; what writes never is: whoever asked has to look.
package final class RESTConnection: Sendable {
  /// The address of the service.
  package let baseURL: URL
  private let transport: any HTTPTransport
  private let options: RESTOptions
  private let slots: DispatchSemaphore
  private let state = Mutex(State())

  private struct State {
    /// Until when the service wants no requests, on the clock that never jumps.
    var pause = ContinuousClock.now
    var requestCount = 0
  }

  private static let redirectLimit = 5
  private static let repetitions = 2

  /// Creates a connection; nothing is sent.
  ///
  /// - Parameters:
  ///   - baseURL: The address of the service.
  ///   - transport: What sends the requests.
  ///   - options: How.
  package init(to baseURL: URL, over transport: any HTTPTransport, options: RESTOptions = .init()) {
    (self.baseURL, self.transport, self.options) = (baseURL, transport, options)
    slots = DispatchSemaphore(value: max(1, options.requestCount))
  }

  /// How many requests were sent, for `--explain` and tests.
  package var requestCount: Int { state.withLock { $0.requestCount } }

  /// Sends a request, and follows the rules.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - authorize: Adds the token; not called for a request that leads to another host.
  ///   - control: Cancels, from another thread.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `StoreError` if there is none.
  package func response(
    to request: HTTPRequest, authorize: (inout HTTPRequest) throws(StoreError) -> Void = { _ in },
    control: FetchControl? = nil
  ) throws(StoreError) -> HTTPResponse {
    do throws(Failure) {
      return try answer(to: request, authorize: authorize, control: control)
    } catch {
      throw error.storeError
    }
  }

  /// Why there is no answer, and whether the service may have done what was asked.
  struct Failure: Error {
    var storeError: StoreError
    var mayBeDone = false
  }

  func answer(
    to request: HTTPRequest, authorize: (inout HTTPRequest) throws(StoreError) -> Void,
    control: FetchControl?
  ) throws(Failure) -> HTTPResponse {
    var request = request
    var redirects = 0
    while true {
      let response = try repeating(request, authorize, control)
      guard (300..<400).contains(response.status), response.status != 304,
        let location = response.headers["location"],
        let target = URL(string: location, relativeTo: request.url)?.absoluteURL
      else { return response }
      redirects += 1
      guard redirects <= Self.redirectLimit else {
        throw failure(request, "it redirects again and again")
      }
      // Others would lose the body of what writes.
      guard request.isSafe || [303, 307, 308].contains(response.status) else {
        throw failure(request, "it redirects a \(request.method) (\(response.status))")
      }
      if response.status == 303 { (request.method, request.body) = ("GET", nil) }
      request.url = target
    }
  }

  /// Repeats what only reads, and what the service put off.
  private func repeating(
    _ request: HTTPRequest, _ authorize: (inout HTTPRequest) throws(StoreError) -> Void,
    _ control: FetchControl?
  ) throws(Failure) -> HTTPResponse {
    var repetitions = 0
    var waited = 0.0
    while true {
      let result = Result { () throws(Failure) in try send(request, authorize, control) }
      switch result {
      case .success(let response):
        // 429 is said before anything is done; 503 only of what reads.
        guard response.status == 429 || response.status == 503 && request.isSafe else {
          let isRepeated = response.status >= 500 && request.isSafe
          guard isRepeated, repetitions < Self.repetitions else { return response }
          break
        }
        let delay = response.retryDelay ?? Double(1 << min(repetitions, 5))
        waited += delay
        guard waited <= options.patience else { return response }
        pause(for: delay)
      case .failure(let failure):
        guard failure.mayBeDone, request.isSafe, repetitions < Self.repetitions,
          failure.isWorthRepeating
        else { throw failure }
      }
      repetitions += 1
    }
  }

  private func send(
    _ request: HTTPRequest, _ authorize: (inout HTTPRequest) throws(StoreError) -> Void,
    _ control: FetchControl?
  ) throws(Failure) -> HTTPResponse {
    var request = request
    try check(request)
    if isOwn(request.url) {
      do throws(StoreError) { try authorize(&request) } catch {
        throw Failure(storeError: error)
      }
    }
    try wait(control)
    while slots.wait(timeout: .now() + 0.05) == .timedOut { try check(control) }
    defer { slots.signal() }
    state.withLock { $0.requestCount += 1 }
    do throws(HTTPFailure) {
      return try transport.response(to: request, within: options.limits, control: control)
    } catch {
      throw Failure(
        storeError: StoreError(error, of: request, options.limits), mayBeDone: error.mayBeDone)
    }
  }

  /// Refuses addresses that a service must not lead to.
  private func check(_ request: HTTPRequest) throws(Failure) {
    let url = request.url
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host != nil
    else { throw failure(request, "it is no address of a service") }
    guard isOwn(url) || options.followsToOtherHosts else {
      throw failure(
        request, "the service leads to another host", remedy: "allow it if you trust that host")
    }
    guard scheme == "https" || url.isLoopback || options.isInsecure else {
      throw failure(
        request, "http sends everything readable to others",
        remedy: "use https, or --insecure if the network is yours")
    }
  }

  /// Whether an address is of the host, the port and the scheme of the service.
  private func isOwn(_ url: URL) -> Bool { url.origin == baseURL.origin }

  private func failure(_ request: HTTPRequest, _ detail: String, remedy: String = "") -> Failure {
    Failure(
      storeError: StoreError(
        .other, doing: "asking", subject: request.url.absoluteString, detail: detail,
        remedy: remedy))
  }

  private func pause(for seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    state.withLock { $0.pause = max($0.pause, end) }
  }

  /// Waits until the service wants requests again.
  private func wait(_ control: FetchControl?) throws(Failure) {
    while true {
      let rest = state.withLock { $0.pause } - .now
      guard rest > .zero else { return }
      try check(control)
      Thread.sleep(forTimeInterval: min(rest / .seconds(1), 0.05))
    }
  }

  /// Stops what was not sent yet.
  private func check(_ control: FetchControl?) throws(Failure) {
    guard control?.mustStop == true else { return }
    throw Failure(storeError: StoreError(.cancelled, doing: "asking"))
  }
}

extension RESTConnection.Failure {
  fileprivate var isWorthRepeating: Bool {
    storeError.reason == .unreachable && mayBeDone
  }
}

extension StoreError {
  /// The error for a request without an answer.
  init(_ failure: HTTPFailure, of request: HTTPRequest, _ limits: HTTPLimits) {
    let (reason, words, remedy): (Reason, String, String) =
      switch failure.reason {
      case .unreachable: (.unreachable, "", "")
      case .insecure:
        (
          .other, "its certificate is not valid",
          "check the address and the clock of this machine; ask who runs the service"
        )
      case .missingLibrary:
        (
          .unsupported, "this machine has no libcurl 7.66 or later, which sends requests",
          "install it, as with apt install libcurl4"
        )
      case .timedOut: (.unreachable, "no answer within \(Int(limits.seconds)) seconds", "")
      case .lost: (.unreachable, "the connection ended before the answer did", "")
      case .tooLarge:
        (
          .other, "the answer has more than \(Value.grouped(limits.byteCount)) bytes and was cut",
          "ask for smaller pages"
        )
      case .malformed: (.other, "the answer is no HTTP", "check the address and the port")
      case .cancelled: (.cancelled, "", "")
      }
    let detail = [words, failure.detail].filter { !$0.isEmpty }.joined(separator: ": ")
    self.init(
      reason, doing: "asking", subject: request.url.absoluteString, detail: detail, remedy: remedy)
  }
}

extension HTTPResponse {
  /// The seconds of `Retry-After`; nil if there is none.
  ///
  /// A date is compared with the service's own clock, which may be wrong.
  var retryDelay: Double? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = Double(text) { return max(0, seconds) }
    guard let date = Self.date(text) else { return nil }
    return max(0, date.timeIntervalSince(headers["date"].flatMap(Self.date) ?? Date()))
  }

  /// A date of HTTP, as “Sun, 06 Nov 1994 08:49:37 GMT”.
  private static func date(_ text: String) -> Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = text.split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return ISODate("\(words[3])-\(number)-\(words[1])T\(words[4])Z").map {
      Date(timeIntervalSince1970: $0.seconds)
    }
  }
}

extension URL {
  /// Whether it is an address of this machine.
  var isLoopback: Bool {
    ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host?.lowercased() ?? "")
  }

  /// Scheme, host and port, which decide who gets a token.
  var origin: [String] {
    let scheme = scheme?.lowercased() ?? ""
    let port = port ?? (scheme == "https" ? 443 : 80)
    return [scheme, host?.lowercased() ?? "", "\(port)"]
  }
}
