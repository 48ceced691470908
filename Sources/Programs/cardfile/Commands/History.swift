import ArgumentParser
import Foundation
import ObjectModel
import SQLiteStore
import RowOutput

/// `cardfile history`: prints the persistent history of a Core Data store.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the transactions in the persistent history of a Core Data store.",
    discussion: """
      Oldest first: date, author, and changes by entity and property. A store has a history if its \
      app enabled persistent history tracking (SwiftData always does).

      json prints a transaction per line; a deletion has its tombstone values.

      EXAMPLES
        cardfile history Library.sqlite --since 2024-05-01
        cardfile history Library.sqlite --format json
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Option(
    help: ArgumentHelp(
      "Only transactions since a date.",
      discussion: "2024-05-01, or 2024-05-01T13:45:00Z; without a time zone in UTC.",
      valueName: "date"))
  var since: String?

  @Option(help: "The output format.")
  var format = ListFormat.table

  func run() throws {
    let moment = try since.map(moment)
    let opened = try OpenedStore(storeArgument)
    let store = try opened.database(for: "persistent history")
    guard store.keepsHistory else {
      throw Failure(.refused, "\(storeArgument.store) has no persistent history")
    }
    var output = StandardOutput()
    var writer: any HistoryPrinter =
      switch format {
      case .table: HistoryTablePrinter()
      case .json: HistoryJSONPrinter()
      }
    var failure: (any Error)?
    // The store's own reading throws its errors alone: what the output throws is kept until it
    // returns.
    try store.forEachTransaction(since: moment) { transaction throws(StoreError) in
      guard failure == nil else { return }
      do { try writer.write(transaction, to: &output) } catch { failure = error }
    }
    if let failure { throw failure }
    try writer.finish(&output)
    try output.flush()
  }

  private func moment(_ text: String) throws(Failure) -> Date {
    guard let date = ISODate(text) else {
      throw Failure(
        .usage, "--since: “\(text)” is not a date", try: "2024-05-01, or 2024-05-01T13:45:00Z")
    }
    return Date(timeIntervalSince1970: date.seconds)
  }
}
