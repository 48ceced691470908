import Foundation
import TestSupport
import Testing

/// Commands that would never end: Ctrl-C and SIGTERM end them, and nothing is written.
@Suite(.serialized, .hangs(afterMinutes: 3))
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

  private static let fetch = "fetch STORE never"
  private static let delete = "delete STORE t --where TRUEPREDICATE --yes"
  private static let commands = [
    fetch, delete, "count STORE never", "count STORE always --where 'name = \"y\"'",
    "fetch STORE always --format json", "fetch STORE always --sort name", "entities STORE",
    "check STORE", "delete STORE t --where TRUEPREDICATE --dry-run",
  ]
  /// Every command with one signal; the others with one that reads and one that writes, because all
  /// commands wait for signals in the same way.
  private static let interruptions: [(String, String)] =
    commands.map { ($0, "INT") }
    + ["TERM", "HUP", "QUIT", "PIPE"].flatMap { [(fetch, $0), (delete, $0)] }

  /// Runs a command, which gets a signal after a second and is killed 20 seconds later.
  private func run(_ command: String, signal: String) throws -> Program.Outcome {
    try Program.shell(
      "timeout --preserve-status --kill-after 20 --signal \(signal) 1 $CARDFILE "
        + command.replacing("STORE", with: "'\(store)'"))
  }

  @Test(arguments: interruptions)
  func `a signal ends it, and the store stays as it was`(command: String, signal: String) throws {
    let before = try Data(contentsOf: folder.url("endless.sqlite"))
    let outcome = try run(command, signal: signal)
    let numbers: [String: Int32] = ["INT": 2, "TERM": 15, "HUP": 1, "QUIT": 3, "PIPE": 13]
    #expect(outcome.status == 128 + numbers[signal, default: 0])
    #expect(outcome.output == "")
    #expect(try Data(contentsOf: folder.url("endless.sqlite")) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        == ["endless.sqlite"])
  }

  @Test func `a command that could be stopped says so`() throws {
    let outcome = try run(Self.delete, signal: "INT")
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
    // The time of a whole run, and signals throughout one; the last ones come long after any end.
    let outcome = try Program.shell(
      """
      cp '\(base)' '\(base).0'
      start=$(date +%s%N); $CARDFILE delete '\(base).0' t --where TRUEPREDICATE --yes >&2
      time=$(( ($(date +%s%N) - start) / 1000 ))
      for n in $(seq 21) 80 320 1280; do
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

  /// A library that makes the last step of a commit take 2.5 seconds, which a slow disk does: the
  /// write to the log, or the removal of the journal. It creates the file `$IN_COMMIT` first.
  private static let slowCommit = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    static int has_end(const char *path, const char *end) {
      size_t count = strlen(path), length = strlen(end);
      return count > length && !strcmp(path + count - length, end);
    }
    static int slow(int result) {
      close(open(getenv("IN_COMMIT"), O_CREAT | O_WRONLY, 0600));
      usleep(2500000);
      return result;
    }
    static int sync_slowly(const char *name, int fd) {
      char link[40], path[4096] = {0};
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      if (readlink(link, path, sizeof path - 1) < 0) path[0] = 0;
      int result = ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
      // Of the log at first only the header is written.
      return has_end(path, "-wal") && lseek(fd, 0, SEEK_END) > 32 ? slow(result) : result;
    }
    int fsync(int fd) { return sync_slowly("fsync", fd); }
    int fdatasync(int fd) { return sync_slowly("fdatasync", fd); }
    int unlink(const char *path) {
      int result = ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(path);
      return has_end(path, "-journal") ? slow(result) : result;
    }
    """

  @Test(
    .enabled(if: !ThreadSanitizer.isOn, "the sanitizer replaces the same functions"),
    arguments: ["DELETE", "WAL"])
  func `a commit that has begun is finished, however slow the disk is`(mode: String) throws {
    let store = try folder.database(
      "slow.sqlite",
      "PRAGMA journal_mode = \(mode); CREATE TABLE t(id INTEGER PRIMARY KEY); "
        + "INSERT INTO t VALUES (1), (2), (3);")
    try Data(Self.slowCommit.utf8).write(to: folder.url("slow.c"))
    let outcome = try Program.shell(
      """
      cd '\(folder.url.path)' && clang -shared -fPIC -o slow.so slow.c -ldl || exit 99
      export IN_COMMIT=$PWD/in-commit
      LD_PRELOAD=$PWD/slow.so $CARDFILE delete '\(store)' t --where TRUEPREDICATE --yes >&2 &
      for n in $(seq 200); do test -e in-commit && break; sleep 0.05; done
      # Twice, as timeout(1) does.
      kill -TERM $!; sleep 0.2; kill -TERM $!; wait $!
      echo "$? $($CARDFILE count '\(store)' t)"
      """)
    #expect(FileManager.default.fileExists(atPath: folder.path("in-commit")))
    #expect(outcome.output == "0 0\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("3"), "\(outcome.errors)")
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
