import ObjectModel
import SQLQueries
import Synchronization

/// Reads objects of a store on a connection.
///
/// A reader has no state but the statements it has composed: it can be used on any connection whose functions are registered
/// (``SQLFunctions/register(on:)``), on any thread that has exclusive access to the connection.
struct StoreReader: Sendable {
  let layout: StoreLayout
  let storeIdentifier: String
  /// The folder of external files; nil to return their names instead.
  let externalFolder: ExternalFolder?

  private let snapshotQueries = SnapshotQueries()

  init(layout: StoreLayout, storeIdentifier: String, externalFolder: ExternalFolder? = nil) {
    self.layout = layout
    self.storeIdentifier = storeIdentifier
    self.externalFolder = externalFolder
  }

  var compiler: QueryCompiler { QueryCompiler(layout: layout, storeIdentifier: storeIdentifier) }
}

extension StoreReader {
  /// The statement that reads objects of an entity, whole or with long values truncated.
  ///
  /// It is composed once: faults are read a few hundred at a time.
  ///
  /// - Throws: ``StoreError`` if there is no such entity.
  func snapshotQuery(_ entityName: String, isWhole: Bool) throws(StoreError) -> SnapshotQuery {
    let key = SnapshotQueries.Key(entityName: entityName, isWhole: isWhole)
    if let known = snapshotQueries.known.withLock({ $0[key] }) { return known }
    let query = try SnapshotQuery(
      entityName: entityName, layout: layout, storeIdentifier: storeIdentifier, isWhole: isWhole,
      externalFolder: externalFolder)
    snapshotQueries.known.withLock { $0[key] = query }
    return query
  }

  /// The statements that were composed, shared by the copies of a reader.
  private final class SnapshotQueries: Sendable {
    struct Key: Hashable {
      let entityName: String
      let isWhole: Bool
    }

    let known = Mutex<[Key: SnapshotQuery]>([:])
  }
}
