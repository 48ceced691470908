import GRDB
import ObjectModel

@testable import SQLQueries
@testable import SQLiteStore

/// A small Core Data store with persistent history, and its handwritten layout.
///
/// Item (2) has the subentity Note (3); their table is ZITEM. A Folder (1) has ordered items.
enum HistoryFixture {
  static let statements = """
    CREATE TABLE Z_PRIMARYKEY (
      Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1,'Folder',0,1),(2,'Item',0,2),(3,'Note',2,0),
      (16001,'CHANGE',0,4),(16002,'TRANSACTION',0,2),(16003,'TRANSACTIONSTRING',0,3);
    CREATE TABLE ACHANGE (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB,
      ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB);
    CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
    """
  static let strings = """
    CREATE TABLE ATRANSACTION (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
      ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT,
      ZAUTHOR VARCHAR,
      ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZNAME VARCHAR);
    CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME
      ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
    """
  static let rows = """
    INSERT INTO ATRANSACTIONSTRING VALUES
      (1,16003,NULL,'com.example.app'),(2,16003,NULL,'app'),(3,16003,NULL,'import');
    INSERT INTO ATRANSACTION VALUES (1,16002,NULL,NULL,1,3,2,100.5,NULL,NULL,NULL,NULL,NULL),
      (2,16002,NULL,3,99,NULL,2,200,'ignored','inline',NULL,NULL,NULL);
    INSERT INTO ACHANGE VALUES (1,16001,NULL,0,1,1,1,NULL,NULL,NULL),
      (2,16001,NULL,1,3,2,1,x'4B80',NULL,NULL),
      (3,16001,NULL,2,3,1,2,NULL,'first',1),
      (4,16001,NULL,7,42,9,2,x'01',NULL,NULL);
    """
  static let oldForm = """
    CREATE TABLE ATRANSACTION (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT,
      ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
    """

  /// Item: title, folder (to Folder, ordered there), Note: Zoom, done, links (to-many to Item).
  static func layout(hasStrings: Bool = true, listsTombstones: Bool = false) throws -> StoreLayout {
    let kept = AttributeDetails(preservesValueInHistoryOnDeletion: true)
    let title = AttributeDescription("title", .string, details: kept)
    let folder = RelationshipDescription("folder", to: "Folder", inverse: "items")
    let items = RelationshipDescription(
      "items", to: "Item", inverse: "folder", isToMany: true, isOrdered: true)
    let links = RelationshipDescription("links", to: "Item", isToMany: true)
    let done = AttributeDescription(
      "done", .boolean, encoding: .booleanInteger, details: kept)
    let user =
      listsTombstones ? ["NSPersistentHistoryTombstoneAttributes": "title,  done,none"] : [:]
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Folder", attributes: [AttributeDescription("name", .string)], relationships: [items]),
      EntityDescription(name: "Item", attributes: [title], relationships: [folder]),
      EntityDescription(
        name: "Note", superentityName: "Item",
        attributes: [
          title, AttributeDescription("zoom", .double), AttributeDescription("Zoom", .double), done,
        ],
        relationships: [folder, links], details: EntityDetails(userInfo: user)),
    ])
    try model.validate()
    let toFolder = EntityTable.ToOne(
      columns: ["ZFOLDER"], referenced: ["Z_PK"], referencesKey: true, entityColumn: "Z1_FOLDER",
      orderColumn: "Z_FOK_FOLDER")
    let shared = EntityTable(
      name: "ZITEM", key: .rowid(name: "Z_PK"),
      entityColumn: .init(name: "Z_ENT", values: ["Item": 2, "Note": 3]), columns: [],
      toOne: ["folder": toFolder])
    return StoreLayout(
      model: model,
      tables: [
        "Folder": EntityTable(name: "ZFOLDER", key: .rowid(name: "Z_PK"), columns: ["ZNAME"]),
        "Item": shared, "Note": shared,
      ],
      coreData: CoreDataSchema(
        storeIdentifier: "STORE", entityNumbers: ["Folder": 1, "Item": 2, "Note": 3],
        rootNames: ["Folder": "Folder", "Item": "Item", "Note": "Item"],
        history: .init(hasStrings: hasStrings, tombstoneCount: 2)))
  }
}
