import Foundation
import GRDB

/// The contents of all tables of a store, read with SQLite.
struct StoreDump: Equatable {
  /// The rows of each table, as text by column; by Z_PK if there is one, else by the row itself.
  var tables: [String: [String: [String: String]]] = [:]

  init(_ database: TemporaryDatabase) throws {
    let queue = try database.connect(busyTimeout: 5)
    tables = try queue.read { database in
      var tables: [String: [String: [String: String]]] = [:]
      let names = try String.fetchAll(
        database,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
          """)
      for name in names {
        var rows: [String: [String: String]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(name.quotedDatabaseIdentifier)")
        {
          var columns: [String: String] = [:]
          for (column, value) in row { columns[column] = "\(value)" }
          let key = columns["Z_PK"] ?? columns.sorted { $0.key < $1.key }.description
          rows[key] = columns
        }
        tables[name] = rows
      }
      return tables
    }
    try queue.close()
  }

  /// The tables of entities and the join tables, without Z_OPT: what undo must restore.
  var contents: StoreDump {
    var dump = self
    for name in tables.keys {
      if name.hasPrefix("A") || name == "Z_PRIMARYKEY" {
        dump.tables[name] = nil
      } else {
        // The order keys of a restored join row may differ if the order is the same: see
        // `orders(in:)`.
        let rows = (dump.tables[name] ?? [:]).values.map { row in
          row.filter { column, _ in
            column != "Z_OPT" && (row["Z_PK"] != nil || !column.hasPrefix("Z_FOK_"))
          }
        }
        dump.tables[name] = Dictionary(
          rows.map { ($0["Z_PK"] ?? $0.sorted { $0.key < $1.key }.description, $0) },
          uniquingKeysWith: { first, _ in first })
      }
    }
    return dump
  }

  /// The state without join rows to missing objects: a deletion removes those for good.
  var withoutBrokenPairs: StoreDump {
    var dump = self
    let people = Set((tables["ZPERSON"] ?? [:]).keys)
    for (name, rows) in tables where rows.values.first?["REFLEXIVE"] != nil {
      dump.tables[name] = rows.filter { Set($0.value.values).isSubset(of: people) }
    }
    return dump
  }

  /// The differences from an earlier state, one a line.
  func changes(since old: StoreDump) -> [String] {
    var lines: [String] = []
    for name in Set(tables.keys).union(old.tables.keys).sorted() {
      let (before, after) = (old.tables[name] ?? [:], tables[name] ?? [:])
      for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
        switch (before[key], after[key]) {
        case (nil, _): lines.append("\(name) +\(key)")
        case (_, nil): lines.append("\(name) -\(key)")
        case (let was?, let now?):
          let columns = Set(was.keys).union(now.keys).filter { was[$0] != now[$0] }.sorted()
          lines.append(
            "\(name) \(key): "
              + columns.map { "\($0) \(was[$0] ?? "") > \(now[$0] ?? "")" }.joined(separator: ", "))
        }
      }
    }
    return lines
  }

  /// The violated rules of Z_OPT: core-data-stores 4.7.
  func brokenRules(since old: StoreDump) -> [String] {
    var lines: [String] = []
    for (name, rows) in tables where name.hasPrefix("Z") && rows.values.first?["Z_OPT"] != nil {
      for (key, now) in rows {
        let was = old.tables[name]?[key]
        let opt = now["Z_OPT"].flatMap { Int($0) }
        if let was, was != now {
          let before = was["Z_OPT"].flatMap { Int($0) } ?? 0
          if opt != before + 1 { lines.append("\(name) \(key): Z_OPT \(before) > \(opt ?? -1)") }
        } else if was == nil, opt != 1 {
          lines.append("\(name) \(key): a new row with Z_OPT \(opt ?? -1)")
        }
      }
    }
    return lines.sorted()
  }
}
