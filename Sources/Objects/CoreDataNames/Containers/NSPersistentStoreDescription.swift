public import Foundation
import PersistentContainers
import Synchronization

/// The type of a store in an SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of Core Data's store in an XML file.
public let NSXMLStoreType = "XML"
/// The type of a store in one file of ours, in JSON: the format of Core Data's is not public.
public let NSBinaryStoreType = "Binary"
/// The type of a store in memory, which ends with its last context.
public let NSInMemoryStoreType = "InMemory"

/// The option to migrate a store with another model: a boolean.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The option to infer the mapping to the new model: a boolean.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option to open a store read-only: a boolean.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"

/// How a container opens its store: a file, or memory.
///
/// Options for mirroring and file protection do not exist, because nothing would follow them.
public final class NSPersistentStoreDescription: Sendable {
  private struct State {
    var url: URL?
    var type = NSSQLiteStoreType
    var isReadOnly = false
    var configuration: String?
    var migrates = true
    var infers = true
  }

  private let state = Mutex(State())

  /// Describes a store whose file is not known yet.
  public init() {}

  /// Describes the store of a file.
  ///
  /// - Parameter url: The file.
  public init(url: URL) { self.url = url }

  /// The file; nil for a store in memory.
  ///
  /// `/dev/null` stands for memory too, as in Xcode's template.
  public var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }

  /// The type of the store, such as `NSXMLStoreType`.
  ///
  /// What a file that exists is decides how it is read.
  public var type: String {
    get { state.withLock { $0.type } }
    set { state.withLock { $0.type = newValue } }
  }

  /// Whether the store is opened read-only; then it is not created either.
  public var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// The configuration of the model whose entities the store has; nil for all.
  public var configuration: String? {
    get { state.withLock { $0.configuration } }
    set { state.withLock { $0.configuration = newValue } }
  }

  /// Whether a store with another model is migrated when it is loaded; true by default.
  public var shouldMigrateStoreAutomatically: Bool {
    get { state.withLock { $0.migrates } }
    set { state.withLock { $0.migrates = newValue } }
  }

  /// Whether the mapping to the new model is inferred; true by default.
  public var shouldInferMappingModelAutomatically: Bool {
    get { state.withLock { $0.infers } }
    set { state.withLock { $0.infers = newValue } }
  }

  /// Sets an option by its name.
  ///
  /// There are `NSMigratePersistentStoresAutomaticallyOption`,
  /// `NSInferMappingModelAutomaticallyOption` and `NSReadOnlyPersistentStoreOption`. Others do
  /// nothing, as those of Core Data that it does not know.
  ///
  /// - Parameters:
  ///   - option: The value; nil for that of a new description.
  ///   - key: The name of the option.
  public func setOption(_ option: NSNumber?, forKey key: String) {
    switch key {
    case NSMigratePersistentStoresAutomaticallyOption:
      shouldMigrateStoreAutomatically = option?.boolValue ?? true
    case NSInferMappingModelAutomaticallyOption:
      shouldInferMappingModelAutomatically = option?.boolValue ?? true
    case NSReadOnlyPersistentStoreOption: isReadOnly = option?.boolValue ?? false
    default: break
    }
  }

  /// The options of the container that opens the store; nil if there are no stores of its type.
  var storeOptions: StoreOptions? {
    guard let storeType else { return nil }
    var options = StoreOptions(isReadOnly: isReadOnly, type: storeType)
    options.migratesAutomatically = shouldMigrateStoreAutomatically
    options.infersMappingModel = shouldInferMappingModelAutomatically
    return options
  }

  /// The type of the store if it is created; nil if there are none of that name.
  private var storeType: StoreType? {
    switch type {
    case NSSQLiteStoreType: .sqlite
    case NSXMLStoreType: .xml
    case NSBinaryStoreType: .binary
    default: nil
    }
  }

  var isInMemory: Bool { type == NSInMemoryStoreType || url?.path == "/dev/null" }
}
