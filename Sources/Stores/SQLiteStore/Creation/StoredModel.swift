import Foundation
import GRDB
import ObjectModel
import SQLQueries

/// The model that is stored in a store of plain tables, in a table of one row.
struct StoredModel {
  /// The result of looking for a model in a database.
  enum Finding {
    /// There is no model.
    case none
    /// The model, and the layout of its entities.
    case valid(StoredModel, StoreLayout)
    /// There is a model that cannot be used, with the reason.
    case invalid(String)
  }

  static let tableName = "cardfile_model"
  /// What the table is, in a store whose model is used.
  static let purpose = "the model of this store"
  /// The version of the rules by which ``StoreBlueprint`` derives tables from a model.
  private static let layoutVersion: Int64 = 1

  /// The store's identifier, a UUID.
  let identifier: String
  let model: ManagedObjectModel

  /// Creates the table in a new database.
  ///
  /// - Throws: `DatabaseError`, or `ModelError` for a model that cannot be encoded.
  func write(to database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE \(SQL.quote(Self.tableName)) (
          identifier TEXT NOT NULL, layout INTEGER NOT NULL, model TEXT NOT NULL
        )
        """)
    try database.execute(
      sql: "INSERT INTO \(SQL.quote(Self.tableName)) VALUES (?, ?, ?)",
      arguments: [
        identifier, Self.layoutVersion, String(decoding: try model.json(), as: UTF8.self),
      ])
  }

  /// Looks for a model in a database.
  ///
  /// - Throws: `DatabaseError` if the schema cannot be read.
  static func read(from database: Database) throws -> Finding {
    let isThere = try Row.fetchOne(
      database, sql: "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?",
      arguments: [tableName])
    guard isThere != nil else { return .none }
    do {
      let row = try Row.fetchOne(
        database, sql: "SELECT m.identifier, m.layout, m.model FROM main.\(tableName) AS m")
      guard let row, let identifier = String.fromDatabaseValue(row[0]),
        UUID(uuidString: identifier) != nil, let json = String.fromDatabaseValue(row[2])
      else { return .invalid("it is not whole") }
      guard Int64.fromDatabaseValue(row[1]) == layoutVersion else {
        return .invalid("a later version of this program wrote it")
      }
      let model = try ManagedObjectModel(json: Data(json.utf8))
      var blueprint = try StoreBlueprint(model)
      var misfit = try blueprint.misfit(in: database)
      if misfit != nil {
        // A store of an earlier version has no order of one-to-many relationships.
        let unordered = try StoreBlueprint(model.withoutOrderedInversesOfToOne)
        if try unordered.misfit(in: database) == nil { (blueprint, misfit) = (unordered, nil) }
      }
      if let misfit { return .invalid(misfit) }
      var layout = blueprint.layout
      layout.otherTables += try blueprint.otherTables(in: database)
      return .valid(StoredModel(identifier: identifier, model: model), layout)
    } catch let error as ModelError {
      return .invalid(error.description)
    } catch let error as StoreError {
      return .invalid(error.detail)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return .invalid(error.message ?? "it cannot be read")
    }
  }
}

extension ManagedObjectModel {
  /// The model without the order of to-many relationships whose inverse is a to-one.
  fileprivate var withoutOrderedInversesOfToOne: ManagedObjectModel {
    let topology = ModelTopology(model: self)
    return ManagedObjectModel(
      entities: entities.map { entity in
        entity.changed(
          relationships: entity.relationships.map { relationship in
            var relationship = relationship
            relationship.isOrdered = relationship.isOrdered && topology.needsPairs(relationship)
            return relationship
          })
      }, details: details)
  }
}

extension StoreBlueprint {
  /// The first table or column that a database lacks; nil if it has all.
  fileprivate func misfit(in database: Database) throws -> String? {
    for table in tables {
      let rows = try Row.fetchAll(
        database, sql: "SELECT name, type, pk FROM pragma_table_xinfo(?)", arguments: [table.name])
      if rows.isEmpty { return "there is no table \(table.name)" }
      let names = rows.compactMap { String.fromDatabaseValue($0[0]) }
      for column in table.columns where !names.contains(where: column.name.isSameName) {
        return "the table \(table.name) has no column \(column.name)"
      }
      guard let key = table.keyColumn else { continue }
      let isKey = rows.contains { row in
        let (name, type, keyPosition): (String?, String?, Int?) = (
          .fromDatabaseValue(row[0]), .fromDatabaseValue(row[1]), .fromDatabaseValue(row[2])
        )
        return name?.isSameName(as: key) == true && type?.uppercased() == "INTEGER"
          && keyPosition == 1
      }
      if !isKey { return "the table \(table.name) is not keyed by \(key)" }
    }
    return nil
  }

  /// The tables that are not in the model.
  fileprivate func otherTables(in database: Database) throws -> [StoreSummary.OtherTable] {
    let known = Set(tables.map { $0.name.lowercased() })
    let names = try String.fetchAll(
      database,
      sql: "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
    return names.filter { !known.contains($0.lowercased()) }.map { name in
      let purpose =
        name == StoredModel.tableName
        ? StoredModel.purpose
        : name.hasPrefix("sqlite_") ? "SQLite's own" : "not in the model of this store"
      return StoreSummary.OtherTable(name: name, purpose: purpose)
    }
  }
}
