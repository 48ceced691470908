import Foundation
import TestSupport
import Testing

/// The table of *Files that the program writes*: owner, mode, and what is left after `kill -9`, as
/// root beside a second user to whom the stores belong.
@Suite(.serialized, .enabled(if: geteuid() == 0, "needs root: files are given to a second user"))
struct WrittenFilesTests {
  private static let other: uid_t = 65534

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    chmod(folder.url.path, 0o755)
  }

  /// The name, owner and mode of all that is in the folder, without what was there before.
  private func files(without known: Set<String>) throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    return all.filter { !known.contains($0) }.sorted().map { name in
      var status = stat()
      lstat(folder.path(name), &status)
      let shown = name.replacing(#/backup-\d{8}-\d{6}/#, with: "backup-DATE")
        .replacing(#/-[0-9a-f]{10,}\.json/#, with: "-HASH.json")
        .replacing(#/[0-9A-F-]{36}/#, with: "UUID")
      return "\(shown) \(status.st_uid) \(String(status.st_mode & 0o777, radix: 8))"
    }
  }

  private func known() throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path))
  }

  /// Runs a line of the shell in the folder under a umask.
  private func run(_ mask: String, _ line: String) throws -> Program.Outcome {
    try Program.shell(
      """
      umask \(mask); cd '\(folder.url.path)'
      export HOME='\(folder.path("home"))' XDG_CACHE_HOME= XDG_STATE_HOME= XDG_DATA_HOME=
      \(line)
      """)
  }

  /// A Core Data store of the second user, 0640, with files of external data.
  private func makeGarden() throws {
    let sql = Repository.root.appending(path: "Fixtures/CoreData/garden.sql")
    try Database.write(folder.path("g.sqlite"), String(contentsOf: sql, encoding: .utf8))
    try FileManager.default.copyItem(
      at: Repository.root.appending(path: "Fixtures/CoreData/Garden.xcdatamodeld"),
      to: folder.url("Garden.xcdatamodeld"))
    mkdir(folder.path(".g_SUPPORT"), 0o750)
    mkdir(folder.path(".g_SUPPORT/_EXTERNAL_DATA"), 0o750)
    try Data("data".utf8).write(to: folder.url(".g_SUPPORT/_EXTERNAL_DATA/file"))
    chmod(folder.path(".g_SUPPORT/_EXTERNAL_DATA/file"), 0o640)
    chmod(folder.path("g.sqlite"), 0o640)
    for name in ["", "g.sqlite", ".g_SUPPORT", ".g_SUPPORT/_EXTERNAL_DATA"]
      + [".g_SUPPORT/_EXTERNAL_DATA/file"]
    { chown(folder.path(name), Self.other, Self.other) }
  }

  private static let deletion = "$CARDFILE delete g.sqlite Stop --where TRUEPREDICATE --yes"

  @Test(arguments: ["000", "077"])
  func `a backup and its files belong to the owner of the store`(mask: String) throws {
    try makeGarden()
    let before = try known()
    let outcome = try run(mask, Self.deletion)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try files(without: before) == [
        ".g.backup-DATE_SUPPORT 65534 750", ".g.backup-DATE_SUPPORT/_EXTERNAL_DATA 65534 750",
        ".g.backup-DATE_SUPPORT/_EXTERNAL_DATA/file 65534 640", "g.backup-DATE.sqlite 65534 640",
      ])
  }

  @Test(arguments: ["000", "077"])
  func `what the program makes for people has the mode that their umask leaves`(mask: String) throws
  {
    let outcome = try run(
      mask,
      """
      $CARDFILE create made.sqlite --model \
        '\(Repository.root.path)/Fixtures/CoreData/Garden.xcdatamodeld' || exit 1
      $CARDFILE generate '\(Repository.root.path)/Fixtures/CoreData/Garden.xcdatamodeld' \
        --output classes > /dev/null
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let made = try files(without: [])
    let (store, code, inner) = mask == "000" ? ("644", "666", "777") : ("600", "600", "700")
    #expect(made.contains("made.sqlite 0 \(store)"), "\(made)")
    #expect(made.contains("classes 0 \(inner)"), "\(made)")
    #expect(made.count > 3)
    let rest = made.filter { !$0.hasPrefix("made.sqlite ") && !$0.hasPrefix("classes ") }
    #expect(rest.allSatisfy { $0.hasSuffix(".swift 0 \(code)") }, "\(rest)")
  }

  @Test(arguments: ["000", "077"])
  func `an export and the demo store have the mode that the umask leaves`(mask: String) throws {
    _ = try folder.database("a.sqlite", Database.people)
    try Data().write(to: folder.url("old.csv"))
    chmod(folder.path("old.csv"), 0o640)
    let terminal = try PseudoTerminal(
      shell: """
        umask \(mask); cd '\(folder.url.path)'; export HOME='\(folder.path("home"))'
        unset XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
        "$CARDFILE" demo --path > /dev/null; exec "$CARDFILE" a.sqlite person
        """, columns: 200)
    #expect(terminal.waitFor("Ana"), "\(terminal.screen.text)")
    terminal.type(":export new.csv\r")
    #expect(terminal.waitFor("Exported 4 rows"), "\(terminal.screen.text)")
    terminal.type(":export! old.csv\r")
    #expect(terminal.waitFor("/old.csv"), "\(terminal.screen.text)")
    terminal.type(":q!\r")
    #expect(terminal.waitForEnd() == .exit(0))
    let made = try files(without: ["a.sqlite"])
    let (file, store) = mask == "000" ? ("666", "644") : ("600", "600")
    #expect(made.contains("new.csv 0 \(file)"), "\(made)")
    #expect(made.contains("old.csv 0 640"), "\(made)")
    let demo = made.filter { $0.hasPrefix("home/.local/share/cardfile") }
    #expect(demo.contains { $0.hasSuffix("demo.sqlite 0 \(store)") }, "\(demo)")
    #expect(demo.allSatisfy { $0.hasSuffix(" 0 \(store)") || $0.hasSuffix(" 0 700") }, "\(demo)")
    #expect(!made.contains { $0.contains(".part") }, "\(made)")
  }

  @Test(arguments: ["000", "077"])
  func `what the program remembers is the user's alone`(mask: String) throws {
    _ = try folder.database("a.sqlite", Database.people)
    let before = try known()
    let terminal = try PseudoTerminal(
      shell: """
        umask \(mask); cd '\(folder.url.path)'; unset XDG_STATE_HOME XDG_CACHE_HOME
        export HOME='\(folder.path("home"))'; exec "$CARDFILE" a.sqlite person
        """)
    #expect(terminal.waitFor("Ana"), "\(terminal.screen.text)")
    terminal.type("q")
    #expect(terminal.waitFor("person"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == .exit(0))
    let kept = try files(without: before)
    #expect(kept.contains("home/.local/state/cardfile/started 0 600"), "\(kept)")
    for line in kept { #expect(line.hasSuffix(" 0 600") || line.hasSuffix(" 0 700"), "\(line)") }
  }

  /// Waits until another program has written a file.
  private func waitForFile(_ name: String) -> Bool {
    (0..<400).contains { _ in
      if FileManager.default.fileExists(atPath: folder.path(name)) { return true }
      usleep(50_000)
      return false
    }
  }

  /// The folders of drafts in the user's cache, and what is in them.
  private func cachedDrafts() throws -> [String] {
    try files(without: []).filter { $0.hasPrefix("home/.cache/cardfile/") }
      .map { $0.replacing(#/\.cardfile-[^\/ ]+\.part/#, with: "DRAFT") }
  }

  @Test(arguments: ["000", "077"])
  func `a text in an editor is the user's alone, and does not outlive a killed program for long`(
    mask: String
  ) throws {
    _ = try folder.database("a.sqlite", Database.people)
    let editor = folder.path("editor")
    try Data("#!/bin/sh\ntouch '\(folder.path("begun"))'; exec sleep 1000\n".utf8)
      .write(to: folder.url("editor"))
    chmod(editor, 0o755)
    let terminal = try PseudoTerminal(
      shell: """
        umask \(mask); cd '\(folder.url.path)'; unset XDG_CACHE_HOME XDG_STATE_HOME VISUAL
        export HOME='\(folder.path("home"))' EDITOR='\(editor)'; exec "$CARDFILE" a.sqlite person
        """)
    #expect(terminal.waitFor("Ana"), "\(terminal.screen.text)")
    terminal.type("e")
    #expect(terminal.waitFor("C-e editor"), "\(terminal.screen.text)")
    terminal.type("\u{5}")
    #expect(waitForFile("begun"), "\(terminal.screen.text)")
    let drafts = try cachedDrafts()
    #expect(drafts.count == 2, "\(drafts)")
    #expect(drafts.contains("home/.cache/cardfile/DRAFT 0 700"), "\(drafts)")
    #expect(
      drafts.contains { $0.hasPrefix("home/.cache/cardfile/DRAFT/") && $0.hasSuffix(".txt 0 600") },
      "\(drafts)")
    terminal.send(SIGKILL)
    #expect(terminal.waitForEnd() == .signal(SIGKILL))
    #expect(try run(mask, "$CARDFILE count a.sqlite person").status == 0)
    #expect(try cachedDrafts() == [])
  }

  @Test(arguments: ["000", "077"])
  func `a private copy is the user's alone, and does not outlive a killed program for long`(
    mask: String
  ) throws {
    try Database.write(
      folder.path("a.sqlite"),
      """
      CREATE TABLE pad(x); INSERT INTO pad WITH RECURSIVE s(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 100) SELECT zeroblob(1000000) FROM s
      """)
    // While it is open it has no name: it is stopped while it is made.
    let outcome = try run(
      mask,
      """
      shopt -s nullglob dotglob
      for n in $(seq 20); do
        $CARDFILE count a.sqlite pad --copy > /dev/null 2>&1 & while kill -0 $! 2>/dev/null; do
          set -- home/.cache/cardfile/*.part/a.sqlite; [ $# -gt 0 ] && break; done
        kill -STOP $! 2>/dev/null; set -- home/.cache/cardfile/*.part/a.sqlite
        [ $# -gt 0 ] && break; kill -CONT $! 2>/dev/null; wait $!
      done
      stat -c '%u %a' home/.cache/cardfile/*.part "$@"
      kill -KILL $!; wait 2>/dev/null; set -- home/.cache/cardfile/*.part; echo $#
      $CARDFILE count a.sqlite pad > /dev/null; set -- home/.cache/cardfile/*.part; echo $#
      """)
    #expect(outcome.lines == ["0 700", "0 600", "1", "0"], "\(outcome)")
  }

  @Test func `a name that is swapped in another user's folder gives nothing away`() throws {
    try makeGarden()
    try Database.write(
      folder.path("g.sqlite"),
      """
      CREATE TABLE pad(x); INSERT INTO pad WITH RECURSIVE s(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20) SELECT zeroblob(1000000) FROM s
      """)
    let secret = try TemporaryFolder()
    try Data("secret".utf8).write(to: secret.url("secret"))
    chmod(secret.path("secret"), 0o600)
    // The second user puts a link, a folder, a pipe or another file in place of each new file.
    let outcome = try run(
      "022",
      """
      export SECRET='\(secret.path("secret"))'
      setpriv --reuid=65534 --regid=65534 --clear-groups bash -c '
        shopt -s nullglob dotglob; kinds=0
        while [ ! -e stop ]; do for f in *.part .*.part; do
          [ -L "$f" ] || [ -d "$f" ] || [ -p "$f" ] && continue
          kinds=$((kinds + 1)); mv -f "$f" x.$kinds 2>/dev/null || continue
          case $((kinds % 3)) in
            0) ln -s "$SECRET" "$f";; 1) mkfifo "$f";; 2) cp g.sqlite "$f";;
          esac
        done; done' & sleep 0.3
      for n in 1 2 3 4; do \(Self.deletion) 2>> errors; done
      touch stop; wait; stat -c "%u %a" "$SECRET"; cat "$SECRET"
      """)
    #expect(outcome.output == "0 600\nsecret", "\(outcome)")
  }

  @Test func `a link of another user does not make the backup copy what only root may read`() throws
  {
    try makeGarden()
    let secret = try TemporaryFolder()
    chmod(secret.url.path, 0o700)
    mkdir(secret.path("data"), 0o755)
    try Data("secret".utf8).write(to: secret.url("data/secret"))
    try FileManager.default.removeItem(atPath: folder.path(".g_SUPPORT"))
    symlink(secret.path("data"), folder.path(".g_SUPPORT"))
    lchown(folder.path(".g_SUPPORT"), Self.other, Self.other)
    let before = try known()
    let outcome = try run("022", Self.deletion)
    #expect(outcome.status == 1 || outcome.status == 3, "\(outcome)")
    #expect(outcome.errors.contains("_SUPPORT"), "\(outcome.errors)")
    #expect(try files(without: before) == [])
  }

  @Test func `a support folder that is reached by a link is in the backup`() throws {
    try makeGarden()
    try FileManager.default.moveItem(
      atPath: folder.path(".g_SUPPORT"), toPath: folder.path("volume"))
    symlink("volume", folder.path(".g_SUPPORT"))
    lchown(folder.path(".g_SUPPORT"), Self.other, Self.other)
    let before = try known()
    #expect(try run("022", Self.deletion).status == 0)
    #expect(
      try files(without: before).contains(".g.backup-DATE_SUPPORT/_EXTERNAL_DATA/file 65534 640"))
  }

  @Test func `a full disk is named, with its path, and nothing is left`() throws {
    try makeGarden()
    try Database.write(
      folder.path("g.sqlite"), "CREATE TABLE pad(x); INSERT INTO pad VALUES (zeroblob(100000))")
    let outcome = try run(
      "022",
      """
      mkdir disk && mount -t tmpfs -o size=400k cardfile disk || exit 77
      cp -r Garden.xcdatamodeld g.sqlite disk
      $CARDFILE delete disk/g.sqlite Stop --where TRUEPREDICATE --yes
      ls -A disk; umount disk
      """)
    guard outcome.status != 77 else { return }
    #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
    #expect(outcome.errors.contains("/disk"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("not an error"))
    #expect(outcome.lines == ["Garden.xcdatamodeld", "g.sqlite"], "\(outcome.output)")
  }

  @Test func `what a killed program leaves is removed by the next start`() throws {
    try makeGarden()
    try Database.write(
      folder.path("g.sqlite"),
      """
      CREATE TABLE pad(x); INSERT INTO pad WITH RECURSIVE s(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 60) SELECT zeroblob(1000000) FROM s
      """)
    let outcome = try run(
      "022",
      """
      shopt -s nullglob dotglob
      \(Self.deletion) 2>/dev/null & for n in $(seq 2000); do
        set -- *.part; [ $# -gt 0 ] && break; sleep 0.005; done
      kill -KILL $!; wait 2>/dev/null; set -- *.part; echo $#
      $CARDFILE count g.sqlite Stop > /dev/null 2>&1; set -- *.part; echo $#
      """)
    #expect(outcome.lines == ["1", "0"], "\(outcome)")
  }

  @Test func `what another user has left stays`() throws {
    _ = try folder.database("a.sqlite", Database.people)
    chmod(folder.url.path, 0o777)
    try Data().write(to: folder.url(".cardfile-1.part"))
    let outcome = try run(
      "022",
      """
      setpriv --reuid=65534 --regid=65534 --clear-groups $CARDFILE count a.sqlite person
      ls -A | grep part; $CARDFILE count a.sqlite person; ls -A | grep part
      """)
    #expect(outcome.lines == ["4", ".cardfile-1.part", "4"], "\(outcome)")
  }

  @Test
  func `a program that copies text and does not end is ended, and nobody else reads the text`()
    throws
  {
    let outcome = try run(
      "000",
      """
      mkdir bin tmp; chmod 1777 tmp; export TMPDIR=$PWD/tmp WAYLAND_DISPLAY=x
      printf '#!/bin/bash\ntrap "" TERM HUP\ncat > got\nls -A tmp > left\necho $$ > pid\n\
      exec sleep 1000\n' > bin/wl-copy
      chmod +x bin/wl-copy; echo done
      """)
    #expect(outcome.lines == ["done"])
    _ = try folder.database("a.sqlite", Database.people)
    let terminal = try PseudoTerminal(
      shell: """
        umask 000; cd '\(folder.url.path)'; export PATH="$PWD/bin:$PATH" WAYLAND_DISPLAY=x
        export TMPDIR=$PWD/tmp; exec "$CARDFILE" a.sqlite person
        """)
    #expect(terminal.waitFor("Ana"), "\(terminal.screen.text)")
    terminal.type("yy")
    let ended = (0..<400).contains { _ in
      usleep(50_000)
      guard let text = try? String(contentsOfFile: folder.path("pid"), encoding: .utf8),
        let number = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
      else { return false }
      return kill(number, 0) != 0
    }
    #expect(ended)
    #expect(try String(contentsOfFile: folder.path("got"), encoding: .utf8).contains("Ana"))
    #expect(try String(contentsOfFile: folder.path("left"), encoding: .utf8) == "")
    terminal.type(":q!\r")
    #expect(terminal.waitForEnd() == .exit(0))
  }

  @Test func `without a thread the program ends with a sentence`() throws {
    _ = try folder.database("a.sqlite", Database.people)
    let outcome = try run(
      "022",
      """
      timeout -k 20 20 setpriv --reuid=65534 --regid=65534 --clear-groups \
        bash -c 'ulimit -u 1; exec "$CARDFILE" count a.sqlite person'
      """)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("no thread can be started"), "\(outcome.errors)")
    #expect(outcome.errors.contains("ulimit -u"))
  }
}
