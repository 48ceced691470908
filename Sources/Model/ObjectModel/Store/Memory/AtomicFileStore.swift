/// A store whose rows are in one file, which is locked while it is written.
package protocol AtomicFileStore: WritableAtomicStore, BulkStore {
  /// The file.
  var file: StoreFile { get }
}

extension AtomicFileStore {
  package var stamp: FileStamp? { file.stamp }

  package func exclusively<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError)
    -> Result
  { try file.locked(body) }
}

extension BulkStore where Self: WritableAtomicStore {
  package func keeps(_ key: ObjectKey, of entityName: String) -> Bool {
    if case .integer = key { true } else { model.entity(named: entityName)?.keyAttributes != [] }
  }

  package func saveTogether<Output: Sendable>(
    changing changes: StoreChanges, doing: String, _ body: (any BulkTransaction) throws -> Output
  ) throws -> Output { try cache.saveTogether(in: self, doing: doing, body) }
}
