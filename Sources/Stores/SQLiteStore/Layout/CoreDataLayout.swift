import GRDB
import ModelFiles
import ObjectModel
import SQLQueries

/// The layout of a Core Data store: the tables of its entities, and notes for the user.
struct CoreDataLayout {
  /// The model and the tables of its entities.
  var layout: StoreLayout
  /// "Core Data store" or "SwiftData store".
  var kind: String
  /// The system release that last wrote the store; nil if unknown.
  var generation: String?
  /// Notes for the user on how the store was read, a sentence each.
  var notes: [String]

  /// Whether a database has Core Data's Z_METADATA and Z_PRIMARYKEY: core-data-stores 1.
  ///
  /// - Throws: `DatabaseError`.
  static func isThere(in database: Database) throws -> Bool {
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM main.sqlite_schema AS m
        CROSS JOIN pragma_table_info(m.name, 'main') AS c
        WHERE m.type = 'table' AND m.rootpage > 0
        AND (m.name = 'Z_METADATA' AND c.name IN ('Z_VERSION', 'Z_UUID', 'Z_PLIST')
          OR m.name = 'Z_PRIMARYKEY' AND c.name IN ('Z_ENT', 'Z_NAME', 'Z_SUPER', 'Z_MAX'))
        """)
    return count == 7
  }

  /// Reads the layout of a store with a given model, of which entities and properties that the
  /// store lacks are left out, with a note.
  ///
  /// - Throws: `DatabaseError` if the store cannot be read.
  static func read(from database: Database, model: ManagedObjectModel) throws
    -> CoreDataLayout
  {
    let facts = try StoreFacts(reading: database)
    return CoreDataLayout(facts, model: DecodedModel(model: model, notes: []))
  }

  /// Reads the layout of a store with the best model available: see ``ModelSource``.
  ///
  /// - Parameters:
  ///   - database: A connection to the store.
  ///   - path: The store's path, in whose folder a model file may be; nil for a store without a
  ///     path.
  ///   - modelPath: A model file that the user has named; nil for none.
  ///   - modelCandidate: A model file that may be the store's; nil for none.
  /// - Returns: The layout.
  /// - Throws: `DatabaseError` if the store cannot be read, `StoreError` if the named model cannot.
  static func read(
    from database: Database, path: String?, modelPath: String?, modelCandidate: String? = nil
  ) throws -> CoreDataLayout {
    let facts = try StoreFacts(reading: database)
    let source = ModelSource(
      facts: facts, path: path, modelPath: modelPath, modelCandidate: modelCandidate)
    return CoreDataLayout(facts, model: try source.model(in: database))
  }

  init(_ facts: StoreFacts, model: DecodedModel) {
    let builder = CoreDataLayoutBuilder(
      model: model.model, numbers: facts.numbers, tables: facts.tables)
    let tables = builder.entityTables
    layout = StoreLayout(
      model: builder.model, tables: tables,
      otherTables: OtherTables(facts: facts, tables: tables).all,
      coreData: Self.schema(facts, builder, isDerived: model.isDerived))
    let isSwiftData = facts.history != nil && model.model.isSwiftData
    kind = isSwiftData ? "SwiftData store" : "Core Data store"
    generation = facts.metadata.frameworkVersion.flatMap(FrameworkRelease.words)
    notes = [facts.metadata.note].compactMap { $0 } + model.notes + builder.notes
  }

  private static func schema(
    _ facts: StoreFacts, _ builder: CoreDataLayoutBuilder, isDerived: Bool
  ) -> CoreDataSchema {
    var schema = CoreDataSchema(
      storeIdentifier: facts.metadata.identifier ?? "",
      entityNumbers: builder.naming.numbers,
      rootNames: Dictionary(
        firstOf: builder.locations.keys.map { ($0, builder.naming.root(of: $0)) }),
      history: facts.history,
      writeRefusal: facts.isMirrored
        ? "it is mirrored to iCloud, which would not see the changes; --force-write allows them"
        : nil)
    schema.missing = builder.missing
    schema.hasDerivedModel = isDerived
    return schema
  }
}

extension ManagedObjectModel {
  /// Whether SwiftData has made the model: one configuration, versions like 1.0.0, no class names.
  ///
  /// See core-data-stores 9.
  fileprivate var isSwiftData: Bool {
    Array(details.configurations.keys) == ["default"]
      && details.versionIdentifiers.contains { $0.split(separator: ".").count == 3 }
      && entities.allSatisfy { $0.details.className == nil }
  }
}
