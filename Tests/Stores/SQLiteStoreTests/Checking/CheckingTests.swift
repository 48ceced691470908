import Foundation
import GRDB
import ObjectModel
import SQLQueries
import SQLiteStore
import TestSupport
import Testing

@Suite struct CheckingTests {
  /// A damage, and the expected finding.
  struct Damage: CustomTestStringConvertible, Sendable {
    let sql: String
    let kind: CheckFinding.Kind
    let severity: CheckFinding.Severity
    let table: String
    let keys: [String]
    var count = 1

    var testDescription: String { "\(kind) in \(table): \(sql)" }
  }

  /// Two bands with albums and ordered songs, without faults.
  private static let rows = """
    INSERT INTO ZBAND (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFAVOURITE, Z2_FAVOURITE) VALUES
      (1,1,1,'Can',3,3), (2,1,4,'Neu',NULL,NULL);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBAND, Z1POSTERS) VALUES (3,3,1,'Ege',1,1),
      (4,3,1,'Soon',1,NULL);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZALBUM, Z_FOK_ALBUM, ZSEQUENCE)
      VALUES (5,4,1,'One',3,1024,1), (6,4,1,'Two',3,2048,2), (7,4,1,'Three',4,1024,1);
    INSERT INTO Z_1FANS (Z_1IDOLS, Z_1FANS) VALUES (1,2);
    INSERT INTO Z_1FRIENDS (Z_1FRIENDS, REFLEXIVE) VALUES (1,2), (2,1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_ENT WHEN 1 THEN 2 WHEN 2 THEN 7 ELSE 1 END WHERE Z_ENT
      IN (1, 2, 16001, 16002, 16003);
    INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1,16003,'app');
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZTIMESTAMP) VALUES (1,16002,1,5);
    INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
      VALUES (1,16001,1,1,1,1,x'8000');
    """

  /// Creates the store, damages it and checks it.
  private func findings(after sql: String) throws -> [CheckFinding] {
    let folder = try TemporaryDatabase()
    let store = try SQLiteStore.create(
      path: folder.path, model: CreatedModel.model,
      layout: .coreData(CoreDataCreation(keepsHistory: true)))
    let queue = try folder.connect()
    try queue.writeWithoutTransaction { (database: Database) throws in
      CreatedModel.addTriggerFunctions(to: database)
      try database.execute(sql: Self.rows)
      try database.execute(sql: sql)
    }
    try queue.close()
    return try store.check()
  }

  @Test func `a store without faults has no findings`() throws {
    #expect(try findings(after: "") == [])
  }

  static let damages = [
    Damage(
      sql: "UPDATE ZITEM SET ZBAND = 99 WHERE Z_PK = 4", kind: .danglingToOne, severity: .error,
      table: "ZITEM", keys: ["4"]),
    Damage(
      sql: "UPDATE ZITEM SET ZALBUM = 6 WHERE Z_PK IN (5, 7)", kind: .wrongDestination,
      severity: .error, table: "ZITEM", keys: ["5", "7"], count: 2),
    Damage(
      sql: "UPDATE ZBAND SET Z2_FAVOURITE = 4", kind: .wrongEntityColumn, severity: .error,
      table: "ZBAND", keys: ["1"]),
    Damage(
      sql: "UPDATE ZBAND SET Z2_FAVOURITE = NULL", kind: .wrongEntityColumn, severity: .error,
      table: "ZBAND", keys: ["1"]),
    Damage(
      sql: "UPDATE ZITEM SET Z1POSTERS = 98 WHERE Z_PK = 5", kind: .danglingToOne,
      severity: .error, table: "ZITEM", keys: ["5"]),
    Damage(
      sql: "UPDATE ZITEM SET Z_ENT = 1 WHERE Z_PK = 7", kind: .foreignEntity, severity: .error,
      table: "ZITEM", keys: ["7"]),
    Damage(
      sql: "UPDATE ZBAND SET Z_OPT = CASE Z_PK WHEN 1 THEN 0 END", kind: .versionCounter,
      severity: .error, table: "ZBAND", keys: ["1", "2"], count: 2),
    Damage(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_ENT = 2", kind: .keyCount, severity: .error,
      table: "ZITEM", keys: ["7"]),
    Damage(
      sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 4", kind: .entityNumbers,
      severity: .error, table: "Z_PRIMARYKEY", keys: ["4"]),
    Damage(
      sql: "INSERT INTO Z_1FANS (Z_1IDOLS, Z_1FANS) VALUES (97, 1), (1, 96), (NULL, 1)",
      kind: .danglingPair, severity: .warning, table: "Z_1FANS", keys: ["1/97", "96/1", "1/NULL"],
      count: 3),
    Damage(
      sql: "DELETE FROM Z_1FRIENDS WHERE REFLEXIVE = 1", kind: .unmirroredPair, severity: .error,
      table: "Z_1FRIENDS", keys: ["2/1"]),
    Damage(
      sql: """
        DROP TABLE Z_1FANS; CREATE TABLE Z_1FANS (Z_1IDOLS INTEGER, Z_1FANS INTEGER);
        INSERT INTO Z_1FANS VALUES (1, 1), (1, 2), (1, 1)
        """, kind: .repeatedPair, severity: .error, table: "Z_1FANS", keys: ["1/1"]),
    Damage(
      sql: "UPDATE ZITEM SET Z_FOK_ALBUM = NULL WHERE Z_PK = 6", kind: .missingOrder,
      severity: .error, table: "ZITEM", keys: ["6"]),
    Damage(
      sql: "UPDATE ZITEM SET Z_FOK_ALBUM = 1024 WHERE Z_PK = 6", kind: .repeatedOrder,
      severity: .error, table: "ZITEM", keys: ["5"]),
    Damage(
      sql: "UPDATE ZITEM SET ZTITLE = NULL WHERE Z_PK > 5", kind: .missingValue,
      severity: .warning, table: "ZITEM", keys: ["6", "7"], count: 2),
    Damage(
      sql: "UPDATE ZITEM SET ZSEQUENCE = NULL", kind: .missingValue, severity: .warning,
      table: "ZITEM", keys: ["5", "6", "7"], count: 3),
    Damage(
      sql:
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBAND) VALUES (1,3,1,'',1), (2,3,1,'',1)",
      kind: .objectCount, severity: .error, table: "ZBAND", keys: ["1"]),
    Damage(
      sql: "DROP INDEX Z_Band_UNIQUE_name; UPDATE ZBAND SET ZNAME = 'Can'", kind: .repeatedValue,
      severity: .error, table: "ZBAND", keys: ["1"]),
    Damage(
      sql: "UPDATE ZBAND SET ZLOGO = x'03AA' WHERE Z_PK = 2", kind: .externalForm,
      severity: .error, table: "ZBAND", keys: ["2"]),
    Damage(
      sql:
        "UPDATE ZBAND SET ZLOGO ="
        + " CAST(x'02' || '00000000-0000-4000-8000-000000000000' || x'00' AS BLOB)",
      kind: .missingFile, severity: .warning, table: "ZBAND", keys: ["1", "2"], count: 2),
    Damage(
      sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", kind: .model, severity: .note,
      table: "Z_MODELCACHE", keys: []),
    Damage(
      sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'", kind: .model, severity: .error,
      table: "Z_MODELCACHE", keys: []),
    Damage(
      sql: "UPDATE Z_METADATA SET Z_PLIST = x'00'", kind: .model, severity: .error,
      table: "Z_METADATA", keys: []),
    Damage(
      sql: "UPDATE ACHANGE SET ZTRANSACTIONID = 2", kind: .changeWithoutTransaction,
      severity: .error, table: "ACHANGE", keys: ["1"]),
    Damage(
      sql: "DELETE FROM ACHANGE", kind: .emptyTransaction, severity: .note, table: "ATRANSACTION",
      keys: ["1"]),
    Damage(
      sql: "UPDATE ACHANGE SET ZCHANGETYPE = 0", kind: .changedColumns, severity: .error,
      table: "ACHANGE", keys: ["1"]),
    Damage(
      sql: "UPDATE ACHANGE SET ZENTITY = 77", kind: .unknownInHistory, severity: .note,
      table: "ACHANGE", keys: ["1"]),
    Damage(
      sql: "UPDATE ACHANGE SET ZCOLUMNS = x'8000000001'", kind: .unknownInHistory,
      severity: .error, table: "ACHANGE", keys: ["1"]),
    Damage(
      sql: "UPDATE ATRANSACTION SET ZBUNDLEIDTS = 5", kind: .unknownInHistory, severity: .error,
      table: "ATRANSACTION", keys: ["1"]),
    Damage(
      sql: "UPDATE ACHANGE SET Z_PK = 8", kind: .keyCount, severity: .error, table: "ACHANGE",
      keys: ["8"]),
  ]

  @Test(arguments: damages)
  func `each fault is found, with its table, keys and count`(_ damage: Damage) throws {
    let found = try findings(after: damage.sql)
    let finding = try #require(found.first { $0.kind == damage.kind }, "\(found)")
    #expect(finding.severity == damage.severity)
    #expect(finding.table == damage.table)
    #expect(finding.keys == damage.keys)
    #expect(finding.count == damage.count || damage.keys.isEmpty)
    #expect(finding.description.hasPrefix("\(damage.severity): "))
  }

  /// The kinds of findings that a test of their own provokes.
  private static let provokedAlone: Set<CheckFinding.Kind> = [
    .integrity, .partialCheck, .foreignKey, .unevenInverse, .unusedFile, .versionHashes,
    .checkConstraint, .logFrame,
  ]

  @Test func `each kind of finding is provoked by a test`() {
    let provoked = Set(Self.damages.map(\.kind)).union(PlantedFaultsTests.faults.map(\.kind))
    #expect(
      provoked.isDisjoint(with: Self.provokedAlone)
        && provoked.union(Self.provokedAlone) == Set(CheckFinding.Kind.allCases))
  }

  @Test func `two ends of a one-to-one relationship that refer to different objects are found`()
    throws
  {
    let model = ManagedObjectModel {
      Entity("Husband") { ToOne("wife", "Wife", inverse: "husband") }
      Entity("Wife") { ToOne("husband", "Husband", inverse: "wife") }
    }
    let folder = try TemporaryDatabase()
    let store = try SQLiteStore.create(
      path: folder.path, model: model, layout: .coreData(CoreDataCreation()))
    try folder.run(
      """
      INSERT INTO ZHUSBAND (Z_PK, Z_ENT, Z_OPT, ZWIFE) VALUES (1,1,1,1), (2,1,1,1), (3,1,1,NULL);
      INSERT INTO ZWIFE (Z_PK, Z_ENT, Z_OPT, ZHUSBAND) VALUES (1,2,1,1), (2,2,1,3);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
      """)
    let found = try store.check()
    #expect(found.map(\.kind) == [.unevenInverse])
    #expect(found.map(\.table) == ["ZHUSBAND"] && found.map(\.keys) == [["2"]])
  }

  @Test func `a table whose index has an unknown order is named, and the others are checked`()
    throws
  {
    let folder = try TemporaryDatabase()
    let queue = try folder.connect()
    try queue.writeWithoutTransaction { database in
      database.add(collation: DatabaseCollation("own") { $0.compare($1) })
      try database.execute(
        sql: """
          CREATE TABLE t (a TEXT COLLATE own); CREATE INDEX i ON t (a); CREATE TABLE u (b);
          """)
    }
    try queue.close()
    let found = try folder.open().check()
    #expect(found.map(\.kind) == [.partialCheck] && found.map(\.severity) == [.note])
    #expect(found.map(\.table) == ["t"])
  }

  @Test func `external files are compared with the values that refer to them`() throws {
    let folder = try TemporaryDatabase()
    let store = try SQLiteStore.create(
      path: folder.path, model: CreatedModel.model, layout: .coreData(CoreDataCreation()))
    let files = folder.folder.appendingPathComponent(".test_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let used = UUID().uuidString
    for name in [used, "unused"] {
      try Data([1]).write(to: files.appendingPathComponent(name))
    }
    let queue = try folder.connect()
    try queue.writeWithoutTransaction { (database: Database) throws in
      CreatedModel.addTriggerFunctions(to: database)
      try database.execute(
        sql: """
          INSERT INTO ZBAND (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLOGO)
            VALUES (1, 1, 1, 'Can', CAST(x'02' || ? || x'00' AS BLOB)),
              (2, 1, 1, 'Neu', CAST(x'02' || ? || x'00' AS BLOB));
          """, arguments: [used, UUID().uuidString])
      try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 1")
    }
    try queue.close()
    let found = try store.check()
    #expect(found.map(\.kind) == [.missingFile, .unusedFile])
    #expect(found.map(\.severity) == [.error, .note])
    #expect(found.map(\.keys) == [["2"], ["unused"]])
  }

  @Test func `plain databases are checked for foreign keys and damage`() throws {
    let folder = try TemporaryDatabase(
      """
      CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE album (id INTEGER PRIMARY KEY, artist_id INTEGER REFERENCES artist(id));
      INSERT INTO artist VALUES (1, 'Can');
      INSERT INTO album VALUES (1, 1), (2, 5), (3, 6);
      """)
    let found = try folder.open().check()
    #expect(found.map(\.kind) == [.foreignKey])
    #expect(found.map(\.table) == ["album"])
    #expect(found.map(\.count) == [2])
    #expect(found.map(\.keys) == [["2", "3"]])
  }

  @Test func `a foreign key that cannot work is found, and does not stop the check`() throws {
    let folder = try TemporaryDatabase(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p(code));
      CREATE TABLE q (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id));
      INSERT INTO q VALUES (1, 99);
      """)
    let found = try folder.open().check()
    #expect(found.map(\.kind) == [.foreignKey, .foreignKey])
    #expect(found.map(\.severity) == [.error, .warning])
    #expect(found.map(\.table) == ["q", "c"])
    #expect(found.map(\.keys) == [["1"], []])
  }

  @Test func `rows that violate CHECK constraints are found`() throws {
    let folder = try TemporaryDatabase(
      """
      CREATE TABLE "odd ) table" (id INTEGER PRIMARY KEY, a INTEGER CHECK(a > 0), -- CHECK (0)
        "check" TEXT DEFAULT 'CHECK (0)' /* CHECK (0) */, [b ( c] INTEGER,
        CONSTRAINT order_ check /* why ( */ ("odd ) table"."check" <> ')' AND (a < 100 OR a ISNULL)),
        UNIQUE (a));
      CREATE TABLE pair (x TEXT, y INTEGER, CHECK (x <> 'it''s ('), PRIMARY KEY (x, y))
        WITHOUT ROWID;
      CREATE TABLE fine (a INTEGER CHECK (a IN (1, 2)));
      PRAGMA ignore_check_constraints = 1;
      INSERT INTO "odd ) table" VALUES (1, 5, 'x', 1), (2, -5, 'x', 1), (3, 500, 'x', 1),
        (4, NULL, ')', 1), (5, NULL, NULL, NULL);
      INSERT INTO pair VALUES ('it''s (', 7), ('b', 8);
      INSERT INTO fine VALUES (1), (2), (NULL);
      """)
    let found = try folder.open().check()
    #expect(found.allSatisfy { $0.kind == .checkConstraint && $0.severity == .error })
    #expect(found.map(\.keys) == [["2"], ["3", "4"], ["it's (/7"]])
    #expect(found.map(\.table) == ["odd ) table", "odd ) table", "pair"])
  }

  @Test func `a CHECK constraint that needs a function of its program is named`() throws {
    let folder = try TemporaryDatabase()
    let queue = try folder.connect()
    try queue.writeWithoutTransaction { database in
      database.add(function: DatabaseFunction("own", argumentCount: 1, pure: true) { $0[0] })
      try database.execute(sql: "CREATE TABLE t (a CHECK (own(a))); INSERT INTO t VALUES (1)")
    }
    try queue.close()
    let found = try folder.open().check()
    #expect(found.map(\.kind) == [.checkConstraint])
    #expect(found.map(\.severity) == [.note])
    #expect(found[0].message.contains("no such function: own"))
  }

  @Test func `damage found by SQLite ends the check`() throws {
    let folder = try TemporaryDatabase(
      """
      CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
      CREATE INDEX byName ON artist(name);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO artist SELECT i, 'artist ' || i FROM n;
      """)
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path))
    let size = try handle.seekToEnd()
    try handle.seek(toOffset: size - 600)
    try handle.write(contentsOf: Data(repeating: 0x55, count: 300))
    try handle.close()
    let found = try folder.open().check()
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.kind == .integrity && $0.severity == .error })
  }

  @Test(
    .needsRealStores,
    arguments: [
      "accounts.sqlite", "bookmarks-v1.sqlite", "bookmarks-v5.sqlite", "cart-swiftdata.sqlite",
      "data-usage.sqlite", "knowledge.db", "library-history.sqlite", "moody-v1.moody",
      "moody-v5.moody", "photos.sqlite", "posts-v1.sqlite", "posts-v3.sqlite", "sample-v1.sqlite",
      "sample-v2.sqlite",
    ])
  func `real stores have no errors, and only Photos has warnings`(_ name: String) throws {
    let copy = try StoreCopy(name)
    let found = try copy.store.check().map { "\($0.kind) \($0.table) \($0.count)" }
    #expect(
      found
        == (name == "photos.sqlite"
          ? [
            "missingValue ZASSET 4", "missingValue ZASSET 4", "danglingPair Z_47MERGECANDIDATES 6",
            "emptyTransaction ATRANSACTION 19",
          ] : []))
  }

  /// What is found of a log of twelve frames, one of which is changed: the first two are one commit,
  /// each other is one of its own.
  @Test(arguments: [
    (frame: 0, change: 1, kinds: [CheckFinding.Severity.error], lost: 1),
    (frame: 6, change: 60, kinds: [.error], lost: 7),
    (frame: 12, change: 60, kinds: [.error], lost: 1),
    // A frame of a log that was overwritten is no loss.
    (frame: 12, change: 8, kinds: [], lost: 0),
    (frame: 0, change: 100_000, kinds: [], lost: 0),
  ])
  func `frames of the log that SQLite ignores are named`(
    frame: Int, change: Int, kinds: [CheckFinding.Severity], lost: Int
  ) throws {
    let (folder, copy) = (try TemporaryDatabase(), try TemporaryDatabase())
    let other = try folder.connect()
    try other.writeWithoutTransaction { connection in
      try connection.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)
          """)
      for number in 0..<10 { try connection.execute(sql: "INSERT INTO t VALUES (\(number))") }
    }
    try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
    var log = try Data(contentsOf: URL(fileURLWithPath: folder.path + "-wal"))
    let frameSize = 24 + 4096
    #expect(log.count == 32 + 12 * frameSize)
    let place = (frame == 0 ? 0 : 32 + (frame - 1) * frameSize) + change
    if place < log.count { log[place] ^= 1 }
    if change == 100_000 { log.removeLast(frameSize / 2) }
    try log.write(to: URL(fileURLWithPath: copy.path + "-wal"))
    let found = try copy.open().check().filter { $0.kind == .logFrame }
    #expect(found.map(\.severity) == kinds && found.reduce(0) { $0 + $1.count } == lost, "\(found)")
    if frame == 6 {
      #expect(
        found.first?.message == """
          frame 6 of the write-ahead log is invalid: SQLite ignores it and the 6 after it, with 7 \
          commits
          """)
    }
  }
}
