import Foundation
import GRDB
import ModelFiles
import ObjectModel
import SQLQueries
import SQLiteStore
import TestSupport
import Testing

/// Tests that a check finds each of the faults that programs and disks leave in a store: one at a
/// time, planted in a store without faults.
struct PlantedFaultsTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let kind: CheckFinding.Kind
    let sql: String
    var keys: [String] = []

    var testDescription: String { "\(kind): \(sql)" }

    init(_ kind: CheckFinding.Kind, _ sql: String, keys: [String] = []) {
      (self.kind, self.sql, self.keys) = (kind, sql, keys)
    }
  }

  /// A tree of nodes with an attribute of each type, tags, and leaves that derive their values.
  private static let model: ManagedObjectModel = {
    func attribute(_ name: String, _ type: AttributeType, rules: [String] = [])
      -> AttributeDescription
    {
      AttributeDescription(
        name, type,
        details: AttributeDetails(
          property: PropertyDetails(validations: rules.map { ValidationRule($0) })))
    }
    func derived(_ name: String, _ type: AttributeType, _ expression: String)
      -> AttributeDescription
    {
      AttributeDescription(
        name, type, isReadOnly: true,
        details: AttributeDetails(derivation: AttributeDetails.Derivation(expression)))
    }
    return ManagedObjectModel(entities: [
      EntityDescription(
        name: "Node",
        attributes: [
          attribute("day", .date), attribute("flag", .boolean), attribute("large", .integer64),
          attribute("latitude", .double), attribute("link", .uri), attribute("longitude", .double),
          attribute("middle", .integer32, rules: ["SELF >= 1", "SELF <= 9"]),
          attribute("name", .string, rules: ["length <= 5"]), attribute("price", .decimal),
          attribute("ratio", .double), attribute("share", .float), attribute("small", .integer16),
          attribute("bytes", .binaryData), attribute("token", .uuid),
          derived("childCount", .integer64, "count(children)"),
          derived("parentName", .string, "parent.name"),
        ],
        relationships: [
          RelationshipDescription(
            "children", to: "Node", inverse: "parent", isToMany: true, deleteRule: .cascade),
          RelationshipDescription(
            "parent", to: "Node", inverse: "children", details: RelationshipDetails(maxCount: 1)),
          RelationshipDescription("tags", to: "Tag", inverse: "nodes", isToMany: true),
        ],
        uniquenessConstraints: [["name"]],
        details: EntityDetails(
          fetchIndexes: [
            FetchIndexDescription(
              "place",
              elements: [.init("latitude", kind: .rTree), .init("longitude", kind: .rTree)])
          ])),
      EntityDescription(
        name: "Tag", attributes: [attribute("word", .string)],
        relationships: [
          RelationshipDescription("nodes", to: "Node", inverse: "tags", isToMany: true)
        ]),
    ])
  }()

  private static let rows = """
    INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPARENT, ZDAY, ZFLAG, ZLARGE, ZLATITUDE,
      ZLONGITUDE, ZLINK, ZMIDDLE, ZPRICE, ZRATIO, ZSHARE, ZSMALL, ZBYTES, ZTOKEN) VALUES
      (1, 1, 1, 'root', NULL, 0.5, 1, 9223372036854775807, 48.5, 10.25, 'about:blank', 1, 0.1,
        1e308, 3.4e38, -32768, x'00', zeroblob(16)),
      (2, 1, 1, 'left', 1, -63114076800, 0, -1, NULL, NULL, NULL, 9, 3, 1, -1.5, 32767, NULL, NULL),
      (3, 1, 1, 'right', 1, NULL, NULL, NULL, -33, 151, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (4, 1, 1, 'leaf', 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWORD) VALUES (1, 2, 1, 'a');
    INSERT INTO Z_1TAGS VALUES (1, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_ENT WHEN 1 THEN 4 ELSE 1 END;
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 5);
    INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      VALUES (1, 16001, 0, 1, 1, 1);
    """

  static let faults: [Fault] =
    // Text, blobs and numbers in columns of other types.
    ["ZDAY", "ZFLAG", "ZLARGE", "ZMIDDLE", "ZSMALL", "ZPRICE", "ZRATIO", "ZSHARE"].map {
      Fault(.wrongType, "UPDATE ZNODE SET \($0) = 'soon' WHERE Z_PK = 2", keys: ["2"])
    }
    + ["ZFLAG", "ZLARGE", "ZMIDDLE", "ZSMALL"].map {
      Fault(.wrongType, "UPDATE ZNODE SET \($0) = 1.5 WHERE Z_PK = 2", keys: ["2"])
    }
    + ["ZNAME", "ZLINK", "ZDAY", "ZRATIO"].map {
      Fault(.wrongType, "UPDATE ZNODE SET \($0) = x'61' WHERE Z_PK = 3", keys: ["3"])
    }
    + ["zeroblob(5)", "zeroblob(17)", "'text'", "5"].map {
      Fault(.wrongType, "UPDATE ZNODE SET ZTOKEN = \($0) WHERE Z_PK = 4", keys: ["4"])
    }
    + [
      Fault(.wrongType, "UPDATE ZNODE SET ZBYTES = 'text' WHERE Z_PK = 4", keys: ["4"]),
      Fault(.wrongType, "UPDATE ZTAG SET ZWORD = x'00'", keys: ["1"]),
      // Beyond the width.
      Fault(.outOfRange, "UPDATE ZNODE SET ZSMALL = 32768 WHERE Z_PK = 2", keys: ["2"]),
      Fault(.outOfRange, "UPDATE ZNODE SET ZSMALL = -32769 WHERE Z_PK = 2", keys: ["2"]),
      Fault(.outOfRange, "UPDATE ZNODE SET ZMIDDLE = 2147483648 WHERE Z_PK = 2", keys: ["2"]),
      Fault(.outOfRange, "UPDATE ZNODE SET ZFLAG = 2 WHERE Z_PK = 2", keys: ["2"]),
      Fault(.outOfRange, "UPDATE ZNODE SET ZSHARE = 1e39 WHERE Z_PK = 2", keys: ["2"]),
      Fault(.outOfRange, "UPDATE ZNODE SET ZDAY = 9e999 WHERE Z_PK = 2", keys: ["2"]),
      Fault(.outOfRange, "UPDATE ZNODE SET ZDAY = -9e999 WHERE Z_PK = 2", keys: ["2"]),
      Fault(
        .outOfRange,
        """
        UPDATE ZNODE SET ZDAY = 9e999 WHERE Z_PK = 2;
        UPDATE ZNODE SET ZDAY = -9223372036854775807 - 1 WHERE Z_PK = 3;
        """, keys: ["2"]),
      // Rules.
      Fault(.validationRule, "UPDATE ZNODE SET ZMIDDLE = 0 WHERE Z_PK = 3", keys: ["3"]),
      Fault(.validationRule, "UPDATE ZNODE SET ZMIDDLE = 10 WHERE Z_PK = 3", keys: ["3"]),
      Fault(.validationRule, "UPDATE ZNODE SET ZNAME = 'a long one' WHERE Z_PK = 4", keys: ["4"]),
      // The schema.
      Fault(.missingColumn, "ALTER TABLE ZTAG DROP COLUMN ZWORD"),
      Fault(.missingColumn, "DROP TABLE Z_1TAGS"),
      Fault(.missingTable, "DROP TABLE ZTAG"),
      Fault(.missingIndex, "DROP INDEX Z_Node_UNIQUE_name"),
      Fault(.missingIndex, "DROP INDEX ZNODE_ZPARENT_INDEX"),
      Fault(.strayTable, "CREATE TABLE ZGHOST (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT)"),
      Fault(.strayTable, "CREATE TABLE Z_7GHOSTS (Z_7A INTEGER, Z_8B INTEGER)"),
      // Derived values.
      Fault(.staleDerivation, "UPDATE ZNODE SET ZCHILDCOUNT = 9 WHERE Z_PK = 1", keys: ["1"]),
      Fault(.staleDerivation, "UPDATE ZNODE SET ZCHILDCOUNT = NULL WHERE Z_PK = 3", keys: ["3"]),
      Fault(.staleDerivation, "UPDATE ZNODE SET ZPARENTNAME = 'x' WHERE Z_PK = 4", keys: ["4"]),
      Fault(.staleDerivation, "UPDATE ZNODE SET ZPARENTNAME = NULL WHERE Z_PK = 4", keys: ["4"]),
    ]
    + [
      "PARAMETER_INSERT", "PARAMETER_UPDATE_INCREMENT", "PARAMETER_UPDATE_DECREMENT",
      "PARAMETER_DELETE", "SOURCE_INSERT",
    ].map { Fault(.missingTrigger, "DROP TRIGGER Z_DA_ZNODE_Node_childCount_\($0)") }
    + ["SOURCE_INSERT", "SOURCE_UPDATE", "PARAMETER_INSERT", "PARAMETER_UPDATE"].map {
      Fault(.missingTrigger, "DROP TRIGGER Z_DA_ZNODE_Node_parentName_\($0)")
    }
    + ["INSERT", "UPDATE", "DELETE"].map {
      Fault(.missingTrigger, "DROP TRIGGER Z_RT_Node_place_\($0)")
    }
    + [
      // The R-tree.
      Fault(.spatialIndex, "DELETE FROM Z_RT_Node_place WHERE Z_PK = 3", keys: ["3"]),
      Fault(.spatialIndex, "INSERT INTO Z_RT_Node_place VALUES (99, 0, 1, 0, 1)", keys: ["99"]),
      Fault(
        .spatialIndex,
        "UPDATE Z_RT_Node_place SET ZLATITUDE_MIN = 1, ZLATITUDE_MAX = 2 WHERE Z_PK = 3",
        keys: ["3"]),
      // What the store says of itself.
      Fault(.storeIdentifier, "UPDATE Z_METADATA SET Z_UUID = ''"),
      Fault(.storeIdentifier, "UPDATE Z_METADATA SET Z_UUID = NULL"),
      // History.
      Fault(.unknownObject, "UPDATE ACHANGE SET ZENTITYPK = 77", keys: ["1"]),
      Fault(.unknownObject, "UPDATE ACHANGE SET ZENTITYPK = NULL", keys: ["1"]),
      Fault(.unknownObject, "UPDATE ACHANGE SET ZENTITYPK = 0", keys: ["1"]),
      // Ancestors.
      Fault(.ownAncestor, "UPDATE ZNODE SET ZPARENT = 1 WHERE Z_PK = 1", keys: ["1"]),
      Fault(.ownAncestor, "UPDATE ZNODE SET ZPARENT = 4 WHERE Z_PK = 1", keys: ["1", "4", "3"]),
    ]

  private func make() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(
      path: database.path, model: Self.model,
      layout: .coreData(CoreDataCreation(keepsHistory: true)))
    try change(database, Self.rows)
    return database
  }

  private func change(_ database: TemporaryDatabase, _ sql: String) throws {
    let queue = try database.connect()
    try queue.writeWithoutTransaction { (connection: Database) throws in
      CreatedModel.addTriggerFunctions(to: connection)
      try connection.execute(sql: sql)
    }
    try queue.close()
  }

  @Test func `the store without a fault has no findings`() throws {
    let database = try make()
    #expect(try database.open().check() == [])
  }

  @Test(arguments: faults)
  func `a fault is found`(_ fault: Fault) throws {
    let database = try make()
    try change(database, fault.sql)
    let found = try database.open().check()
    let findings = found.filter { $0.kind == fault.kind }
    #expect(!findings.isEmpty, "\(found)")
    #expect(findings.allSatisfy { $0.severity == .error })
    #expect(fault.keys.isEmpty || findings.contains { $0.keys == fault.keys }, "\(found)")
  }

  @Test(.needsRealStores)
  func `an altered version hash does not match the digest`() throws {
    let folder = try TemporaryDatabase(name: "library-history.sqlite")
    try RealStores.copy("library-history.sqlite", to: folder.folder)
    let queue = try folder.connect()
    let plist = try #require(
      try queue.read { try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA") })
    var format = PropertyListSerialization.PropertyListFormat.binary
    var metadata = try #require(
      try PropertyListSerialization.propertyList(from: plist, format: &format) as? [String: Any])
    var hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    let name = try #require(hashes.keys.sorted().first)
    hashes[name] = Data(hashes[name]?.map { $0 ^ 1 } ?? [])
    metadata["NSStoreModelVersionHashes"] = hashes
    let altered = try PropertyListSerialization.data(
      fromPropertyList: metadata, format: .binary, options: 0)
    try queue.write {
      try $0.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [altered])
    }
    try queue.close()
    #expect(try folder.open().check().map(\.kind) == [.versionHashes])
  }

  @Test(arguments: ["index", "table"])
  func `a damaged page is named`(_ what: String) throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA page_size = 4096; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE INDEX i ON t (a);
      WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 3000)
      INSERT INTO t SELECT k, 'text ' || k FROM n;
      """)
    let root = try database.connect().read {
      try Int.fetchOne(
        $0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?",
        arguments: [what == "index" ? "i" : "t"])
    }
    for damage in [Data(count: 4096), Data(repeating: 0xFF, count: 12), Data([0x0A, 0xFF, 0xFF])] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: database.path))
      let copy = try TemporaryDatabase()
      var changed = bytes
      let start = ((root ?? 2) - 1) * 4096
      changed.replaceSubrange(start..<(start + damage.count), with: damage)
      try changed.write(to: URL(fileURLWithPath: copy.path))
      let found = try copy.open().check()
      #expect(!found.isEmpty)
      #expect(found.allSatisfy { $0.kind == .integrity && $0.severity == .error })
    }
  }
}
