public import Foundation
public import ObjectModel

extension SQLiteStore {
  /// Whether the store keeps a history of its changes, as Core Data's persistent history tracking does.
  public var keepsHistory: Bool { layout.coreData?.history != nil }

  /// Reads the store's persistent history at once.
  ///
  /// A long one fills the memory: see ``forEachTransaction(since:_:)``.
  ///
  /// - Parameter date: Transactions from this moment on; nil for all.
  /// - Returns: The transactions, oldest first; empty when the store keeps no history.
  /// - Throws: `StoreError`.
  public func history(since date: Date? = nil) throws(StoreError) -> [HistoryTransaction] {
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

  /// Hands out the store's persistent history, oldest first, without holding more than a piece of it.
  ///
  /// A transaction of very many changes comes in several pieces; all but the first are marked as continuations. The store
  /// may be read and written meanwhile.
  ///
  /// - Parameters:
  ///   - date: Transactions from this moment on; nil for all.
  ///   - body: Takes a transaction. Nothing is called when the store keeps no history.
  /// - Throws: `StoreError`, or what the closure throws.
  public func forEachTransaction(
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
