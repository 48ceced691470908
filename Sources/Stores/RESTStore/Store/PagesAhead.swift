import Dispatch
import Foundation
import ObjectModel
import Synchronization

/// The answer to a request, which comes while the page before it is written.
///
/// It has a thread of its own: Dispatch has as many as there are cores, and others wait on these.
final class ComingAnswer: Sendable {
  /// How many saves had been made when it was asked for.
  let stamp: Int
  private let own = FetchControl()
  private let result = Mutex<Result<RESTAnswer?, StoreError>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Asks; `ask` returns nil if nothing has changed.
  init(
    stamp: Int, _ ask: @escaping @Sendable (FetchControl) throws(StoreError) -> RESTAnswer?
  ) {
    self.stamp = stamp
    Thread.detachNewThread { [self] in
      let answer = Result { () throws(StoreError) in try ask(own) }
      result.withLock { $0 = answer }
      done.signal()
    }
  }

  /// Waits for the answer, unless whoever wants it stops that.
  func answer(_ control: FetchControl?) throws(StoreError) -> RESTAnswer? {
    repeat {
      if control?.mustStop == true { throw StoreError(.cancelled, doing: "fetching") }
    } while done.wait(timeout: .now() + 0.05) == .timedOut
    return try result.withLock { $0 }?.get()
  }

  /// Asks no longer, if the answer is not there yet.
  func cancel() { own.cancel() }
}

/// Objects of several pages, which are written together: a transaction costs more than a hundred
/// objects.
///
/// The first page is the first screen, and a page that took its time is waited for: neither waits for
/// others.
struct PageBatch {
  let store: RESTStore
  private var objects: [RemoteObject] = []
  private var stamp = 0
  private var written: ContinuousClock.Instant?

  private static let size = 5_000
  private static let patience = Duration.milliseconds(250)

  init(_ store: RESTStore) { self.store = store }

  /// Adds the objects of a page.
  ///
  /// - Parameters:
  ///   - page: The objects.
  ///   - stamp: How many saves had been made when they were asked for.
  /// - Returns: The objects that were written.
  /// - Throws: `StoreError` if they cannot be written.
  mutating func add(_ page: [RemoteObject], stamp: Int) throws(StoreError) -> [ObjectID] {
    var ids = stamp == self.stamp ? [] : try write()
    self.stamp = stamp
    objects += page
    let isDue = written.map { .now - $0 > Self.patience } ?? true
    if isDue || objects.count >= Self.size { ids += try write() }
    return ids
  }

  /// Writes what was added.
  mutating func write() throws(StoreError) -> [ObjectID] {
    if objects.isEmpty { return [] }
    let change = CacheChange(objects: objects)
    objects = []
    written = .now
    return try store.write(change, since: stamp).ids
  }
}
