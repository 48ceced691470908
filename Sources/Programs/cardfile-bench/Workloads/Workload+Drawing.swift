import ListProviders
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalKit

extension Workload {
  static let draw = Workload(
    name: "draw",
    meaning: "draw 200×50 cells at a random row of a list; read 50 random rows by key",
    goal: .ratio(4)
  ) { setting in
    try MainActor.assumeIsolated { try measureDrawing(setting) }
  }

  @MainActor private static func measureDrawing(_ setting: Setting) throws -> Measurement {
    let store = try SQLiteStore.open(path: setting.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let provider = TableViewProvider<ManagedObject>(
      entityName: "people", displayAttributeName: "surname", context: context)
    provider.sectionNameKeyPath = "surname:initial"
    let table = TableView()
    provider.attach(to: table)
    provider.performFetchAndReloadTableView()
    var canvas = Canvas(size: Size(width: 200, height: 50))
    let database = try RawDatabase(path: setting.path)
    let statement = try database.prepare(
      "SELECT name, surname, email, city, born, notes FROM people WHERE id = ?")
    var generator = SeededGenerator(seed: 11)
    return try Measurement(
      setting,
      ours: {
        let row = Int.random(in: 0..<setting.rows, using: &generator)
        if let path = table.path(ofRow: row) { table.moveCursor(to: path) }
        table.draw(in: &canvas)
      },
      raw: {
        var letters = 0
        for _ in 0..<50 {
          statement.bind(Int64.random(in: 1...Int64(setting.rows), using: &generator), at: 1)
          while try statement.step() {
            for column in 0..<6 { letters += statement.text(at: Int32(column)).utf8.count }
          }
          statement.reset()
        }
        consume(letters)
      })
  }
}
