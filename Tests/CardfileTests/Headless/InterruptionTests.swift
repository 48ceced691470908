import Foundation
import Testing

/// Commands that would never end: Ctrl-C and SIGTERM end them, and nothing is written.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct InterruptionTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "endless.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE log(n INTEGER);
      INSERT INTO t VALUES (1, 'one'), (2, 'two');
      CREATE VIEW never AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, 'x' || i AS name FROM n WHERE i < 0;
      CREATE VIEW always AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, 'x' || i AS name FROM n;
      CREATE TRIGGER endless BEFORE DELETE ON t BEGIN
        INSERT INTO log SELECT count(*) FROM never;
      END;
      -- Minutes of checking.
      PRAGMA ignore_check_constraints = 1;
      CREATE TABLE slow(n INTEGER CHECK (length(hex(zeroblob(200000 + n))) > 0));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
        INSERT INTO slow SELECT i FROM n;
      """)
  }

  private static let commands = [
    "count STORE never", "count STORE always --where 'name = \"y\"'", "fetch STORE never",
    "fetch STORE always --format json", "fetch STORE always --sort name", "entities STORE",
    "check STORE", "delete STORE t --where TRUEPREDICATE --dry-run",
    "delete STORE t --where TRUEPREDICATE --yes",
  ]

  /// Runs a command, which gets a signal after a second and is killed 20 seconds later.
  private func run(_ command: String, signal: String) throws -> Program.Outcome {
    try Program.shell(
      "timeout --preserve-status --kill-after 20 --signal \(signal) 1 $CARDFILE "
        + command.replacing("STORE", with: "'\(store)'"))
  }

  @Test(arguments: commands, ["INT", "TERM", "HUP"])
  func `a signal ends it, and the store stays as it was`(command: String, signal: String) throws {
    let before = try Data(contentsOf: folder.url("endless.sqlite"))
    let outcome = try run(command, signal: signal)
    #expect(outcome.status == 128 + ["INT": 2, "TERM": 15, "HUP": 1][signal, default: 0])
    #expect(outcome.output == "")
    #expect(try Data(contentsOf: folder.url("endless.sqlite")) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url("").path)
        == ["endless.sqlite"])
  }

  @Test func `a command that could be stopped says so`() throws {
    let outcome = try run("delete STORE t --where TRUEPREDICATE --yes", signal: "INT")
    #expect(outcome.errors.contains("interrupted; nothing was written"), "\(outcome.errors)")
  }

  @Test func `the exit status says whether objects were deleted`() throws {
    let rows = 3_000
    let base = try folder.database(
      "base.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
        INSERT INTO t SELECT i, hex(zeroblob(100)) FROM n;
      """)
    // The time of a whole run, and signals throughout one.
    let outcome = try Program.shell(
      """
      cp '\(base)' '\(base).0'
      start=$(date +%s%N); $CARDFILE delete '\(base).0' t --where TRUEPREDICATE --yes >&2
      time=$(( ($(date +%s%N) - start) / 1000 ))
      for n in $(seq 24); do
        cp '\(base)' '\(base).1'; delay=$((time * n / 20))
        timeout --preserve-status --kill-after 20 --signal INT \
          $(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000))) \
          $CARDFILE delete '\(base).1' t --where TRUEPREDICATE --yes >&2
        echo "$? $($CARDFILE count '\(base).1' t)"; test -e '\(base).1-journal' && echo journal
      done
      """)
    #expect(outcome.lines.count == 24)
    #expect(Set(outcome.lines).isSubset(of: ["0 0", "130 \(rows)"]), "\(outcome.output)")
    #expect(Set(outcome.lines).count == 2)
  }

  @Test func `a command whose output nobody takes is ended`() throws {
    let big = try folder.database(
      "big.sqlite",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t VALUES (1, hex(zeroblob(9000000)));
      """)
    let outcome = try Program.shell(
      """
      { timeout --preserve-status --kill-after 20 --signal INT 1 $CARDFILE fetch '\(big)' t \
      --format csv; echo $? >&2; } | sleep 3
      """)
    #expect(outcome.errors.hasSuffix("130\n"), "\(outcome.errors)")
  }

  @Test func `a signal that is ignored stays ignored`() throws {
    // The shell starts commands in the background so that they ignore SIGINT.
    let outcome = try Program.shell(
      """
      $CARDFILE count '\(store)' never & sleep 1; kill -INT $!; sleep 2; kill -KILL $!; wait $!
      """)
    #expect(outcome.status == 137)
  }
}
