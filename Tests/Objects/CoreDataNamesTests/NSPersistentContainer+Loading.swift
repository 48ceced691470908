import CoreDataNames

extension NSPersistentContainer {
  /// Loads the stores, and throws the error of one that is not loaded.
  func load() throws {
    var failure: (any Error)?
    loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
  }
}
