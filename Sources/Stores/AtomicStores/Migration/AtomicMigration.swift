package import ObjectModel

/// What a migration of a store in one file to another model does, planned and counted before the file
/// is touched: all rows are loaded, mapped and written.
package struct AtomicMigration: Sendable {
  /// The model that the store is to have.
  package let model: ManagedObjectModel
  /// The mapping that makes the new objects; nil if it is inferred.
  package let mapping: MappingModel?
  /// How the models differ.
  package let difference: ModelDifference
  /// Why the migration cannot be made, a sentence each; empty if it can.
  package let refusals: [String]
  /// What is lost, as `12 values of Person.nickname`.
  package let losses: [String]

  static let doing = "migrating"

  init(_ rows: InMemoryRows, to model: ManagedObjectModel, _ mapping: MappingModel?) {
    (self.model, self.mapping) = (model, mapping)
    difference = ModelDifference(from: rows.model, to: model)
    refusals = mapping?.refusals(from: rows.model, to: model) ?? difference.refusals
    losses = Self.losses(
      of: rows, mapping ?? MappingModel(inferredFrom: rows.model, to: model))
  }

  /// Whether the store has the model already.
  package var isEmpty: Bool { difference.isEmpty && mapping == nil }

  /// The plan for a person, a line each.
  package var lines: [String] {
    difference.lines + (mapping?.lines ?? [])
      + (losses.isEmpty ? [] : ["Lost: " + losses.joined(separator: ", ")])
  }

  /// Makes the new rows.
  ///
  /// - Throws: ``StoreError`` if it has refusals, or an object would not have what it must have.
  func migrated(_ rows: InMemoryRows, path: String) throws(StoreError) -> InMemoryRows {
    guard refusals.isEmpty else {
      let whyNot =
        mapping == nil ? "it cannot be inferred" : "its mapping cannot be carried out"
      throw StoreError(
        .unsupported, doing: Self.doing, subject: path,
        detail: "\(whyNot): " + refusals.joined(separator: "; "))
    }
    let mapping = mapping ?? MappingModel(inferredFrom: rows.model, to: model)
    let manager = MigrationManager(
      mapping, to: model, RowReading(rows: rows),
      keys: MigrationKeys(mapping, from: rows, to: model))
    do {
      let (made, lastKeys) = try manager.runInMemory()
      var result = try made.checked(doing: Self.doing)
      for (root, key) in lastKeys {
        guard let name = root.isEmpty ? model.entities.first?.name : root else { continue }
        result.use(
          ObjectID(
            storeIdentifier: rows.storeIdentifier, entityName: name, key: .integer(key)))
      }
      return result
    } catch let error as StoreError {
      var error = error
      if error.subject.isEmpty { error.subject = path }
      throw error
    } catch {
      throw StoreError(.other, doing: Self.doing, subject: path, detail: "\(error)")
    }
  }

  /// Objects of which nothing is made, and values that no mapping reads.
  private static func losses(of rows: InMemoryRows, _ mapping: MappingModel) -> [String] {
    let model = rows.model
    let found = Dictionary(grouping: rows.storedRows, by: \.id.entityName)
    return found.sorted { $0.key < $1.key }.flatMap { name, rows -> [String] in
      let mappings = mapping.entityMappings.filter {
        $0.sourceEntityName == name && $0.destinationEntityName != nil
      }
      if mappings.isEmpty { return [phrase(rows.count, "object", name)] }
      guard !mappings.contains(where: { $0.readKeys == nil }) else { return [] }
      let read = mappings.reduce(into: Set<String>()) { $0.formUnion($1.readKeys ?? []) }
      guard let entity = model.entity(named: name) else { return [] }
      return entity.attributes.enumerated().compactMap { index, attribute in
        let count = rows.count { !$0.isNull(at: index) }
        return count == 0 || read.contains(attribute.name) || attribute.details.derivation != nil
          ? nil : phrase(count, "value", "\(name).\(attribute.name)")
      }
    }
  }

  private static func phrase(_ count: Int, _ kind: String, _ name: String) -> String {
    "\(Value.grouped(count)) \(kind)\(count == 1 ? "" : "s") of \(name)"
  }
}

/// Rows in memory, as a migration reads them.
private struct RowReading: MigrationReading {
  let rows: InMemoryRows

  var model: ManagedObjectModel { rows.model }

  func ids(_ plan: FetchPlan) throws(StoreError) -> [ObjectID] {
    Array(try plan.evaluated(over: rows).ids)
  }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] { ids.map(rows.row) }

  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    guard let index = model.entity(named: id.entityName)?.attributeIndex(attribute) else {
      return .null
    }
    return rows.row(of: id)?.value(at: index) ?? .null
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    var found: [ObjectID: [ObjectID]] = [:]
    for (_, ids) in Dictionary(grouping: ids, by: \.entityName) {
      found.merge(try rows.destinations(of: relationship, from: ids)) { $1 }
    }
    return found
  }
}

/// A store in one file that can get another model.
package protocol MigratingFileStore: AtomicFileStore {
  /// Writes rows of another model, with it.
  func rewrite(_ rows: InMemoryRows) throws(StoreError)
}

extension MigratingFileStore {
  /// Plans the migration of the store to another model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - mapping: The mapping; nil for the inferred one.
  /// - Returns: The plan.
  /// - Throws: `StoreError` if the store cannot be read.
  package func migration(to model: ManagedObjectModel, mapping: MappingModel? = nil)
    throws(StoreError) -> AtomicMigration
  { AtomicMigration(try storedRows(), to: model, mapping) }

  /// Carries out a migration: after a crash the old file or the new one is there.
  ///
  /// Afterwards the store must be opened anew, because this one has the former model.
  ///
  /// - Parameter migration: The plan.
  /// - Throws: `StoreError` if it has refusals, the store is read-only or cannot be written.
  package func migrate(_ migration: AtomicMigration) throws(StoreError) {
    if let reason = summary.readOnlyReason {
      throw StoreError(
        .readOnly, doing: AtomicMigration.doing, subject: file.path, detail: reason)
    }
    try exclusively { () throws(StoreError) in
      let rows = try load()
      let now = AtomicMigration(rows, to: migration.model, migration.mapping)
      guard now.losses == migration.losses else {
        throw StoreError(
          .conflict, doing: AtomicMigration.doing, subject: file.path,
          detail: "another program has changed it since the migration was planned",
          remedy: "plan it again")
      }
      let new = try now.migrated(rows, path: file.path)
      try FetchControl.check(doing: AtomicMigration.doing)
      try rewrite(new)
    }
  }
}
