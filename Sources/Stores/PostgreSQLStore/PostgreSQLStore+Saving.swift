import Foundation
package import ObjectModel
import SQLQueries

extension PostgreSQLStore {
  /// How often a save is run again after another transaction was in its way.
  private static let attempts = 5

  /// Saves in one transaction.
  ///
  /// What a constraint refuses only because of the order of the statements is tried again one by one.
  /// A deadlock or a failure to serialize is tried again from the start. Where the line is cut while
  /// the server commits, a new connection asks what became of the transaction.
  package func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    if let reason = summary.readOnlyReason {
      throw StoreError(.readOnly, doing: request.phrase, subject: summary.name, detail: reason)
    }
    var isCareful = false
    var attempt = 1
    while true {
      var state = ""
      do throws(StoreError) {
        return try pool.lend { connection throws(StoreError) in
          let save = ServerSave(request, self, connection, isCareful: isCareful)
          do throws(StoreError) {
            return try commit(save, on: connection)
          } catch {
            // What other servers have saved a part of is not saved once more.
            if !save.mayBeKept { state = connection.lastState }
            throw error
          }
        }
      } catch {
        if state.hasPrefix("23"), !isCareful {
          isCareful = true
        } else if ["40001", "40P01"].contains(state), attempt < Self.attempts {
          attempt += 1
        } else {
          throw error
        }
      }
    }
  }

  /// Runs a save and takes it back.
  package func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    var rehearsal = SaveRehearsal()
    try pool.lend { connection throws(StoreError) in
      try connection.execute("BEGIN")
      let save = ServerSave(request, self, connection, isCareful: true)
      _ = try save.run()
      rehearsal.statements = save.statements
      try connection.execute("ROLLBACK")
    }
    return rehearsal
  }

  private func commit(_ save: ServerSave, on connection: ServerConnection) throws(StoreError)
    -> SaveResult
  {
    try connection.execute("BEGIN")
    var transaction: Int64?
    try connection.run("SELECT txid_current()") { row in transaction = row.integer(0) }
    let result = try save.run()
    try FetchControl.committing(doing: save.request.phrase) { () throws(StoreError) in
      do throws(StoreError) { try connection.execute("COMMIT") } catch {
        if connection.isOpen { throw withSavedParts(error, of: save) }
        guard let transaction else { throw error }
        if try !isCommitted(transaction, save, after: error) { throw error }
      }
    }
    return result
  }

  /// The error of a refused COMMIT, with what is saved nevertheless: servers that have parts of a table
  /// commit one after the other, not together.
  private func withSavedParts(_ error: StoreError, of save: ServerSave) -> StoreError {
    let ids = save.idsOnOtherServers
    guard !ids.isEmpty else { return error }
    save.mayBeKept = true
    var error = error
    do throws(StoreError) {
      let saved = try save.saved(of: ids, rows(of: ids))
      guard !saved.isEmpty else {
        save.mayBeKept = false
        return error
      }
      error.detail += """
        ; the servers do not commit together: of \(ids.count) objects \(saved.count) \
        \(saved.count == 1 ? "is" : "are") saved nevertheless: \
        \(saved.prefix(5).map(\.phrase).joined(separator: ", "))\(saved.count > 5 ? ", …" : "")
        """
      error.objectIDs = saved
    } catch {
      return StoreError(
        error.reason, doing: error.doing, subject: error.subject, detail: error.detail,
        remedy: """
          look at the objects before you save again: the servers do not commit together, and some may \
          have saved their part
          """)
    }
    error.remedy = "read the objects again, and save the rest"
    return error
  }

  /// What became of a transaction whose answer was lost, by a connection of its own.
  private func isCommitted(
    _ transaction: Int64, _ save: ServerSave, after error: StoreError
  ) throws(StoreError) -> Bool {
    // The server may still be ending it, or be starting again.
    for _ in 0..<20 {
      switch outcome(of: transaction) {
      case "committed":
        // A server that crashed may have given the number to another transaction.
        let ids = save.written
        if let rows = try? rows(of: ids), save.saved(of: ids, rows).count == ids.count {
          return true
        }
      case "aborted": return false
      default: break
      }
      Thread.sleep(forTimeInterval: 0.25)
    }
    var unknown = error
    unknown.remedy = """
      look at the objects before you save again: it is not known whether the server has saved them
      """
    throw unknown
  }

  /// What the server says of a transaction; nil if it does not say it.
  private func outcome(of transaction: Int64) -> String? {
    var status: String?
    try? pool.lend { connection throws(StoreError) in
      do throws(StoreError) {
        _ = try connection.run("SELECT txid_status(\(transaction))") { row in
          status = row.text(0)
        }
      } catch {
        // It is in the future: the server crashed before it had written anything of it.
        if connection.lastState == "22023" { status = "aborted" }
      }
    }
    return status
  }
}
