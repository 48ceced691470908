import ObjectModel
import SQLQueries

/// The tables of a Core Data store that belong to no entity, each with its purpose.
struct OtherTables {
  let facts: StoreFacts
  let tables: [String: EntityTable]

  /// All of them, by name.
  var all: [StoreSummary.OtherTable] {
    let entityTables = Set(tables.values.map(\.name))
    let links = links
    let others = facts.catalog.tables.filter { !entityTables.contains($0.name) }.map { table in
      StoreSummary.OtherTable(
        name: table.name, purpose: links[table.name] ?? Self.purpose(of: table))
    }
    return (others + facts.catalog.hidden).sorted { $0.name < $1.name }
  }

  /// The purposes of join tables: the relationships that use them.
  private var links: [String: String] {
    var ends: [String: [String]] = [:]
    for (entity, table) in tables {
      for (name, toMany) in table.toMany {
        if case .join(let join) = toMany {
          ends[join.name, default: []].append("\(entity).\(name)")
        }
      }
    }
    return ends.mapValues { "links of \($0.sorted().sentenceList)" }
  }

  private static func purpose(of table: Catalog.Table) -> String {
    if let known = coreDataTables[table.name] { return known }
    if case .virtual(let module) = table.kind {
      return table.name.hasPrefix("Z_RT_") ? spatialIndex : "a virtual table (\(module))"
    }
    if table.name.hasPrefix("ANSCK") { return "mirroring to iCloud" }
    return table.kind == .view ? "a view, not in the model" : stray
  }

  /// The purpose of an R-tree of an entity.
  static let spatialIndex = "a spatial index"
  /// The purpose of a table that is not in the model.
  static let stray = "not in the model"

  /// The tables that Core Data has beside those of entities: core-data-stores 1 and 6.
  private static let coreDataTables = [
    "Z_PRIMARYKEY": "the numbers of entities and their last keys",
    "Z_METADATA": "what the store says of itself",
    "Z_MODELCACHE": "the model",
    "ACHANGE": "history: what was changed",
    "ATRANSACTION": "history: who changed it, and when",
    "ATRANSACTIONSTRING": "history: names of authors and programs",
  ]
}
