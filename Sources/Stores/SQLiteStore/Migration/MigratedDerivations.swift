import ObjectModel
import SQLQueries

/// Computes derived attributes of a store that was migrated, where what they are derived from, or
/// how, has changed.
struct MigratedDerivations {
  private let migration: StoreMigration
  private let reader: StoreReader
  private let statements: SaveStatements

  init(_ migration: StoreMigration, _ reader: StoreReader, _ statements: SaveStatements) {
    (self.migration, self.reader, self.statements) = (migration, reader, statements)
  }

  /// Computes and writes the values.
  ///
  /// - Throws: ``StoreError``.
  func compute() throws(StoreError) {
    let difference = migration.difference
    // All objects of a mapping are new.
    let changesAll =
      migration.mapping != nil || difference.entities.contains { $0.destinationName == nil }
    let changed = Set(difference.entities.filter { !$0.isEmpty }.compactMap(\.destinationName))
    let rows = SaveRows(SaveRequest(), reader: reader, statements: statements)
    for entity in reader.layout.model.entities where !entity.isAbstract {
      let derived = DerivedAttribute.all(of: entity).filter { derived in
        let ends = derived.relationshipNames.compactMap {
          entity.relationship(named: $0)?.destinationEntityName
        }
        return !derived.isTime && (changesAll || !changed.isDisjoint(with: [entity.name] + ends))
      }
      if !derived.isEmpty { try compute(derived, of: entity, rows) }
    }
  }

  private func compute(
    _ derived: [DerivedAttribute], of entity: EntityDescription, _ rows: SaveRows
  ) throws(StoreError) {
    let plan = FetchPlan(entityName: entity.name, includesSubentities: false)
    let ids = try reader.fetch(plan, control: nil, on: statements.connection).ids
    let table = try rows.scope(entity.name).table
    for chunk in Array(ids).chunks(of: QueryScope.keysPerStatement) {
      let subjects = StoredSubjects(rows)
      try subjects.read(Array(chunk))
      for id in chunk {
        guard let row = subjects.row(of: id) else { continue }
        var assignments: [SQL] = []
        for derived in derived {
          let value = try derived.value(of: subjects.subject(id))
          guard value != row.values[derived.index] else { continue }
          assignments.append("\(name: table.columns[derived.index]) = \(value)")
        }
        if let error = subjects.error { throw error }
        if !assignments.isEmpty { try rows.update(id, set: assignments) }
      }
      try FetchControl.check(doing: StoreMigration.doing)
    }
  }
}
