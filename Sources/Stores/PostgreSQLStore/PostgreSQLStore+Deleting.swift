package import ObjectModel
import SQLQueries

extension PostgreSQLStore: StatementDeleting {
  package func deletionObstacle(of entityName: String) throws(StoreError) -> String? {
    schema.tables[entityName]?.isForeign == true
      ? "a part of them lies on other servers, which do not commit together" : nil
  }

  package func deleteAll(
    _ plan: FetchPlan, expecting expected: Int?, returnsIDs: Bool, control: FetchControl?
  ) throws(StoreError) -> DeletedObjects {
    let doing = "deleting \(plan.entityName)"
    let question = try ServerQuestion(plan, of: self)
    guard question.isWhole else {
      throw StoreError(
        .unsupported, doing: doing, detail: "the server does not know the whole condition",
        remedy: "select them with * and delete them with d")
    }
    return try pool.lend { connection throws(StoreError) in
      try connection.execute("BEGIN")
      let deleted = try question.deleteAll(
        on: connection, returnsIDs: returnsIDs, control: control, doing: doing)
      if let expected, deleted.count != expected {
        throw StoreError(deletedCount: deleted.count, insteadOf: expected, doing: doing)
      }
      try FetchControl.committing(doing: doing) { () throws(StoreError) in
        try connection.execute("COMMIT")
      }
      return deleted
    }
  }
}

extension ServerQuestion {
  fileprivate func deleteAll(
    on connection: ServerConnection, returnsIDs: Bool, control: FetchControl?, doing: String
  ) throws(StoreError) -> DeletedObjects {
    let filter: SQL? = plan.predicate.map { _ in "\(where: [condition])" }
    let deletion = scope.deletion(filter)
    guard returnsIDs else {
      return DeletedObjects(count: try connection.run(deletion, doing: doing, control: control))
    }
    let keyTypes = store.schema.keyTypes(of: plan.entityName)
    let idScope = ObjectIDScope.of(
      storeIdentifier: store.identifier, entityName: plan.entityName)
    var ids: [ObjectID] = []
    try connection.run(
      "\(deletion) RETURNING \(scope.table.keyColumnNames.map(SQL.name))", doing: doing,
      control: control
    ) { row in
      guard let key = store.schema.key(row, from: 0, keyTypes) else { return }
      ids.append(ObjectID(idScope, key: key))
    }
    return DeletedObjects(count: ids.count, ids: ids)
  }
}
