import Foundation
import ManagedObjects
import ObjectModel
import RESTStore
import SQLiteStore
import TestSupport

/// A store over a ``TestService``, with a cache in memory or in a file.
struct ServedStore {
  enum Cache: CaseIterable, Sendable { case memory, file }

  let store: RESTStore
  let service: TestService
  private let folder: TemporaryFolder?

  /// Opens a store that asks only when it is told to, unless `updatesBehind`.
  init(
    _ service: TestService, _ cache: Cache = .memory, capabilities: RESTCapabilities = [],
    _ change: (inout RESTOptions) -> Void = { _ in }
  ) throws {
    self.service = service
    var options = RESTOptions()
    options.updatesBehind = false
    options.patience = 2
    change(&options)
    let model = RESTStore.cacheModel(for: TestService.model)
    switch cache {
    case .memory:
      folder = nil
      store = try RESTStore(
        PeopleClient(service, capabilities), over: service, cache: InMemoryStore(model: model),
        options: options)
    case .file:
      let folder = try TemporaryFolder()
      self.folder = folder
      store = try RESTStore(
        PeopleClient(service, capabilities), over: service,
        cache: try SQLiteStore.create(path: folder.path("cache.sqlite"), model: model),
        options: options)
    }
  }

  func context() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
  }

  /// Brings both entities up to date.
  func update() throws {
    for name in ["Person", "Disc"] { try store.update(for: FetchPlan(entityName: name)) }
  }

  /// The names of the cache.
  func names() throws -> [String] {
    let plan = FetchPlan(entityName: "Person", sortDescriptors: [FetchSortDescriptor("name")])
    let ids = try store.fetch(plan, control: nil).ids
    return try store.rows(of: Array(ids)).compactMap { $0?.values.first?.text }
  }

  func id(_ key: Int64, _ entityName: String = "Person") -> ObjectID {
    ObjectID(storeIdentifier: store.identifier, entityName: entityName, key: .integer(key))
  }
}
