import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Random edits by keys in real stores, with undo and redo in between, then saved:
/// `CARDFILE_EDITS=2000` in the environment makes more of them.
@MainActor @Suite struct RandomEditsTests {
  private nonisolated static let shell = "/usr/bin/sqlite3"
  private static let editCount =
    ProcessInfo.processInfo.environment["CARDFILE_EDITS"].flatMap(Int.init) ?? 60

  private static let tables = """
    CREATE TABLE company(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, founded DATE);
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, age INTEGER,
      score REAL, born DATETIME, active BOOLEAN, upper TEXT GENERATED ALWAYS AS (upper(name)),
      company_id INTEGER REFERENCES company(id) ON DELETE SET NULL);
    CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT, photo BLOB,
      owner_id INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE);
    CREATE TABLE tag(code TEXT PRIMARY KEY NOT NULL, title TEXT);
    CREATE TABLE person_tag(person_id INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE,
      tag_code TEXT NOT NULL REFERENCES tag(code) ON DELETE CASCADE, PRIMARY KEY(person_id, tag_code));
    INSERT INTO company(name) VALUES ('Fish'), ('Fowl');
    INSERT INTO person(name, city, age, born, company_id)
      VALUES ('Ada', 'Oslo', 36, '1815-12-10', 1), ('Bob', 'Oslo', NULL, '1999-01-01 10:00:00', 2),
      ('Cy', 'Brno', 5, 'unknown', NULL);
    INSERT INTO pet(name, owner_id) VALUES ('Rex', 1), ('Tom', 1), ('Ace', 2);
    INSERT INTO tag VALUES ('a', 'First'), ('b', 'Second');
    INSERT INTO person_tag VALUES (1, 'a'), (2, 'a'), (2, 'b');
    """

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Company",
      attributes: [
        AttributeDescription("name", .string, isOptional: false),
        AttributeDescription("worth", .decimal, encoding: .decimalNumber),
      ],
      relationships: [
        RelationshipDescription("people", to: "Person", inverse: "company", isToMany: true)
      ], uniquenessConstraints: [["name"]]),
    EntityDescription(
      name: "Person",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("age", .integer32),
        AttributeDescription("born", .date, encoding: .referenceSeconds),
        AttributeDescription("active", .boolean, isOptional: false, defaultValue: .bool(false)),
        AttributeDescription("token", .uuid, encoding: .uuidData),
        AttributeDescription("photo", .binaryData),
      ],
      relationships: [
        RelationshipDescription("company", to: "Company", inverse: "people"),
        RelationshipDescription(
          "pets", to: "Pet", inverse: "owner", isToMany: true, deleteRule: .cascade),
        RelationshipDescription("tags", to: "Tag", inverse: "people", isToMany: true),
        RelationshipDescription("twin", to: "Person", inverse: "twin"),
      ]),
    EntityDescription(
      name: "Pet", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("owner", to: "Person", inverse: "pets", isOptional: false)
      ]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("people", to: "Person", inverse: "tags", isToMany: true)
      ]),
  ])

  // MARK: Plain databases

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: shell)), arguments: [1, 2, 3])
  func `random edits of a plain database are what the sqlite3 shell reads`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("plain.sqlite")
    try Self.runShell(path, Self.tables)
    let stage = try Stage(nil, opened: SQLiteStore.open(path: path))
    try edit(stage, seed: seed) { context, entity in
      let rows = try Self.rows(path, entity)
      let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
      #expect(rows.count == objects.count, "\(entity.name)")
      for object in objects {
        let row = try #require(rows[object.objectID.key], "\(object.objectID)")
        for attribute in entity.attributes {
          let stored = object.storedValue(forKey: attribute.name)
          #expect(
            row[attribute.name] == Self.literal(stored), "\(object.objectID) \(attribute.name)")
        }
      }
    }
    #expect(try Self.runShell(path, "PRAGMA foreign_key_check; PRAGMA integrity_check;") == "ok\n")
  }

  /// The values of a table's rows by key, as the shell prints them as SQL literals.
  private static func rows(_ path: String, _ entity: EntityDescription) throws
    -> [ObjectKey: [String: String]]
  {
    let columns = entity.attributes.map { "quote(\"\($0.name)\")" }.joined(separator: ", ")
    let text = try runShell(path, "SELECT \(columns) FROM \"\(entity.name)\";")
    var rows: [ObjectKey: [String: String]] = [:]
    for line in text.split(separator: "\n") {
      let cells = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
      let row = Dictionary(
        zip(entity.attributes.map(\.name), cells), uniquingKeysWith: { first, _ in first })
      let key = entity.keyAttributes.compactMap { row[$0] }.map { text -> Value in
        Int64(text).map { .integer($0) }
          ?? .string(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
      }
      if key.count == 1, case .integer(let number) = key[0] {
        rows[.integer(number)] = row
      } else {
        rows[.composite(key)] = row
      }
    }
    return rows
  }

  /// A stored value as SQLite's quote() writes it.
  private static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .string(let text): "'\(text.replacing("'", with: "''"))'"
    case .data(let data): "X'\(BytesInput.hex(data).replacing(" ", with: "").uppercased())'"
    case .double(let number): number == 1e10 ? "10000000000.0" : "\(number)"
    default: "\(value)"
    }
  }

  @discardableResult
  private static func runShell(_ path: String, _ sql: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = ["-separator", "\u{1F}", path, sql]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  // MARK: Core Data stores

  @Test(arguments: [1, 2, 3])
  func `random edits of a Core Data store pass its check and read the same`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("coredata.sqlite")
    let store = try SQLiteStore.create(
      path: path, model: Self.model, layout: .coreData(.init(keepsHistory: true)))
    try Self.fill(store)
    let stage = try Stage(nil, opened: store)
    try edit(stage, seed: seed) { context, entity in
      let fresh = ManagedObjectContext(
        coordinator: PersistentStoreCoordinator(store: try SQLiteStore.open(path: path)))
      let request = FetchRequest<ManagedObject>(entityName: entity.name)
      let (objects, stored) = (try context.fetch(request), try fresh.fetch(request))
      #expect(objects.map(\.objectID) == stored.map(\.objectID))
      for (object, other) in zip(objects, stored) {
        for attribute in entity.attributes {
          #expect(object[attribute.name] == other[attribute.name], "\(object.objectID)")
        }
        for relationship in entity.relationships {
          #expect(
            Set(object.objectIDs(forKey: relationship.name))
              == Set(other.objectIDs(forKey: relationship.name)),
            "\(object.objectID) \(relationship.name)")
        }
      }
    }
    let findings = try SQLiteStore.open(path: path).check()
    #expect(findings.filter { $0.severity != .note }.isEmpty, "\(findings)")
  }

  private static func fill(_ store: SQLiteStore) throws {
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for (entity, names) in [
      ("Company", ["Fish", "Fowl"]), ("Person", ["Ada", "Bob", "Cy"]), ("Tag", ["a", "b"]),
    ] {
      for name in names { try context.insert(entityName: entity)["name"] = .string(name) }
    }
    let ada = try #require(context.insertedObjects.first { $0["name"] == "Ada" })
    for name in ["Rex", "Tom"] {
      let pet = try context.insert(entityName: "Pet")
      pet["name"] = .string(name)
      try pet.setObject(ada, forKey: "owner")
    }
    try context.save()
  }

  // MARK: Both

  /// Edits at random and saves; then each entity is compared with the file, and its list with that of
  /// a fresh start.
  private func edit(
    _ stage: Stage, seed: UInt64,
    compare: (ManagedObjectContext, EntityDescription) throws -> Void
  ) throws {
    let editor = RandomEditor(stage, seed: seed)
    let context = stage.app.session.context
    for _ in 0..<3 {
      for _ in 0..<Self.editCount / 3 { editor.step() }
      let shown = save(stage)
      try #require(!stage.app.session.hasUnsavedChanges, "\(stage.text)")
      for (object, values) in shown where object.isAccessible {
        for (name, value) in values {
          #expect(object[name] == value, "\(object.objectID) \(name)")
        }
      }
      for entity in context.model.entities { try compare(context, entity) }
    }
    // A list that was left comes back in its order and widths, which the data was other for.
    stage.app.session.places = [:]
    for entity in context.model.entities {
      let fresh = try Stage(entity.name, opened: stage.gate)
      stage.app.push(ListScreen(entity, session: stage.app.session))
      stage.settle()
      #expect(stage.lines[1..<22] == fresh.lines[1..<22], "\(entity.name)")
      stage.app.back()
    }
    #expect(editor.changes.count >= 6, "\(editor.changes)")
  }

  /// The values that the screen shows, foreign keys excepted: those of new objects are known later.
  private func values(in context: ManagedObjectContext, without marked: [ObjectID])
    -> [(ManagedObject, [String: Value])]
  {
    let marked = Set(marked)
    return (context.insertedObjects + context.updatedObjects)
      .filter { !marked.contains($0.objectID) }
      .map { object in
        let foreign = Set(object.entity.toOneRelationships.flatMap(\.foreignKeyAttributes))
        let names = object.entity.attributes.filter {
          !$0.isReadOnly && !foreign.contains($0.name)
            && !object.entity.keyAttributes.contains($0.name)
        }.map(\.name)
        return (
          object,
          Dictionary(uniqueKeysWithValues: names.map { ($0, object[$0]) })
        )
      }
  }

  /// Saves; what a save refuses is undone step by step.
  ///
  /// - Returns: What the screen showed before the save, by object.
  private func save(_ stage: Stage) -> [(ManagedObject, [String: Value])] {
    var refusals: [String] = []
    for _ in 0...Self.editCount where stage.app.session.hasUnsavedChanges {
      let shown = values(
        in: stage.app.session.context, without: Array(stage.app.session.marks))
      stage.type("W")
      if let number = stage.text.firstMatch(of: /Type (\d+) to/)?.1 {
        stage.type(String(number))
        stage.press(.enter)
      } else if stage.app.overlays.last is QuestionOverlay {
        stage.type("y")
        if stage.app.overlays.last is QuestionOverlay { stage.type("s") }
      }
      for _ in 0..<5 where !stage.app.overlays.isEmpty { stage.press(.escape) }
      if !stage.app.session.hasUnsavedChanges { return shown }
      refusals.append(stage.app.message?.text ?? stage.text)
      stage.type("u")
    }
    #expect(refusals.isEmpty, "\(refusals)")
    return []
  }
}
