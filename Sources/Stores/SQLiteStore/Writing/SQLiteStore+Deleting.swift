package import ObjectModel
import SQLQueries
import Synchronization

extension SQLiteStore: StatementDeleting {
  package func deletionObstacle(of entityName: String) throws(StoreError) -> String? {
    guard layout.coreData == nil else { return "a Core Data store keeps a count of its objects" }
    var changes = StoreChanges()
    changes.deleted = [entityName]
    return try triggers(of: changes).first.map {
      "the trigger \($0.name) would run for each object"
    }
  }

  package func deleteAll(
    _ plan: FetchPlan, expecting expected: Int?, returnsIDs: Bool, control: FetchControl?
  ) throws(StoreError) -> DeletedObjects {
    let doing = "deleting \(plan.entityName)"
    try checkWritable()
    let detector = observers.withLock { $0.detector }
    return try writing(StoreChanges()) { _ in
      try detector?.prepareForSave()
      return try pool.write(doing: doing) { connection throws(StoreError) in
        let watch = StatementWatch(control, on: connection)
        defer { watch?.end() }
        return try writer.saveTogether(
          SaveRequest(), triggers: [], doing: doing, on: connection
        ) { bulk throws(StoreError) in
          let deleted = try bulk.deleteAll(plan, returnsIDs: returnsIDs)
          if let expected, deleted.count != expected {
            throw StoreError(deletedCount: deleted.count, insteadOf: expected, doing: doing)
          }
          return deleted
        }
      }
    }
  }
}
