import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import RESTStore

extension RealService {
  /// The client that fits the server.
  ///
  /// - Parameter token: The token of those that write with one.
  /// - Returns: The client.
  /// - Throws: If the server is none that is known.
  func client(token: String? = nil) throws -> sending RESTClient {
    let metadata = try send(
      HTTPRequest(url.appending(path: "$metadata"), headers: ["Accept": "application/xml"]))
    if metadata.isSuccess { return try ODataClient(baseURL: url, metadata: metadata.body) }
    let probe = DatasetteProbe(url, canWrite: token != nil) {
      [self] request throws(StoreError) -> HTTPResponse in
      var request = request
      if let token { request.headers["Authorization"] = "Bearer \(token)" }
      do { return try send(request) } catch {
        throw StoreError(.unreachable, doing: "asking", detail: "\(error)")
      }
    }
    let client = try #require(try probe.client())
    if let token { client.token = { token } }
    return client
  }

  /// A store over the server that asks only when it is told to, with a cache in memory.
  func store(token: String? = nil) throws -> RESTStore {
    var options = RESTOptions()
    options.updatesBehind = false
    let client = try client(token: token)
    let model = client.model
    return try RESTStore(
      client, over: transport,
      cache: InMemoryStore(model: RESTStore.cacheModel(for: model)), options: options)
  }
}

extension RESTStore {
  /// Brings entities up to date.
  func update(_ names: [String]) throws {
    for name in names { try update(for: FetchPlan(entityName: name)) }
  }

  func context() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: self))
  }

  /// Fetches the objects of an entity by a predicate format.
  func plan(_ entity: String, _ format: String, _ order: [FetchSortDescriptor] = []) throws
    -> FetchPlan
  {
    FetchPlan(
      entityName: entity,
      predicate: try FetchPredicate(format: format).validated(forEntity: entity, in: model),
      sortDescriptors: order)
  }
}
