import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport

/// A database file with random contents, in a folder of its own.
final class RandomDatabase {
  /// The kinds of databases.
  enum Kind: CaseIterable {
    /// Plain tables with odd names, with and without keys, and views.
    case plain
    /// A Core Data store.
    case coreData
    /// A Core Data store with entities that inherit from others.
    case inheriting
  }

  private let folder: TemporaryFolder
  var path: String { folder.path("random.sqlite") }

  init(_ kind: Kind, using generator: inout SeededGenerator) throws {
    folder = try TemporaryFolder()
    switch kind {
    case .plain: try makePlain(using: &generator)
    case .coreData: try makeCoreData(Contacts.model, using: &generator)
    case .inheriting: try makeCoreData(Library.model, using: &generator)
    }
  }

  /// The bytes of the database's files, by name; without the shared memory of the log.
  var bytes: [String: Data] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map { name in
        (name, (try? Data(contentsOf: folder.url(name))) ?? Data())
      }
    ).filter { !($0.key.hasSuffix("-wal") && $0.value.isEmpty) }
  }

  // MARK: Plain tables

  private static let names = [
    "name", "order", "select", "a b", "x'y", "\"q\"", "ünï", "日本", "😀", "a.b", "-- c", "%s",
    "line\nbreak", "id", "Z_PK", "created_at", "color", "\u{202E}rtl", "\u{1B}[31m", "{}", "?1",
    ":x",
  ]
  private static let types = [
    "TEXT", "INTEGER", "REAL", "BLOB", "DATE", "DATETIME", "BOOLEAN", "", "VARCHAR(10)",
    "DECIMAL(5,2)",
  ]
  private static let values = [
    "NULL", "NULL", "0", "1", "-1", "42", "9223372036854775807", "1.5", "1e300", "-0.0", "9e999",
    "''", "'plain'", "'Ünï 日本 😀'", "'a' || char(10) || 'b'", "char(27) || '[31m'", "char(0)",
    "x''", "x'FFD8FF00'", "zeroblob(5000)", "'2024-05-01'", "'2024-05-01 10:11:12'", "'n/a'",
    "1714521600", "-62135596800000", "'#8A5A33'", "'{\"a\": [1, 2]}'",
    "'a long text ' || hex(zeroblob(500))", "char(0x202E) || 'abc'", "'true'", "'yes'",
  ]

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private func makePlain(using generator: inout SeededGenerator) throws {
    var statements: [String] = []
    var tables: [String] = []
    for name in Self.names.shuffled(using: &generator).prefix(.random(in: 1...4, using: &generator))
    {
      statements += Self.table(name, after: tables, using: &generator)
      tables.append(name)
    }
    for (index, table) in tables.enumerated() where generator.chance(oneIn: 2) {
      statements.append("CREATE VIEW v\(index) AS SELECT * FROM \(Self.quoted(table))")
    }
    if generator.chance(oneIn: 6) {
      statements.append("CREATE VIEW broken AS SELECT * FROM missing")
    }
    var configuration = Configuration()
    // Rows refer to rows that do not exist, and to columns that are no key.
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction {
      database in
      for statement in statements { try database.execute(sql: statement) }
    }
  }

  /// The statements that make a table and its rows.
  private static func table(
    _ name: String, after tables: [String], using generator: inout SeededGenerator
  ) -> [String] {
    var names = Self.names.shuffled(using: &generator).filter { $0 != "id" }
      .prefix(.random(in: 1...6, using: &generator)).map { $0 }
    var columns = names.map { "\(quoted($0)) \(generator.pick(types))" }
    var suffix = ""
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: break  // No key.
    case 1:
      columns[0] += " NOT NULL PRIMARY KEY"
      suffix = " WITHOUT ROWID"
    default:
      columns.insert("id INTEGER PRIMARY KEY", at: 0)
    }
    if let other = tables.first, Bool.random(using: &generator) {
      columns.append("other_id INTEGER REFERENCES \(quoted(other))")
      names.append("other_id")
    }
    let count = generator.pick([0, 1, 3, 25, 120])
    let list = names.map(quoted).joined(separator: ", ")
    let rows = (0..<count).map { row in
      let values = names.enumerated().map { place, _ in
        place == 0 && !suffix.isEmpty ? "\(row)" : generator.pick(Self.values)
      }
      return "INSERT INTO \(quoted(name)) (\(list)) VALUES (\(values.joined(separator: ", ")))"
    }
    return ["CREATE TABLE \(quoted(name)) (\(columns.joined(separator: ", ")))\(suffix)"] + rows
  }

  // MARK: Core Data stores

  private func makeCoreData(
    _ model: ManagedObjectModel, using generator: inout SeededGenerator
  ) throws {
    let store = try SQLiteStore.create(path: path, model: model, layout: .coreData(.init()))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    var objects: [ManagedObject] = []
    for entity in model.entities where !entity.isAbstract {
      for _ in 0..<generator.pick([0, 1, 4, 30]) {
        let object = try context.insert(entityName: entity.name)
        for attribute in entity.attributes
        where !attribute.isOptional || Bool.random(using: &generator) {
          object[attribute.name] = Self.value(of: attribute, using: &generator)
        }
        objects.append(object)
      }
    }
    for object in objects {
      for relationship in object.entity.toOneRelationships {
        let targets = objects.filter { $0.entity.name == relationship.destinationEntityName }
        guard let target = targets.randomElement(using: &generator), generator.chance(oneIn: 2)
        else { continue }
        try object.setObject(target, forKey: relationship.name)
      }
    }
    try context.save()
  }

  private static func value(
    of attribute: AttributeDescription, using generator: inout SeededGenerator
  ) -> Value {
    switch attribute.type {
    case .date: .date(Date(timeIntervalSince1970: .random(in: -4e9...4e9, using: &generator)))
    case .integer16, .integer32, .integer64: .integer(.random(in: -9...9, using: &generator))
    case .binaryData, .transformable:
      .data(Data((0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    default:
      .string(generator.pick(["", "Ada", "Ünï 日本", "a\nb", "\u{1B}[31mred", "2024", "#FFD63A"]))
    }
  }
}
