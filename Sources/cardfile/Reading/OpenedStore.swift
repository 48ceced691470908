import ObjectModel
import SQLiteStore

/// A store that a command has opened, and what the names in its arguments mean there.
struct OpenedStore {
  let store: SQLiteStore
  let names: NameResolver
  /// Whether the first save to a Core Data store copies it before.
  let makesBackup: Bool

  /// Opens a store that a command reads; what is remarkable about it goes to standard error.
  init(_ argument: StoreArgument) throws(StoreError) {
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    options.modelPath = argument.model
    try self.init(path: argument.store, options)
    writeNotes(store.summary.notes)
  }

  /// Opens a store.
  init(path: String, _ options: SQLiteStore.Options) throws(StoreError) {
    store = try SQLiteStore.open(path: path, options: options)
    makesBackup = options.makesBackup
    names = NameResolver(model: store.model, storeName: path)
  }

  /// What the arguments ask for.
  func plan(for entity: EntityDescription, condition: String? = nil, sort: String? = nil)
    throws(Failure) -> FetchPlan
  {
    var plan = FetchPlan(entityName: entity.name)
    if let condition {
      plan.predicate = try Condition.predicate(condition, for: entity, in: store.model)
    }
    if let sort { plan.sortDescriptors = try SortText.descriptors(sort, for: entity, in: names) }
    return plan
  }

  /// Counts all objects of an entity.
  func count(_ entity: EntityDescription, includesSubentities: Bool) throws(StoreError) -> Int {
    try store.count(
      FetchPlan(entityName: entity.name, includesSubentities: includesSubentities), control: nil)
  }
}
