import Dispatch
import Foundation
import FoundationNetworking
public import ObjectModel
public import RESTStore
import Synchronization

/// Sends requests with URLSession, which is made when the first one is sent.
///
/// It is a module of its own, because FoundationNetworking needs the system library libcurl.
public final class URLSessionTransport: HTTPTransport {
  private let session = Mutex<URLSession?>(nil)
  private let exchanges = Exchanges()

  /// Creates a transport; nothing is opened.
  public init() {}

  deinit { session.withLock { $0?.invalidateAndCancel() } }

  /// See `HTTPTransport.response(to:within:control:)`.
  public func response(
    to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
  ) throws(HTTPFailure) -> HTTPResponse {
    var own = URLRequest(url: request.url, timeoutInterval: limits.seconds)
    own.httpMethod = request.method
    own.httpBody = request.body
    for (name, value) in request.headers { own.setValue(value, forHTTPHeaderField: name) }
    let exchange = Exchange(byteLimit: limits.byteCount)
    let task = session.withLock { session in
      let open =
        session
        ?? URLSession(
          configuration: Self.configuration, delegate: exchanges, delegateQueue: nil)
      session = open
      let task = open.dataTask(with: own)
      exchanges.add(exchange, for: task.taskIdentifier)
      return task
    }
    task.resume()
    // URLSession forgets its limit while a service sends a byte now and then.
    var silence = 0.0
    var count = 0
    while !exchange.isDone(within: 0.1) {
      silence = exchange.byteCount == count ? silence + 0.1 : 0
      count = exchange.byteCount
      guard control?.mustStop == true || silence > limits.seconds + 1 else { continue }
      exchange.end(control?.isCancelled == true ? .cancelled : .timedOut)
      task.cancel()
    }
    exchanges.remove(task.taskIdentifier)
    return try exchange.response()
  }

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 4
    return configuration
  }
}

/// The delegate of a session: passes on what comes to the exchange of its task.
private final class Exchanges: NSObject, URLSessionDataDelegate {
  private let all = Mutex<[Int: Exchange]>([:])

  func add(_ exchange: Exchange, for task: Int) { all.withLock { $0[task] = exchange } }

  func remove(_ task: Int) { all.withLock { _ = $0.removeValue(forKey: task) } }

  private subscript(task: URLSessionTask) -> Exchange? {
    all.withLock { $0[task.taskIdentifier] }
  }

  /// Follows no redirect: the store knows to whom it may lead.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    self[task]?.begin(response)
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    self[dataTask]?.begin(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // What is too long is cut off while it comes.
    if self[dataTask]?.take(data) == false { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    self[task]?.complete(error)
  }
}

/// One request, and what has come of its answer.
private final class Exchange: Sendable {
  private struct State {
    var status: Int?
    var headers: [String: String] = [:]
    var body = Data()
    var failure: HTTPFailure?
  }

  private let byteLimit: Int
  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  var byteCount: Int { state.withLock { $0.body.count } }

  func isDone(within seconds: Double) -> Bool { done.wait(timeout: .now() + seconds) == .success }

  func begin(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    state.withLock { state in
      state.status = response.statusCode
      for (name, value) in response.allHeaderFields {
        state.headers["\(name)"] = "\(value)"
      }
    }
  }

  /// Keeps a piece of the body; false if there are too many.
  func take(_ data: Data) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      guard state.body.count + data.count <= byteLimit else {
        (state.failure, state.body) = (HTTPFailure(.tooLarge), Data())
        return false
      }
      state.body.append(data)
      return true
    }
  }

  /// Ends it with a failure, unless it has one.
  func end(_ reason: HTTPFailure.Reason) {
    state.withLock { if $0.failure == nil { $0.failure = HTTPFailure(reason) } }
  }

  func complete(_ error: (any Error)?) {
    state.withLock { state in
      if let error, state.failure == nil {
        state.failure = HTTPFailure(error, hasBegun: state.status != nil)
      }
    }
    done.signal()
  }

  func response() throws(HTTPFailure) -> HTTPResponse {
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    guard let status = state.status else { throw HTTPFailure(.malformed) }
    return HTTPResponse(status: status, headers: state.headers, body: state.body)
  }
}

extension HTTPFailure {
  /// What URLSession says of a task.
  fileprivate init(_ error: any Error, hasBegun: Bool) {
    let code = (error as? URLError)?.code ?? URLError.Code(rawValue: (error as NSError).code)
    let reason: Reason =
      switch code {
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet:
        .unreachable
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired:
        .insecure
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .badServerResponse, .cannotParseResponse: hasBegun ? .lost : .malformed
      default: .lost
      }
    self.init(reason, detail: reason == .insecure ? error.localizedDescription : "")
  }
}
