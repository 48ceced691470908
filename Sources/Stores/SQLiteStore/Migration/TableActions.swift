import ObjectModel
import SQLQueries

/// What is done with each table of a store: kept, renumbered, rewritten, created or dropped.
struct TableActions {
  /// The tables of entities that are as they were, but for the numbers of entities.
  private(set) var kept: [MigrationMapping.Table] = []
  /// Those that are filled anew.
  private(set) var rewritten: [MigrationMapping.Table] = []
  private(set) var keptJoins: [MigrationMapping.Join] = []
  private(set) var rewrittenJoins: [MigrationMapping.Join] = []
  /// The tables of the source that give their place to others.
  private(set) var replaced: [String] = []
  /// The columns of the source's tables.
  private(set) var sourceColumns: [String: [MigrationTarget.Column]] = [:]
  /// The changes for a person.
  private(set) var changes: [StoreMigration.TableChange] = []
  /// How many rows are read or written.
  private(set) var rowCount = 0

  /// Looks at the tables of a store.
  ///
  /// - Parameters:
  ///   - mapping: What the columns are made of.
  ///   - keepsAny: Whether a table may stay; not if a mapping model makes all objects.
  ///   - statements: Runs the queries.
  /// - Throws: ``StoreError``.
  init(_ mapping: MigrationMapping, keepsAny: Bool, _ statements: SaveStatements)
    throws(StoreError)
  {
    let sources = Set(mapping.source.tables.values.map(\.name)).union(mapping.sourceJoins)
    var statementsOf: [String: String] = [:]
    for name in sources {
      let rows = try statements.rows(
        "SELECT c.name, c.type, c.\"notnull\" FROM pragma_table_info(\(Value.string(name))) c")
      sourceColumns[name] = rows.map {
        MigrationTarget.Column(
          name: $0[0].text ?? "", declaredType: $0[1].text ?? "", isRequired: $0[2] == 1)
      }
      statementsOf[name] = try statements.row(
        "SELECT m.sql FROM main.sqlite_schema m WHERE m.name = \(Value.string(name))")?.first?.text
    }
    let isCoreData = mapping.source.coreData != nil
    /// Whether a table has what a new one would have; Core Data's columns may be in another order.
    func isAlike(_ name: String) -> Bool {
      guard let old = sourceColumns[name], let new = mapping.target.columns[name] else {
        return false
      }
      return isCoreData
        ? Set(old) == Set(new) : statementsOf[name] == mapping.target.item(name)?.statement
    }
    for table in mapping.tables {
      if keepsAny, table.source == table.name, isAlike(table.name), table.isKept {
        kept.append(table)
      } else {
        rewritten.append(table)
      }
    }
    for join in mapping.joins {
      if keepsAny, join.isKept, isAlike(join.name) {
        keptJoins.append(join)
      } else {
        rewrittenJoins.append(join)
      }
    }
    let staying = Set(kept.map(\.name) + keptJoins.map(\.name))
    replaced = sources.subtracting(staying).sorted()
    try addChanges(mapping, statements)
  }

  /// Whether a table of the source is filled anew, under whatever name, or dropped.
  func isRewritten(_ table: String) -> Bool { replaced.contains(table) }

  /// Whether no row of a table changes.
  func isUntouched(_ table: String) -> Bool {
    kept.contains { $0.name == table && $0.renumbering.isEmpty }
  }

  private mutating func addChanges(_ mapping: MigrationMapping, _ statements: SaveStatements)
    throws(StoreError)
  {
    var counts: [String: Int] = [:]
    for name in replaced + kept.filter({ !$0.renumbering.isEmpty }).map(\.name) {
      guard
        case .integer(let count)? = try statements.row("SELECT count(*) FROM \(name: name)")?
          .first
      else { continue }
      counts[name] = Int(count)
    }
    var used: Set<String> = []
    for table in rewritten {
      let old = table.source
      if let old { used.insert(old) }
      changes.append(
        StoreMigration.TableChange(
          kind: old == nil ? .created : .rewritten, name: table.name,
          oldName: old == table.name ? nil : old, rowCount: old.flatMap { counts[$0] } ?? 0))
    }
    for join in rewrittenJoins {
      let old = join.source.flatMap { mapping.sourceJoins.contains($0) ? $0 : nil }
      if let old { used.insert(old) }
      changes.append(
        StoreMigration.TableChange(
          kind: old == nil ? .created : .rewritten, name: join.name,
          oldName: old == join.name ? nil : old, rowCount: old.flatMap { counts[$0] } ?? 0))
    }
    for table in kept where !table.renumbering.isEmpty {
      changes.append(
        StoreMigration.TableChange(
          kind: .renumbered, name: table.name, oldName: nil, rowCount: counts[table.name] ?? 0))
    }
    for name in replaced where !used.contains(name) {
      changes.append(
        StoreMigration.TableChange(
          kind: .dropped, name: name, oldName: nil, rowCount: counts[name] ?? 0))
    }
    rowCount = counts.values.reduce(0, +)
  }
}

extension MigrationMapping.Table {
  /// Whether each column is what it was, but for the numbers of entities.
  fileprivate var isKept: Bool {
    condition == nil
      && columns.allSatisfy {
        $0.value == .column($0.name, of: "s") || $0.renumbered == $0.name
      }
  }

  /// The columns whose numbers change.
  var renumbering: [Column] {
    columns.filter { $0.renumbered != nil && $0.value != .column($0.name, of: "s") }
  }
}
