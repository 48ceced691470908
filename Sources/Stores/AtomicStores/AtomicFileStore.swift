package import ObjectModel

/// A store whose rows are in one file, which is locked while it is written.
package protocol AtomicFileStore: WritableAtomicStore {
  /// The file.
  var file: StoreFile { get }
}

extension AtomicFileStore {
  package var stamp: FileStamp? { file.stamp }

  package func exclusively<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError)
    -> Result
  { try file.locked(body) }
}
