public import ObjectModel

/// Sends requests: the only thing that a ``RESTStore`` needs of a network.
///
/// It may be used from several threads at once.
public protocol HTTPTransport: Sendable {
  /// Sends a request once, and waits for the answer.
  ///
  /// It follows no redirect, repeats nothing, and keeps neither cookies nor answers.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - limits: How long and how large the answer may be. An answer that is too large is cut off
  ///     while
  ///     it comes.
  ///   - control: Cancels, from another thread.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``HTTPFailure`` if there is no answer, or it did not come whole.
  func response(
    to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
  ) throws(HTTPFailure) -> HTTPResponse
}
