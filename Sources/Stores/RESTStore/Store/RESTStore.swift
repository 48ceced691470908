import Dispatch
import Foundation
public import ObjectModel
import Synchronization

/// A store over a service: answers come from a cache, which is brought up to date behind, and
/// nothing is saved until the service has said yes.
///
/// The cache is a store of ours, in a file or in memory. All that it can do, this one can:
/// predicates, order, sections, pages. What is fetched is asked of the service in the background,
/// and observers are told as its pages come.
public final class RESTStore: ForwardingStore {
  /// The cache.
  public var base: any PersistentStore { cache }
  /// The model of the service.
  public let model: ManagedObjectModel
  /// The connection to the service.
  package let connection: RESTConnection

  let cache: any BulkStore
  let options: RESTOptions
  let keys: RemoteKeys
  let writer: CacheWriter
  let state = Mutex(RESTState())
  let pending = Mutex(PendingSaves())
  let queue = DispatchQueue(label: "cardfile.service", attributes: .concurrent)
  private let client: Mutex<RESTClient>
  /// Held while the cache is written, and while a save is under way.
  private let writing = Mutex(())
  private let saved = Mutex(SavedRows())

  /// Which rows were saved after which answer was asked for: those that it has are older.
  struct SavedRows {
    var count = 0
    var last: [ObjectID: Int] = [:]
  }

  /// Creates a store; nothing is sent before the first fetch.
  ///
  /// - Parameters:
  ///   - client: What is known of the service.
  ///   - transport: What sends the requests.
  ///   - cache: The cache, a store with the ``cacheModel(for:)`` of the client's model.
  ///   - options: How the service is talked to.
  /// - Throws: `StoreError` if the cache has another model, or is read-only.
  public init(
    _ client: sending RESTClient, over transport: any HTTPTransport, cache: any PersistentStore,
    options: RESTOptions = RESTOptions()
  ) throws(StoreError) {
    model = client.model
    connection = RESTConnection(to: client.baseURL, over: transport, options: options)
    guard let cache = cache as? any BulkStore, CacheModel.fits(cache.model, model) else {
      throw StoreError(
        .unsupported, doing: "opening a service", subject: client.baseURL.absoluteString,
        detail: "the cache has another model", remedy: "make it with RESTStore.cacheModel(for:)")
    }
    let textual = model.entities.filter { client.capabilities(of: $0).contains(.textKeys) }
    keys = RemoteKeys(
      model: model, storeIdentifier: cache.identifier, textual: Set(textual.map(\.name)))
    writer = CacheWriter(cache: cache, keys: keys)
    self.cache = cache
    self.options = options
    self.client = Mutex(client)
  }

  /// The model that the cache of a service must have.
  ///
  /// - Parameter model: The model of the service.
  /// - Returns: It without its rules, and with entities for the bookkeeping.
  public static func cacheModel(for model: ManagedObjectModel) -> ManagedObjectModel {
    CacheModel.model(for: model)
  }

  /// The service's address as the name.
  public var summary: StoreSummary {
    let url = connection.baseURL
    return StoreSummary(
      name: (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
        + (url.path == "/" ? "" : url.path), kind: "Service")
  }

  /// How fresh what was fetched is: “fetching 12,000”, “3 min old”, “offline, 3 min old”.
  package var freshness: String {
    let (problem, age) = freshnessParts
    return [problem, age].compactMap(\.self).joined(separator: ", ")
  }

  /// What is wrong, and how old what was fetched is: “offline” and “3 min old”.
  package var freshnessParts: (problem: String?, age: String?) {
    state.withLock { ($0.problem, $0.age) }
  }

  /// Why the service could not be asked last; nil if it could.
  package var trouble: String? { state.withLock { $0.failure?.description } }

  // MARK: Asking the service

  /// Asks the client for something; it must not use the store.
  func withClient<Result: Sendable>(
    _ body: (RESTClient) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try client.withLock { client throws(StoreError) in try body(client) }
  }

  /// Sends a request, and reads the answer; whoever watches this thread can stop it.
  func answer(
    to request: HTTPRequest, of entity: EntityDescription, control: FetchControl? = .current
  ) throws(RESTConnection.Failure) -> RESTAnswer {
    let response = try connection.answer(
      to: request,
      authorize: { request throws(StoreError) in
        request = try withClient { [request] client throws(StoreError) in
          var authorized = request
          try client.authorize(&authorized)
          return authorized
        }
      }, control: control)
    var json = JSONValue.null
    // The answer to a batch may be in parts, which its client reads.
    if !response.body.isEmpty,
      response.headers["content-type"]?.hasPrefix("multipart/") != true
    {
      do { json = try JSONParser.parse(response.body) } catch {
        // An error page of a proxy is HTML: its status says more.
        if response.isSuccess {
          throw RESTConnection.Failure(
            storeError: StoreError(
              .other, doing: "reading", subject: request.url.absoluteString,
              detail: "the answer is no JSON: \(error.words)",
              remedy: "check the address: this may be no service"), mayBeDone: true)
        }
      }
    }
    return RESTAnswer(to: request, entity: entity, response: response, json: json)
  }

  /// Sends a request that reads, and refuses an answer that says no.
  func successfulAnswer(
    to request: HTTPRequest, of entity: EntityDescription, control: FetchControl? = .current
  ) throws(StoreError) -> RESTAnswer {
    let answer: RESTAnswer
    do { answer = try self.answer(to: request, of: entity, control: control) } catch {
      throw error.storeError
    }
    guard answer.response.isSuccess else { throw StoreError(answer) }
    return answer
  }

  /// The objects in the answer to a request about objects; nil if there are none any more.
  func objects(
    _ request: HTTPRequest, of entity: EntityDescription, doing: String = "asking",
    control: FetchControl? = .current
  ) throws(StoreError) -> [RemoteObject]? {
    let answer: RESTAnswer
    do { answer = try self.answer(to: request, of: entity, control: control) } catch {
      throw error.storeError
    }
    if [404, 410].contains(answer.response.status) { return nil }
    guard answer.response.isSuccess else { throw StoreError(answer, doing: doing) }
    return try withClient { client throws(StoreError) in try client.objects(in: answer) }
  }

  // MARK: Writing the cache

  /// How many saves have been made: what is asked for now is at least as new as these.
  var saveCount: Int { saved.withLock { $0.count } }

  /// Writes what the service answered, unless rows were saved since it was asked.
  ///
  /// - Parameters:
  ///   - change: What to write.
  ///   - stamp: ``saveCount`` when it was asked for.
  /// - Returns: What was written; observers are told if anything changed.
  /// - Throws: `StoreError`; nothing is written then.
  @discardableResult
  func write(_ change: CacheChange, since stamp: Int) throws(StoreError) -> CacheWriter.Result {
    let result = try writing.withLock { _ throws(StoreError) in
      var change = change
      let last = saved.withLock { $0.last }
      change.newer = { last[$0] ?? 0 > stamp }
      // What was created by a save that failed later is still a new object in its context.
      let created = pending.withLock { $0.accepted.values.compactMap(\.created) }
      if !created.isEmpty {
        change.objects.removeAll { object in
          created.contains { $0.key == object.key && $0.entity.name == object.shared.name }
        }
      }
      return try writer.write(change)
    }
    if result.hasChanges { callHandlers() }
    return result
  }

  /// Runs a save while nobody else writes the cache, and notes which rows it has made newer.
  func savingAlone(
    _ body: (_ note: ([ObjectID]) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      var ids: [ObjectID] = []
      defer {
        saved.withLock { saved in
          saved.count += 1
          for id in ids { saved.last[id] = saved.count }
        }
      }
      try body { ids += $0 }
    }
  }
}
