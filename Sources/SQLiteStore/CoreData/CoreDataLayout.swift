package import GRDB
import ModelFiles
package import ObjectModel

/// A Core Data store as it is read: where its entities stand, and what a person should know of it.
package struct CoreDataLayout {
  /// Where the entities stand.
  package var layout: StoreLayout
  /// "Core Data store" or "SwiftData store".
  package var kind: String
  /// The release of the system that wrote the store last; nil when it is not known.
  package var generation: String?
  /// What a person should know of how the store was read, a sentence each.
  package var notes: [String]

  /// Whether a database is a Core Data store: its tables tell, never the file's name (core-data-stores 1).
  ///
  /// - Throws: `DatabaseError`.
  static func isThere(in database: Database) throws -> Bool {
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM main.sqlite_schema AS m CROSS JOIN pragma_table_info(m.name, 'main') AS c
        WHERE m.type = 'table' AND m.rootpage > 0
        AND (m.name = 'Z_METADATA' AND c.name IN ('Z_VERSION', 'Z_UUID', 'Z_PLIST')
          OR m.name = 'Z_PRIMARYKEY' AND c.name IN ('Z_ENT', 'Z_NAME', 'Z_SUPER', 'Z_MAX'))
        """)
    return count == 7
  }

  /// Reads a store by a model that is given.
  ///
  /// - Parameters:
  ///   - database: A connection to the store.
  ///   - model: The model; what of it is not in the store is left out, with a note.
  /// - Returns: The layout.
  /// - Throws: `DatabaseError`, when the store cannot be read.
  package static func read(from database: Database, model: ManagedObjectModel) throws
    -> CoreDataLayout
  {
    let facts = try StoreFacts(reading: database)
    return CoreDataLayout(facts, model: DecodedModel(model: model, notes: []))
  }

  /// Reads a store by its own model, or by the best that can be had: see ``ModelSource``.
  ///
  /// - Parameters:
  ///   - database: A connection to the store.
  ///   - path: The store's path, beside which a model may lie; nil when there is none.
  ///   - modelPath: A model file that a person names; nil for none.
  /// - Returns: The layout.
  /// - Throws: `DatabaseError`, when the store cannot be read; `StoreError`, when the named model cannot.
  package static func read(from database: Database, path: String?, modelPath: String?) throws
    -> CoreDataLayout
  {
    let facts = try StoreFacts(reading: database)
    let source = ModelSource(facts: facts, path: path, modelPath: modelPath)
    return CoreDataLayout(facts, model: try source.model(in: database))
  }

  init(_ facts: StoreFacts, model: DecodedModel) {
    let builder = CoreDataLayoutBuilder(
      model: model.model, numbers: facts.numbers, tables: facts.tables)
    let tables = builder.entityTables
    layout = StoreLayout(
      model: builder.model, tables: tables,
      otherTables: OtherTables(facts: facts, tables: tables).all,
      coreData: Self.schema(facts, builder))
    let isSwiftData = facts.history != nil && model.model.isSwiftData
    kind = isSwiftData ? "SwiftData store" : "Core Data store"
    generation = facts.metadata.frameworkVersion.flatMap(FrameworkRelease.words)
    notes = [facts.metadata.note].compactMap { $0 } + model.notes + builder.notes
  }

  private static func schema(_ facts: StoreFacts, _ builder: CoreDataLayoutBuilder)
    -> CoreDataSchema
  {
    return CoreDataSchema(
      storeIdentifier: facts.metadata.identifier ?? "",
      entityNumbers: builder.naming.numbers,
      rootNames: Dictionary(
        builder.places.keys.map { ($0, builder.naming.root(of: $0)) },
        uniquingKeysWith: { first, _ in first }),
      frameworkVersion: facts.metadata.frameworkVersion, history: facts.history,
      writeRefusal: facts.isMirrored
        ? "it is mirrored to iCloud, which would not learn of changes that are made here" : nil)
  }
}

extension ManagedObjectModel {
  /// Whether the model is one that SwiftData makes: one configuration, versions like 1.0.0 and no classes
  /// (core-data-stores 9).
  fileprivate var isSwiftData: Bool {
    Array(details.configurations.keys) == ["default"]
      && details.versionIdentifiers.contains { $0.split(separator: ".").count == 3 }
      && entities.allSatisfy { $0.details.className == nil }
  }
}
