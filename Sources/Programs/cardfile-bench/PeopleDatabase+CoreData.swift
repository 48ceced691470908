import Foundation
import ObjectModel
import SQLiteStore

/// The same people in a Core Data store, as objects of an entity and of two subentities.
extension PeopleDatabase {
  /// Creates the store; the file must not exist.
  static func createCoreDataStore(at path: String, rows: Int) throws {
    let plain = path + ".plain"
    try create(at: plain, rows: rows)
    defer { try? FileManager.default.removeItem(atPath: plain) }
    _ = try SQLiteStore.create(path: path, model: model, layout: .coreData(CoreDataCreation()))
    let database = try RawDatabase(path: path)
    let names = ["id"] + columns
    try database.execute(
      """
      ATTACH '\(plain.replacing("'", with: "''"))' AS plain;
      BEGIN;
      INSERT INTO main.ZPEOPLE (Z_PK, Z_ENT, Z_OPT, \(names.map(column).joined(separator: ", ")))
        SELECT id, (SELECT min(Z_ENT) FROM Z_PRIMARYKEY) + id % 3, 1,
          \(names.map { $0 == "born" ? "unixepoch(born) - 978307200" : $0 }.joined(separator: ", "))
        FROM plain.people ORDER BY id;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_NAME = 'people';
      COMMIT
      """)
  }

  /// What lets the raw loops read and change a Core Data store as they do the table `people`:
  /// SQLite puts a view's columns in its place when a statement is prepared.
  static let coreDataView = """
    CREATE TEMP VIEW people AS SELECT Z_PK AS id,
      \(columns.map { "\(column($0)) AS \($0)" }.joined(separator: ", ")) FROM main.ZPEOPLE;
    CREATE TEMP TRIGGER change_people INSTEAD OF UPDATE OF surname, email, city ON people BEGIN
      UPDATE ZPEOPLE
        SET ZSURNAME = NEW.surname, ZEMAIL = NEW.email, ZCITY = NEW.city, Z_OPT = Z_OPT + 1
        WHERE Z_PK = OLD.id;
    END
    """

  private static func column(_ name: String) -> String { "Z" + name.uppercased() }

  private static var model: ManagedObjectModel {
    let attributes =
      [AttributeDescription("id", .integer64)]
      + columns.map { AttributeDescription($0, $0 == "born" ? .date : .string) }
    return ManagedObjectModel(
      entities: [("people", nil), ("employee", "people"), ("customer", "people")].map {
        EntityDescription(name: $0, superentityName: $1, attributes: attributes)
      })
  }
}
