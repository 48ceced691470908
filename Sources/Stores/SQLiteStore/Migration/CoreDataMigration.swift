import Foundation
import ModelFiles
import ObjectModel
import SQLQueries

/// Migrates what a Core Data store has beside its objects: metadata, model and history.
struct CoreDataMigration {
  private let migration: StoreMigration
  private let mapping: MigrationMapping
  private let statements: SaveStatements

  init(_ migration: StoreMigration, _ mapping: MigrationMapping, _ statements: SaveStatements) {
    (self.migration, self.mapping, self.statements) = (migration, mapping, statements)
  }

  /// Writes them.
  ///
  /// - Throws: ``StoreError``.
  func run(_ schema: CoreDataSchema) throws(StoreError) {
    try writeMetadata()
    try writeModel()
    guard let history = schema.history else { return }
    if migration.mapping == nil { try writeHistory(history) } else { try clearHistory(history) }
  }

  /// Replaces what the metadata say of the model: core-data-stores 2.
  private func writeMetadata() throws(StoreError) {
    let row = try statements.row("SELECT m.Z_PLIST FROM Z_METADATA m ORDER BY m.Z_VERSION LIMIT 1")
    guard case .data(let data)? = row?.first,
      case .dictionary(var values)? = try? PropertyListValue.read(data)
    else { return }
    let identifiers = migration.model.details.versionIdentifiers
    values["NSStoreModelVersionIdentifiers"] = .array(
      (identifiers.isEmpty ? [""] : identifiers).map(PropertyListValue.string))
    let hashes = VersionHashes(migration.versionHashes)
    values["NSStoreModelVersionHashes"] = hashes.propertyList
    values["NSStoreModelVersionHashesVersion"] = 3
    for (key, sum) in [
      VersionHashes.digestKey: hashes.digest, VersionHashes.checksumKey: hashes.checksum,
    ]
    where values[key] != nil { values[key] = sum }
    try statements.run(
      "UPDATE Z_METADATA SET Z_PLIST = \(Value.data(PropertyListValue.dictionary(values).binaryPropertyList()))"
    )
  }

  private func writeModel() throws(StoreError) {
    let cache: Data
    do { cache = try ModelCacheWriter.data(of: migration.model) } catch {
      throw StoreError(
        .unsupported, doing: StoreMigration.doing, subject: error.subject, detail: "\(error)")
    }
    try statements.run("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try statements.run("DELETE FROM Z_MODELCACHE")
    try statements.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(Value.data(cache)))")
  }

  // MARK: History

  /// Removes the changes of objects that are others now, as in the new store that Core Data makes:
  /// whoever follows them begins anew.
  private func clearHistory(_ history: CoreDataSchema.HistoryTables) throws(StoreError) {
    for table in HistoryTable.allCases where table != .string {
      try statements.run("DELETE FROM \(name: table.name)")
    }
    _ = try addTombstones(to: HistoryTable.change.name, history)
  }

  /// Gives the changes of objects the numbers, slots and tombstones of the new model; those of
  /// removed entities go: core-data-stores 6.
  private func writeHistory(_ history: CoreDataSchema.HistoryTables) throws(StoreError) {
    let table = HistoryTable.change.name
    let entities = mapping.source.model.entities.compactMap { before -> Entity? in
      guard let number = mapping.source.coreData?.entityNumbers[before.name] else { return nil }
      let after = mapping.names.destinationName[before.name]
        .flatMap(mapping.destination.model.entity(named:))
      return Entity(number: number, before: before, after: after)
    }
    let removed = entities.filter { $0.after == nil }.map { Value.integer($0.number) }
    if !removed.isEmpty {
      try statements.run("DELETE FROM \(name: table) WHERE ZENTITY IN (\(removed))")
    }
    let count = try addTombstones(to: table, history)
    for entity in entities {
      guard let after = entity.after else { continue }
      try writeSlots(of: entity, after, table)
      try writeTombstones(of: entity, after, table, count: count)
    }
    let numbers = entities.compactMap { entity -> (Value, Value)? in
      guard let after = entity.after,
        let number = mapping.destination.coreData?.entityNumbers[after.name]
      else { return nil }
      return (.integer(entity.number), .integer(number))
    }
    let column = SQL.name("ZENTITY")
    let value = MigrationMapping.replaced(column, numbers)
    if value != column {
      let known = numbers.map(\.0)
      try statements.run(
        "UPDATE \(name: table) SET ZENTITY = \(value) WHERE ZENTITY IN (\(known))")
    }
  }

  private struct Entity {
    let number: Int64
    let before: EntityDescription
    let after: EntityDescription?
  }

  /// Adds the columns that the new model needs, and returns how many there are.
  private func addTombstones(to table: String, _ history: CoreDataSchema.HistoryTables)
    throws(StoreError) -> Int
  {
    let needed =
      mapping.destination.model.entities
      .map { HistoryTombstones(of: $0, limit: .max).attributes.count }.max() ?? 0
    for number in history.tombstoneCount..<max(needed, history.tombstoneCount) {
      try statements.run(
        "ALTER TABLE \(name: table) ADD COLUMN \(name: "ZTOMBSTONE\(number)") BLOB")
    }
    return max(needed, history.tombstoneCount)
  }

  /// Moves the bits of changed properties to their new slots.
  private func writeSlots(of entity: Entity, _ after: EntityDescription, _ table: String)
    throws(StoreError)
  {
    let old = HistorySlots(entityName: entity.before.name, layout: mapping.source)
    let new = HistorySlots(entityName: after.name, layout: mapping.destination)
    let names = propertyNames(from: entity.before, to: after)
    let renamed = old.slots.map {
      HistorySlots.Slot(property: names[$0.property] ?? "", part: $0.part)
    }
    guard renamed != new.slots else { return }
    let rows = try statements.rows(
      """
      SELECT DISTINCT c.ZCOLUMNS FROM \(name: table) c \
      WHERE c.ZENTITY = \(entity.number) AND c.ZCOLUMNS IS NOT NULL
      """)
    // Each bitmap is replaced once: what it becomes may be another's old one.
    var bitmaps: [(Value, Value)] = []
    for case .data(let bitmap)? in rows.map(\.first) {
      let changed = Set(old.changes(in: bitmap).properties.compactMap { names[$0] })
      bitmaps.append((.data(bitmap), .data(new.bitmap(properties: changed))))
    }
    guard !bitmaps.isEmpty else { return }
    try statements.run("CREATE TEMP TABLE cardfile_slots (old BLOB PRIMARY KEY, new BLOB)")
    for (before, after) in bitmaps {
      try statements.run("INSERT INTO temp.cardfile_slots VALUES (\(before), \(after))")
    }
    try statements.run(
      """
      UPDATE \(name: table) SET ZCOLUMNS = \
      (SELECT b.new FROM temp.cardfile_slots b WHERE b.old = ZCOLUMNS) \
      WHERE ZENTITY = \(entity.number) AND ZCOLUMNS IS NOT NULL
      """)
    try statements.run("DROP TABLE temp.cardfile_slots")
  }

  /// Moves the kept values of deleted objects to their new columns.
  private func writeTombstones(
    of entity: Entity, _ after: EntityDescription, _ table: String, count: Int
  ) throws(StoreError) {
    let names = propertyNames(from: entity.before, to: after)
    let old = HistoryTombstones(of: entity.before, limit: .max).attributes.map {
      names[entity.before.attributes[$0].name]
    }
    let new = HistoryTombstones(of: after, limit: .max).attributes.map { after.attributes[$0].name }
    guard old != new, count > 0 else { return }
    let assignments = (0..<count).map { index -> SQL in
      let from = index < new.count ? old.firstIndex(of: new[index]) : nil
      let value = from.map { SQL.name("ZTOMBSTONE\($0)") } ?? "NULL"
      return "\(name: "ZTOMBSTONE\(index)") = \(value)"
    }
    try statements.run(
      "UPDATE \(name: table) SET \(assignments) WHERE ZENTITY = \(entity.number)")
  }

  /// The names of properties in the new model, by those in the old one.
  private func propertyNames(from before: EntityDescription, to after: EntityDescription)
    -> [String: String]
  {
    let attributes = VersionPairs<AttributeDescription>(from: before, to: after).pairs
      .map { ($0.source?.name, $0.destination?.name) }
    let relationships = VersionPairs<RelationshipDescription>(from: before, to: after).pairs
      .map { ($0.source?.name, $0.destination?.name) }
    return Dictionary(
      firstOf: (attributes + relationships).compactMap { old, new in
        old.flatMap { old in new.map { (old, $0) } }
      })
  }
}

/// The version hashes of a model's entities, and the sums of them that a store has: core-data-stores
/// 2.
struct VersionHashes {
  static let digestKey = "NSStoreModelVersionHashesDigest"
  static let checksumKey = "NSStoreModelVersionChecksumKey"

  private let hashes: [(name: String, hash: Data)]

  init(_ hashes: [String: Data]) {
    self.hashes = hashes.map { ($0.key, $0.value) }
      .sorted { $0.name.compareBytes(with: $1.name) < 0 }
  }

  /// As in the metadata; nil if no hashes are known.
  var propertyList: PropertyListValue? {
    hashes.isEmpty
      ? nil : .dictionary(Dictionary(firstOf: hashes.map { ($0.name, .data($0.hash)) }))
  }

  /// The digest of names and hashes; nil if no hashes are known.
  var digest: PropertyListValue? { sum(SHA2<UInt64>.hash) { Data($0.utf8) + $1 } }

  /// The checksum of the hashes; nil if no hashes are known.
  var checksum: PropertyListValue? { sum(SHA2<UInt32>.hash) { $1 } }

  private func sum(_ hash: (Data) -> Data, _ part: (String, Data) -> Data) -> PropertyListValue? {
    hashes.isEmpty
      ? nil
      : .string(hash(hashes.reduce(Data()) { $0 + part($1.name, $1.hash) }).base64EncodedString())
  }
}
