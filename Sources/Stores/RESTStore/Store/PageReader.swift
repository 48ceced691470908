import Dispatch
import Foundation
import ObjectModel
import Synchronization

/// Asks for the pages of an answer one after the other, on a thread of its own, while those before are
/// taken: the service need not wait for that.
///
/// It asks for one page more than was taken, and for no more where pages bring nothing new.
final class PageReader: Sendable {
  /// A page as it came.
  struct Page: Sendable {
    /// Its answer; nil if it is that of the version that the request names.
    var answer: RESTAnswer?
    /// The request of the next one; nil after the last one.
    var next: HTTPRequest?
    /// Whether that was read before: it is not asked for again.
    var repeats = false
    /// How many saves had been made when it was asked for.
    var stamp: Int
  }

  private let own = FetchControl()
  private let pages = Mutex<[Result<Page, StoreError>]>([])
  /// Count the pages that are there, and those that may be asked for.
  private let filled = DispatchSemaphore(value: 0)
  private let allowed = DispatchSemaphore(value: 0)

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - request: The request of the first page.
  ///   - ask: Asks for a page.
  init(
    _ request: HTTPRequest,
    _ ask: @escaping @Sendable (HTTPRequest, FetchControl) throws(StoreError) -> Page
  ) {
    for _ in 0..<2 { allowNext() }
    Thread.detachNewThread { [self] in
      var next: HTTPRequest? = request
      var urls: Set<URL> = []
      while let request = next {
        allowed.wait()
        if own.mustStop { return }
        urls.insert(request.url)
        next = nil
        let result = Result { () throws(StoreError) in
          var page = try ask(request, own)
          page.repeats = page.next.map { urls.contains($0.url) } ?? false
          if !page.repeats { next = page.next }
          return page
        }
        pages.withLock { $0.append(result) }
        filled.signal()
      }
    }
  }

  /// Waits for the next page, unless whoever wants it stops that.
  func page(_ control: FetchControl?) throws(StoreError) -> Page {
    while true {
      if control?.mustStop == true { throw StoreError(.cancelled, doing: "fetching") }
      guard filled.wait(timeout: .now() + 0.05) == .success else { continue }
      return try pages.withLock { $0.removeFirst() }.get()
    }
  }

  /// Allows it to ask for one page more.
  func allowNext() { allowed.signal() }

  /// Asks for no more.
  func stop() {
    own.cancel()
    allowed.signal()
  }
}
