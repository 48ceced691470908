package import ObjectModel
import SQLQueries

extension PostgreSQLStore: StatementDeleting {
  package func deletionObstacle(of entityName: String) throws(StoreError) -> String? {
    schema.tables[entityName]?.isForeign == true
      ? "a part of them lies on other servers, which do not commit together" : nil
  }

  package func deleteAll(_ plan: FetchPlan, expecting expected: Int?, control: FetchControl?)
    throws(StoreError) -> Int
  {
    let doing = "deleting \(plan.entityName)"
    let question = try ServerQuestion(plan, of: self)
    guard question.isWhole else {
      throw StoreError(
        .unsupported, doing: doing, detail: "the server does not know the whole condition",
        remedy: "select them with * and delete them with d")
    }
    return try pool.lend { connection throws(StoreError) in
      try connection.execute("BEGIN")
      let count = try question.deleteAll(on: connection, control: control, doing: doing)
      if let expected, count != expected {
        throw StoreError(deletedCount: count, insteadOf: expected, doing: doing)
      }
      try FetchControl.committing(doing: doing) { () throws(StoreError) in
        try connection.execute("COMMIT")
      }
      return count
    }
  }
}

extension ServerQuestion {
  fileprivate func deleteAll(
    on connection: ServerConnection, control: FetchControl?, doing: String
  ) throws(StoreError) -> Int {
    let filter: SQL? = plan.predicate.map { _ in "\(where: [condition])" }
    return try connection.run(scope.deletion(filter), doing: doing, control: control)
  }
}
