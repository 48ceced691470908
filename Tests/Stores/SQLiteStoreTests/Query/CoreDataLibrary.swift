import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// The library as a Core Data store: authors of three entities in one table, and foreign keys with
/// an entity column.
enum CoreDataLibrary {
  /// Copies the rows of a library into Core Data's tables.
  static func make(from library: Library) throws -> Library {
    let names = Library.authorAttributes.map(\.name)
    let columns = names.map { "Z\($0.uppercased()) \(type(of: $0))" }.joined(separator: ", ")
    let capitals = names.map { "Z\($0.uppercased())" }.joined(separator: ", ")
    try library.execute(
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, '\(Library.storeIdentifier)', NULL);
      CREATE TABLE Z_PRIMARYKEY
        (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES
        (1, 'Author', 0, 0), (2, 'Poet', 1, 0), (3, 'Bard', 2, 0), (4, 'Book', 0, 0), (5, 'Tag', 0, 0);
      CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMENTOR INTEGER,
        Z1_MENTOR INTEGER, \(columns));
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZMENTOR, \(capitals))
        SELECT id, 1 + id % 3, 1, mentor_id, \(names.joined(separator: ", ")) FROM author;
      CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER,
        Z1_AUTHOR INTEGER, ZID INTEGER, ZTITLE VARCHAR, ZPAGES INTEGER, ZAUTHOR_ID INTEGER);
      INSERT INTO ZBOOK SELECT id, 4, 1, author_id, NULL, id, title, pages, author_id FROM book;
      CREATE TABLE ZTAG
        (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZKEY VARCHAR, ZLABEL VARCHAR);
      INSERT INTO ZTAG (Z_ENT, Z_OPT, ZKEY, ZLABEL) SELECT 5, 1, key, label FROM tag;
      CREATE TABLE Z_1TAGS (Z_1AUTHORS INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_1AUTHORS, Z_5TAGS));
      INSERT INTO Z_1TAGS SELECT p.author_id, t.Z_PK FROM author_tag p JOIN ZTAG t ON t.ZKEY = p.tag_key;
      """)
    let layout = try library.queue.writeWithoutTransaction { database in
      try CoreDataLayout.read(from: database, model: model)
    }
    try #require(layout.notes.allSatisfy { $0.contains("metadata") })
    return Library(queue: library.queue, layout: layout.layout)
  }

  /// The declared type of an author's attribute in Core Data's table.
  private static func type(of name: String) -> String {
    switch Library.authorAttributes.first(where: { $0.name == name })?.type {
    case .string, .uri: "VARCHAR"
    case .date: "TIMESTAMP"
    case .double: "FLOAT"
    case .decimal: "DECIMAL"
    case .uuid, .undefined: "BLOB"
    default: "INTEGER"
    }
  }

  private static var model: ManagedObjectModel {
    let relationships = [
      RelationshipDescription("mentor", to: "Author", inverse: "pupils"),
      RelationshipDescription("pupils", to: "Author", inverse: "mentor", isToMany: true),
      RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
      RelationshipDescription("tags", to: "Tag", inverse: "authors", isToMany: true),
    ]
    func author(_ name: String, _ above: String?) -> EntityDescription {
      EntityDescription(
        name: name, superentityName: above, attributes: Library.authorAttributes,
        relationships: relationships)
    }
    return ManagedObjectModel(entities: [
      author("Author", nil), author("Poet", "Author"), author("Bard", "Poet"),
      EntityDescription(
        name: "Book",
        attributes: [
          .init("id", .integer64), .init("title", .string), .init("pages", .integer64),
          .init("author_id", .integer64),
        ], relationships: [.init("author", to: "Author", inverse: "books")]),
      EntityDescription(
        name: "Tag", attributes: [.init("key", .string), .init("label", .string)],
        relationships: [.init("authors", to: "Author", inverse: "tags", isToMany: true)]),
    ])
  }
}
