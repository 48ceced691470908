package import Foundation
package import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// Whether the store has persistent history, as with NSPersistentHistoryTrackingKey.
  package var keepsHistory: Bool { layout.coreData?.history != nil }

  /// Reads persistent history into memory: see also ``forEachTransaction(since:_:)``.
  ///
  /// - Parameter date: The earliest time of transactions; nil for all.
  /// - Returns: The transactions, oldest first; empty if the store has no persistent history.
  /// - Throws: `StoreError`.
  package func history(since date: Date? = nil) throws(StoreError) -> [HistoryTransaction] {
    var transactions: [HistoryTransaction] = []
    try forEachTransaction(since: date) { transaction throws(StoreError) in
      if transaction.isContinuation, !transactions.isEmpty {
        transactions[transactions.count - 1].changes += transaction.changes
      } else {
        transactions.append(transaction)
      }
    }
    return transactions
  }

  /// Calls a closure with each transaction of persistent history, oldest first.
  ///
  /// At most 20,000 changes are in memory at a time: a transaction with more is passed in parts,
  /// all but the first marked as continuations. The store may be read and written meanwhile.
  ///
  /// - Parameters:
  ///   - date: The earliest time of transactions; nil for all.
  ///   - body: Called with a transaction; never if the store has no persistent history.
  /// - Throws: `StoreError`, or the error of the closure.
  package func forEachTransaction(
    since date: Date? = nil, _ body: (HistoryTransaction) throws(StoreError) -> Void
  ) throws(StoreError) {
    var position: HistoryReader.Position? = HistoryReader.Position()
    while let start = position {
      let page = try read(doing: "reading the history") { connection throws(StoreError) in
        var reader = HistoryReader(
          layout: layout, storeIdentifier: identifier, connection: connection)
        return try reader?.page(after: start, since: date)
      }
      for transaction in page?.transactions ?? [] { try body(transaction) }
      position = page?.next
    }
  }
}
