import GRDB
import ObjectModel
import SQLQueries

/// Derives a model from the tables of a store without a model cache.
///
/// Entities and their hierarchy come from Z_PRIMARYKEY. Properties are named by their columns in
/// lower case. A relationship is derived only if the tables are unambiguous.
struct ColumnModel {
  let facts: StoreFacts

  /// Derives the model.
  ///
  /// - Throws: `DatabaseError`.
  func model(in database: Database) throws -> ManagedObjectModel {
    let entries = entries
    var drafts: [Int64: EntityDraft] = [:]
    for entry in entries where entry.superNumber == nil {
      guard let table = facts.tables["Z" + entry.name.uppercased()] else { continue }
      drafts[entry.number] = EntityDraft(try columns(of: table, owner: entry, in: database))
    }
    addHidden(to: &drafts)
    for pair in JoinReading.all(in: facts.tables) { add(pair, to: &drafts) }
    let model = ManagedObjectModel(entities: entries.map { description(of: $0, drafts) })
    do {
      try model.validate()
      return model
    } catch {
      // A store crafted to mislead: its rows can still be read without relationships.
      return ManagedObjectModel(
        entities: model.entities.map { $0.changed(relationships: []) })
    }
  }

  /// The entities that have a table, without duplicate names and without circular inheritance.
  private var entries: [EntityNumbers.Entry] {
    var names: Set<String> = []
    return facts.numbers.entries.filter { entry in
      let root = facts.numbers.root(of: entry)
      return root.superNumber == nil && names.insert(entry.name).inserted
        && facts.tables["Z" + root.name.uppercased()]?.holdsObjects == true
    }
  }

  private func columns(of table: ActualTable, owner: EntityNumbers.Entry, in database: Database)
    throws -> [ColumnReading]
  {
    let guess = DestinationGuess(facts: facts, database: database)
    var names: Set<String> = []
    var readings: [ColumnReading] = []
    for column in table.objectColumns {
      let kind: ColumnReading.Kind
      if let number = table.destinationNumber(of: column), facts.numbers.entry(number) != nil {
        kind = .toOne(number)
      } else if let number = try guess.destination(of: column, in: table, owner: owner) {
        kind = .toOne(number)
      } else {
        kind = .attribute(column)
      }
      let name = String(column.name.dropFirst()).lowercased()
      if !name.isEmpty, names.insert(name).inserted {
        readings.append(ColumnReading(name: name, kind: kind))
      }
    }
    return readings
  }

  /// Adds to-many relationships without an inverse.
  ///
  /// Their hidden columns contain the owner's entity number: core-data-stores 4.2.
  private func addHidden(to drafts: inout [Int64: EntityDraft]) {
    for entry in entries where entry.superNumber == nil {
      guard let table = facts.tables["Z" + entry.name.uppercased()] else { continue }
      for name in table.columnNames {
        guard let (owner, relationship) = name.numberAndName(after: "Z"),
          facts.numbers.entry(owner) != nil, !relationship.hasPrefix("_")
        else { continue }
        drafts[owner, default: EntityDraft([])].relationships.append(
          RelationshipDescription(relationship.lowercased(), to: entry.name, isToMany: true))
      }
    }
  }

  private func add(_ pair: JoinReading, to drafts: inout [Int64: EntityDraft]) {
    for end in pair.ends {
      guard let destination = facts.numbers.entry(end.destination)?.name,
        facts.numbers.entry(end.owner) != nil
      else { return }
      drafts[end.owner, default: EntityDraft([])].relationships.append(
        RelationshipDescription(
          end.name, to: destination, inverse: end.inverse, isToMany: true,
          isOrdered: end.isOrdered))
    }
  }

  private func description(of entry: EntityNumbers.Entry, _ drafts: [Int64: EntityDraft])
    -> EntityDescription
  {
    var line = [entry]
    while let above = line[0].superNumber.flatMap(facts.numbers.entry), line.count < 100 {
      line.insert(above, at: 0)
    }
    var draft = EntityDraft([])
    for part in line { draft.add(drafts[part.number]) }
    return EntityDescription(
      name: entry.name, superentityName: entry.superNumber.flatMap(facts.numbers.entry)?.name,
      attributes: draft.columns.compactMap(\.attribute),
      relationships: draft.columns.compactMap { $0.relationship(facts.numbers) }
        + draft.relationships)
  }
}

/// The properties of an entity, collected from columns and join tables.
private struct EntityDraft {
  var columns: [ColumnReading]
  var relationships: [RelationshipDescription] = []

  init(_ columns: [ColumnReading]) { self.columns = columns }

  /// Adds the properties of another draft; of two with the same name the first is kept.
  mutating func add(_ other: EntityDraft?) {
    guard let other else { return }
    let names = Set(columns.map(\.name) + relationships.map(\.name))
    columns += other.columns.filter { !names.contains($0.name) }
    var taken = Set(columns.map(\.name) + relationships.map(\.name))
    relationships += other.relationships.filter { taken.insert($0.name).inserted }
  }
}
