import AtomicStores
import Foundation
public import ManagedObjects
public import ObjectModel
import SQLiteStore

/// The versions of a model in order, and what a program does between them: SwiftData's
/// `SchemaMigrationPlan`, Core Data's `NSStagedMigrationManager`.
///
///     let plan = MigrationPlan([
///       .init("1", first),
///       .init(
///         "2", second,
///         didMigrate: { context in
///           for person in try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
///             try person.setValue("unknown", forKey: "mail")
///           }
///         }),
///     ])
///     try plan.migrate(path: path)
///
/// Every stage from the version of a store to the last one is run, also where one inference could do
/// them all at once. Keep the model of every version as it was when it was released: a store with any
/// other is refused.
public struct MigrationPlan: Sendable {
  /// What a stage does with the objects.
  public typealias Work = @Sendable (ManagedObjectContext) throws -> Void

  /// A version of the model, and the stage that leads to it from the version before.
  public struct Version: Sendable {
    /// Its name, for messages.
    public let name: String
    /// Its model.
    public let model: ManagedObjectModel
    /// The mapping from the version before; nil for what can be inferred.
    public let mapping: MappingModel?
    fileprivate let willMigrate: Work?
    fileprivate let didMigrate: Work?

    /// Describes a version.
    ///
    /// What is to be done with the objects before and afterwards is saved when the closure returns.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - model: Its model.
    ///   - mapping: The mapping from the version before; nil for what can be inferred.
    ///   - willMigrate: Changes objects that still have the model of the version before; nil for
    ///     nothing.
    ///   - didMigrate: Changes objects that have this model; nil for nothing.
    public init(
      _ name: String, _ model: ManagedObjectModel, mapping: MappingModel? = nil,
      willMigrate: Work? = nil, didMigrate: Work? = nil
    ) {
      (self.name, self.model, self.mapping) = (name, model, mapping)
      (self.willMigrate, self.didMigrate) = (willMigrate, didMigrate)
    }
  }

  /// The versions, the first one first.
  public let versions: [Version]

  /// Makes a plan.
  ///
  /// - Parameter versions: All versions that a store may have, the first one first.
  public init(_ versions: [Version]) { self.versions = versions }

  /// Migrates a store to a version, stage by stage; nothing if it has it.
  ///
  /// A stage's changes before, its migration and its changes afterwards are a transaction each, so
  /// that after an error the store has the model of one of the versions. A store in Core Data's
  /// layout is copied to a backup beside it before the first stage. A store in XML or JSON is written
  /// whole by each.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - name: The name of the version; nil for the last one.
  ///   - progress: Called before each stage with the name of its version, how many stages are done
  ///     and how many there are.
  /// - Throws: `StoreError` if the store has no version of the plan or a later one, a stage cannot be
  ///   inferred, or the store cannot be written; what a closure throws.
  public func migrate(
    path: String, to name: String? = nil,
    progress: (_ version: String, _ completed: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws {
    let target = try index(of: name, path)
    let first = try version(of: path)
    guard first <= target else {
      throw StoreError(
        .unsupported, doing: "migrating", subject: path,
        detail: "it has version \(versions[first].name), which is later than "
          + versions[target].name,
        remedy: "a backup of it, as there is no way back")
    }
    for (done, next) in versions[(first + 1)..<(target + 1)].enumerated() {
      try FetchControl.check(doing: "migrating")
      progress(next.name, done, target - first)
      let previous = versions[first + done].model
      if let work = next.willMigrate {
        try run(work, on: open(path, previous, makesBackup: done == 0))
      }
      let isFirst = done == 0 && next.willMigrate == nil
      try migrate(open(path, previous), to: next, backsUp: isFirst)
      if let work = next.didMigrate { try run(work, on: open(path, next.model)) }
    }
  }

  /// Opens a store of any type; an XML file does not have its model.
  private func open(_ path: String, _ model: ManagedObjectModel, makesBackup: Bool = false)
    throws(StoreError) -> any PersistentStore
  {
    do throws(StoreError) {
      var options = SQLiteStore.Options()
      options.makesBackup = makesBackup
      return try SQLiteStore.open(path: path, options: options)
    } catch  where error.reason == .notADatabase && JSONStore.recognizes(path) {
      return try JSONStore(path: path)
    } catch  where error.reason == .notADatabase && XMLStore.recognizes(path) {
      var options = XMLStore.Options()
      (options.forcesTypes, options.makesBackup) = (true, makesBackup)
      return try XMLStore(path: path, options: options, expectedModel: model)
    }
  }

  private func migrate(_ store: any PersistentStore, to next: Version, backsUp: Bool)
    throws(StoreError)
  {
    if let store = store as? SQLiteStore {
      let migration = try store.migration(to: next.model, mapping: next.mapping)
      try store.migrate(migration, backsUp: backsUp && store.isCoreData)
    } else if let store = store as? any MigratingFileStore {
      let migration = try store.migration(to: next.model, mapping: next.mapping)
      try store.migrate(migration)
    }
  }

  private func run(_ work: Work, on store: any PersistentStore) throws {
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try work(context)
    if context.hasChanges { try context.save() }
  }

  private func index(of name: String?, _ path: String) throws(StoreError) -> Int {
    guard let name else { return max(versions.count - 1, 0) }
    guard let index = versions.firstIndex(where: { $0.name == name }) else {
      throw StoreError(
        .unsupported, doing: "migrating", subject: path,
        detail: "there is no version \(name) in the plan", remedy: "one of \(names)")
    }
    return index
  }

  private var names: String { versions.map(\.name).joined(separator: ", ") }

  /// The index of the version that a store has.
  private func version(of path: String) throws(StoreError) -> Int {
    do throws(StoreError) {
      return try version(having: SQLiteStore.open(path: path).model, path)
    } catch  where error.reason == .notADatabase && JSONStore.recognizes(path) {
      return try version(having: JSONStore(path: path).model, path)
    } catch  where error.reason == .notADatabase && XMLStore.recognizes(path) {
      let possible = try XMLStore.possibleModels(path: path, among: versions.map(\.model))
      let first = possible.first.map { versions[$0].model }
      // Several may be versions of the same model.
      if let index = possible.last, possible.allSatisfy({ versions[$0].model == first }) {
        return index
      }
      throw StoreError(
        .unsupported, doing: "migrating", subject: path,
        detail: "an XML file does not have its model, and "
          + (possible.isEmpty
            ? "it is of no version of the plan"
            : "it can be of " + possible.map { versions[$0].name }.joined(separator: " or of ")),
        remedy: "models that are read from a .momd, whose hashes the file has")
    }
  }

  /// The index of the version with a model, the latest if several have the same.
  private func version(having model: ManagedObjectModel, _ path: String) throws(StoreError) -> Int {
    let same = versions.lastIndex {
      ModelDifference(from: model, to: $0.model).isEmpty
    }
    if let index = same
      ?? versions.lastIndex(where: { model.differences(from: $0.model).isEmpty })
    {
      return index
    }
    let differences = versions.map { ($0.name, model.differences(from: $0.model)) }
    let nearest = differences.min { $0.1.count < $1.1.count }
    throw StoreError(
      .unsupported, doing: "migrating", subject: path,
      detail: "its model is none of the plan's versions (\(names))"
        + (nearest.map {
          "; that of \($0.0) is the nearest: \($0.1.prefix(5).joined(separator: ", "))"
        } ?? ""),
      remedy: "keep the model of every version as it was when it was released")
  }
}
