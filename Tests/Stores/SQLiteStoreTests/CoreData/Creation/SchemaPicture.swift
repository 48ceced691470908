import Foundation
import GRDB

/// The tables, columns, indexes and triggers of a database, as SQLite lists them.
struct SchemaPicture {
  /// Columns as "ZNAME VARCHAR" by table.
  var tables: [String: Set<String>] = [:]
  /// Indexes by name: table, columns and condition.
  var indexes: [String: String] = [:]
  /// Triggers by name: their statements.
  var triggers: [String: String] = [:]

  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { database in
      for row in try Row.fetchAll(
        database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master")
      {
        let name: String = row["name"]
        let sql: String = row["sql"] ?? ""
        switch row["type"] as String {
        case "table" where !name.hasPrefix("sqlite_"):
          tables[name] = Set(
            try Row.fetchAll(
              database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [name]
            )
            .map { "\($0["name"] as String) \($0["type"] as String)" })
        case "index" where !sql.isEmpty:
          let rest = sql.drop { $0 != "(" }
          indexes[name] =
            (sql.contains("UNIQUE INDEX") ? "unique " : "") + "\(row["tbl_name"] as String) \(rest)"
        case "trigger":
          // Those of real stores have spaces before some commas and at the end.
          triggers[name] = sql.replacing(" ,", with: ", ").trimmingCharacters(in: .whitespaces)
        default: break
        }
      }
    }
    try queue.close()
  }
}
