import Foundation
import GRDB

/// Everything that stands in the tables of a store, read by SQLite alone.
struct StoreDump: Equatable {
  /// The rows of each table, each as text by column; keyed by Z_PK where there is one, else by the
  /// row itself.
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

  /// The tables of objects and pairs alone, without counters: what undoing must bring back.
  var contents: StoreDump {
    var dump = self
    for name in tables.keys {
      if name.hasPrefix("A") || name == "Z_PRIMARYKEY" {
        dump.tables[name] = nil
      } else {
        // A pair put back may have another place, as long as the order is the same: see
        // `orders(of:)`.
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

  /// The state without pairs of a person with one who is gone: a deletion takes those away for
  /// good.
  var withoutBrokenPairs: StoreDump {
    var dump = self
    let people = Set((tables["ZPERSON"] ?? [:]).keys)
    for (name, rows) in tables where rows.values.first?["REFLEXIVE"] != nil {
      dump.tables[name] = rows.filter { Set($0.value.values).isSubset(of: people) }
    }
    return dump
  }

  /// What differs from an earlier state, a line each.
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

  /// Rules that every save must keep, whatever it writes: core-data-stores 4.7.
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
