import Foundation
import ObjectModel
import SQLiteStore
import Transfers

extension Workload {
  static let importing = Workload(
    name: "import",
    meaning: "import a CSV file; a loop that inserts the same rows, read from another table",
    goal: .ratio(3), memoryGoal: 80
  ) { setting in try measureImport(setting, keys: []) }

  static let upsert = Workload(
    name: "upsert",
    meaning: "import a CSV file by key, where half of the rows are there; the same loop",
    goal: .ratio(5), memoryGoal: 80
  ) { setting in try measureImport(setting, keys: ["id"]) }

  private static func measureImport(_ setting: Setting, keys: [String]) throws -> Measurement {
    let file = setting.path + ".csv"
    try writeFile(of: setting.path, to: file)
    defer { try? FileManager.default.removeItem(atPath: file) }
    var options = ImportOptions()
    options.keys = keys
    func empty() throws -> String {
      let path = setting.path + ".new"
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      let database = try RawDatabase(path: path)
      let source = setting.path.replacing("'", with: "''")
      try database.execute(
        """
        ATTACH '\(source)' AS source; CREATE TABLE people(\(PeopleDatabase.declaration));
        \(keys.isEmpty ? "" : "INSERT INTO people SELECT * FROM source.people WHERE id % 2 = 0;")
        """)
      return path
    }
    return try Measurement(
      setting,
      ours: {
        let store = try SQLiteStore.open(path: empty())
        let importer = try Importer(file, as: people(in: store), into: store, options: options)
        let result = try importer.run(acceptsRejects: false) { _ in }
        consume(result.inserted)
      },
      raw: { try insertRows(of: setting.path, into: empty(), replacing: !keys.isEmpty) })
  }

  private static func insertRows(of source: String, into path: String, replacing: Bool) throws {
    let from = try RawDatabase(path: source)
    let database = try RawDatabase(path: path)
    let names = ["id"] + PeopleDatabase.columns
    let rows = try from.prepare("SELECT \(names.joined(separator: ", ")) FROM people")
    try database.execute("BEGIN")
    let insertion = try database.prepare(
      "\(replacing ? "REPLACE" : "INSERT") INTO people VALUES (?, ?, ?, ?, ?, ?, ?)")
    while try rows.step() {
      insertion.bind(rows.integer(at: 0), at: 1)
      for column in 1..<names.count {
        insertion.bind(rows.optionalText(at: Int32(column)), at: Int32(column + 1))
      }
      _ = try insertion.step()
      insertion.reset()
    }
    try database.execute("COMMIT")
  }

  /// Writes the table as CSV.
  private static func writeFile(of path: String, to file: String) throws {
    let names = ["id"] + PeopleDatabase.columns
    let database = try RawDatabase(path: path)
    let rows = try database.prepare("SELECT \(names.joined(separator: ", ")) FROM people")
    var bytes: [UInt8] = []
    CSVText.appendLine(names, to: &bytes)
    try Data().write(to: URL(fileURLWithPath: file))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    while try rows.step() {
      CSVText.appendLine(
        names.indices.map { rows.optionalText(at: Int32($0)) }, to: &bytes)
      if bytes.count > 1 << 20 {
        try handle.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }
}
