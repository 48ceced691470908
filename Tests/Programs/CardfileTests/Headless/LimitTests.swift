import Foundation
import GRDB
import TestSupport
import Testing

/// Tests that limits of the system and hostile values are errors in words, and that a store is whole
/// after them.
struct LimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(.disabled(if: ThreadSanitizer.isOn), arguments: ["DELETE", "WAL"])
  func `a limit on the size of files is an error, and the status says what was written`(
    _ mode: String
  ) throws {
    for limit in [0, 4, 16, 64, 256, 1024, 4096] {
      let store = try folder.database(
        "limit-\(mode)-\(limit).sqlite",
        """
        PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO t SELECT i, hex(zeroblob(100)) FROM n;
        """)
      let outcome = try Program.shell(
        """
        (ulimit -f \(limit); exec $CARDFILE delete '\(store)' t --where TRUEPREDICATE --yes) 2>&1 |
          cat; exit ${PIPESTATUS[0]}
        """)
      let count = try Database.strings(store, "SELECT count(*) || '' FROM t").first
      #expect(outcome.status == 0 ? count == "0" : count == "3000", "\(limit): \(outcome.output)")
      if outcome.status != 0 {
        #expect([1, 3].contains(outcome.status), "\(limit): \(outcome.output)")
        #expect(outcome.output.contains("cardfile: "))
      }
      #expect(try Database.strings(store, "PRAGMA integrity_check") == ["ok"])
    }
  }

  @Test func `too few descriptors are an error, never an empty log`() throws {
    let source = try folder.database(
      "source.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let store = folder.path("log.sqlite")
    // As a killed program leaves it: the row is in the log alone.
    let writer = try DatabaseQueue(path: source)
    try writer.writeWithoutTransaction {
      try $0.execute(sql: "INSERT INTO t VALUES (1)")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: source + suffix, toPath: store + suffix)
      }
    }
    #expect(try Program.run("count", store, "t").output == "1\n")
    for limit in 3...12 {
      let outcome = try Program.shell("ulimit -n \(limit); $CARDFILE count '\(store)' t")
      #expect(outcome.output == "1\n" || outcome.status != 0 && outcome.output.isEmpty)
    }
  }

  @Test(.disabled(if: ThreadSanitizer.isOn))
  func `values that a view makes of nothing cost no memory until they are read`() throws {
    let store = try folder.database(
      "views.sqlite",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 2);
      CREATE VIEW v AS SELECT id, zeroblob(2147483647) AS b FROM t;
      CREATE VIEW w AS SELECT id, zeroblob(900000000) AS b, hex(zeroblob(400000000)) AS c FROM t;
      CREATE TABLE g (id INTEGER PRIMARY KEY, a AS (zeroblob(900000000)) VIRTUAL);
      INSERT INTO g VALUES (1);
      """)
    for entity in ["t", "v", "w", "g"] {
      let outcome = try Program.shell("ulimit -v 1000000; $CARDFILE count '\(store)' \(entity)")
      #expect(outcome.output == "1\n", "\(entity): \(outcome.errors)")
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a file and a folder whose names are no UTF-8 are opened, browsed and written`(
    mode: String
  ) throws {
    _ = try folder.database(
      "base.sqlite",
      """
      PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, a);
      INSERT INTO t VALUES (1, 2), (2, 3);
      """)
    let outcome = try Program.shell(
      """
      cd '\(folder.url.path)'; mkdir $'d\\xe9p\\xf4t'
      cp base.sqlite $'d\\xe9p\\xf4t/caf\\xe9.sqlite'; cd $'d\\xe9p\\xf4t'
      $CARDFILE count $'caf\\xe9.sqlite' t
      $CARDFILE fetch "$PWD"/$'caf\\xe9.sqlite' t --format csv
      $CARDFILE delete $'caf\\xe9.sqlite' t --where 'id = 1' --yes
      $CARDFILE check $'../d\\xe9p\\xf4t/caf\\xe9.sqlite'
      $CARDFILE count $'caf\\xe9.sqlite' t; ls | wc -l
      $CARDFILE count $'missing\\xe9.sqlite' t; echo $?
      """)
    #expect(outcome.lines.prefix(4) == ["2", "id,a", "1,2", "2,3"])
    #expect(outcome.lines.suffix(4) == ["nothing wrong was found", "1", "1", "3"])
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("missing"))
  }

  @Test func `a Core Data store whose name is no UTF-8 is created, backed up and written`()
    throws
  {
    try Data(
      #"""
      {"version": 1, "entities": [
        {"name": "Note", "attributes": [{"name": "title", "type": "string"}]}]}
      """#.utf8
    ).write(to: folder.url("model.json"))
    let outcome = try Program.shell(
      """
      cd '\(folder.url.path)'; mkdir in; cd in
      $CARDFILE create $'caf\\xe9.store' --layout coredata --model ../model.json
      mv $'caf\\xe9.store' ../notes.store; rm -f *
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try Database.write(
      folder.path("notes.store"),
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y')")
    let deletion = try Program.shell(
      """
      cd '\(folder.url.path)/in'; mv ../notes.store $'caf\\xe9.store'
      $CARDFILE delete $'caf\\xe9.store' Note --where "title = 'x'" --yes > ../report
      $CARDFILE count $'caf\\xe9.store' Note
      for copy in $'caf\\xe9'.backup-*.store; do $CARDFILE count "$copy" Note; done
      """)
    #expect(deletion.lines == ["1", "2"], "\(deletion.errors)")
  }
}
