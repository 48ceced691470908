import ArgumentParser
import ObjectModel
import PostgreSQLStore
import RowOutput

/// `cardfile notify`: prints the triggers by which a server notifies of changes at once.
struct Notify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Print SQL that makes a PostgreSQL server tell of changes at once.",
    discussion: """
      Without it the screen is read again every second while somebody else writes. Nothing is run: \
      read the statements, and give them to psql.

      EXAMPLE
        cardfile notify postgres://db/shop customer orders | psql postgres://db/shop
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Argument(
    help: "The tables; by default all.", completion: StoreCompletion.entities)
  var entities: [String] = []

  func run() throws {
    let opened = try OpenedStore(storeArgument)
    guard let store = opened.store as? PostgreSQLStore else {
      throw Failure(
        .refused, "\(opened.store.summary.name) is in no PostgreSQL server",
        try: "nothing: changes of a file are seen at once")
    }
    let names =
      entities.isEmpty
      ? store.model.entities.map(\.name) : try entities.map { try opened.names.entity($0).name }
    var output = StandardOutput()
    try output.writeUnchanged(store.notifyingStatements(for: names))
    try output.flush()
  }
}
