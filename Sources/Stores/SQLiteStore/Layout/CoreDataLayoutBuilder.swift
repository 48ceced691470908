import ObjectModel
import SQLQueries

/// Matches a model with the tables of a store: core-data-stores 4.
///
/// Entities and properties that the tables lack are left out of the model, with a note, so that no
/// query refers to a missing column.
struct CoreDataLayoutBuilder {
  /// The number and the table of an entity.
  struct Location {
    let number: Int64
    let table: ActualTable
    /// Whether the table also contains rows of other entities.
    let isShared: Bool
  }

  /// The columns and join tables of an entity's properties, by name.
  struct Found {
    var attributes: [String: Catalog.Column] = [:]
    var toOne: [String: EntityTable.ToOne] = [:]
    var toMany: [String: EntityTable.ToMany] = [:]
  }

  let tables: ActualTables
  /// The entities that are in the store, by name.
  let locations: [String: Location]
  /// The expected names of tables and columns of those entities.
  let naming: CoreDataNaming
  /// The properties that were found, by entity, with inherited ones.
  var found: [String: Found] = [:]
  /// What the store or the model lacks, a sentence each.
  private(set) var notes: [String]
  /// The entities of the store without a table, and the properties without a column.
  private(set) var missing: [CoreDataSchema.Missing]

  /// Looks for the tables and columns of a model.
  init(model: ManagedObjectModel, numbers: EntityNumbers, tables: ActualTables) {
    let entries = numbers.entries(of: model)
    self.tables = tables
    locations = Self.locations(of: model, entries: entries, numbers: numbers, tables: tables)
    missing = model.entities.map(\.name).filter { entries[$0] != nil }.compactMap {
      [locations] name in
      locations[name] == nil ? CoreDataSchema.Missing(entityName: name) : nil
    }
    notes = Self.notes(model, locations: locations, entries: entries, numbers: numbers)
    let here = model.restricted(to: Set(locations.keys))
    naming = CoreDataNaming(model: here, numbers: locations.mapValues(\.number))
    let roots = here.entities.filter { $0.superentityName == nil }.map(\.name)
    for root in roots { findColumns(of: root) }
    findJoins()
    // Superentities first, because their subentities inherit what was found.
    for root in roots {
      for name in here.entityNames(inheritingFrom: root) { inherit(name) }
    }
    for entity in here.entities { findInverses(of: entity) }
    noteWhatIsMissing()
  }

  mutating func note(_ sentence: String) { notes.append(sentence) }

  private static func locations(
    of model: ManagedObjectModel, entries: [String: EntityNumbers.Entry], numbers: EntityNumbers,
    tables: ActualTables
  ) -> [String: Location] {
    let topology = ModelTopology(model: model)
    var locations: [String: Location] = [:]
    for entity in model.entities {
      guard let entry = entries[entity.name] else { continue }
      let root = model.entity(named: topology.root(of: entity.name)) ?? entity
      // By the model's name, by the name before a renaming, or by the name in Z_PRIMARYKEY.
      let names = [root.name, root.details.renamingIdentifier, numbers.root(of: entry).name]
      let table = names.lazy.compactMap { $0 }.compactMap { tables["Z" + $0.uppercased()] }
        .first { $0.holdsObjects }
      locations[entity.name] = table.map {
        Location(number: entry.number, table: $0, isShared: numbers.sharesTable(entry))
      }
    }
    return locations
  }

  private static func notes(
    _ model: ManagedObjectModel, locations: [String: Location],
    entries: [String: EntityNumbers.Entry],
    numbers: EntityNumbers
  ) -> [String] {
    var notes: [String] = []
    let missing = model.entities.map(\.name).filter { locations[$0] == nil }
    if !missing.isEmpty {
      notes.append("The store has no table for \(missing.sentenceList), which the model has.")
    }
    let known = Set(entries.values.map(\.number))
    let unknown = numbers.entries.filter { !known.contains($0.number) }.map(\.name)
    if !unknown.isEmpty {
      notes.append("The model lacks \(unknown.sentenceList), which the store has.")
    }
    return notes
  }

  /// Adds the inherited properties that were found for the superentity.
  private mutating func inherit(_ name: String) {
    guard let above = naming.model.entity(named: name)?.superentityName.flatMap({ found[$0] })
    else { return }
    var own = found[name] ?? Found()
    own.attributes.merge(above.attributes) { _, inherited in inherited }
    own.toOne.merge(above.toOne) { _, inherited in inherited }
    own.toMany.merge(above.toMany) { _, inherited in inherited }
    found[name] = own
  }

  private mutating func noteWhatIsMissing() {
    for entity in naming.model.entities {
      let here = found[entity.name] ?? Found()
      let model = naming.model
      let missing =
        model.ownAttributes(of: entity).map(\.name).filter { here.attributes[$0] == nil }
        + model.ownRelationships(of: entity).map(\.name).filter {
          here.toOne[$0] == nil && here.toMany[$0] == nil
        }
      guard !missing.isEmpty else { continue }
      self.missing += missing.map {
        CoreDataSchema.Missing(entityName: entity.name, propertyName: $0)
      }
      note("\(entity.name) is read without \(missing.sentenceList), which the tables lack.")
    }
  }
}

extension ManagedObjectModel {
  /// The model with some of its entities, and without relationships to the others.
  fileprivate func restricted(to names: Set<String>) -> ManagedObjectModel {
    var details = details
    details.configurations = details.configurations.mapValues { $0.filter(names.contains) }
    let kept = entities.filter { names.contains($0.name) }.map { entity in
      entity.changed(
        superentityName: entity.superentityName.flatMap { names.contains($0) ? $0 : nil },
        relationships: entity.relationships.filter { names.contains($0.destinationEntityName) })
    }
    return ManagedObjectModel(entities: kept, details: details)
  }
}

extension [String] {
  /// The strings as a list in a sentence: `a, b and c`; of more than 8, six and `and 5 others`.
  var sentenceList: String {
    guard let last else { return "" }
    if count == 1 { return last }
    guard count > 8 else { return dropLast().joined(separator: ", ") + " and " + last }
    return prefix(6).joined(separator: ", ") + " and \(count - 6) others"
  }
}
