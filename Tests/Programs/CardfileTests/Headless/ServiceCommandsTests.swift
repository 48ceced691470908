import Foundation
import TestSupport
import Testing

private let datasette =
  Repository.root.appendingPathComponent(".build/services/datasette").path

/// Commands on a service: a Datasette of `make services`, which only reads, with a small Chinook.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: datasette),
    "needs the services of `make services`"))
struct ServiceCommandsTests {
  /// Runs lines of the shell in a folder with `chinook.db`, which `$URL` serves.
  private func shell(_ script: String) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    let sql = Repository.root.appendingPathComponent("Fixtures/Services/chinook.sql").path
    return try Program.shell(
      """
      cd '\(folder.url.path)'
      export PYTHONPATH='\(datasette)' XDG_CACHE_HOME="$PWD/cache"
      python3 - <<'END'
      import sqlite3
      store = sqlite3.connect("chinook.db")
      store.executescript(open("\(sql)").read())
      END
      port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0))
      print(s.getsockname()[1])')
      python3 -m datasette serve chinook.db --port $port >server.log 2>&1 &
      server=$!
      trap 'kill -9 $server' EXIT
      URL=http://127.0.0.1:$port/chinook
      for _ in $(seq 600); do
        python3 -c "import urllib.request; urllib.request.urlopen('$URL.json')" 2>server.txt && break
        sleep 0.05
      done
      # No proxy is asked for what is on this machine.
      export http_proxy=http://127.0.0.1:9
      \(script)
      """)
  }

  @Test func `a service is exported whole, and is then the same as the file`() throws {
    let outcome = try shell(
      """
      "$CARDFILE" export $URL out
      "$CARDFILE" export chinook.db own >own.txt
      for file in own/objects/*; do
        test $(wc -l <$file) = $(wc -l <out/objects/${file##*/}) || echo "$file differs"
      done
      "$CARDFILE" fetch $URL Track --where 'TrackId = 7' --format csv
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.lines.first?.hasSuffix("objects of 11 entities") == true, "\(outcome)")
    #expect(!outcome.output.contains("differs"), "\(outcome)")
    #expect(outcome.lines.last?.contains(",") == true, "\(outcome)")
  }

  @Test func `the difference of a service and a file is that of their objects`() throws {
    let outcome = try shell(
      """
      cp chinook.db now.db
      python3 - <<'END'
      import sqlite3
      store = sqlite3.connect("now.db")
      store.execute("UPDATE Artist SET Name = 'Changed' WHERE ArtistId = 4")
      store.execute("DELETE FROM Genre WHERE GenreId = 1")
      store.commit()
      END
      "$CARDFILE" diff $URL chinook.db --entity Artist --entity Genre --format json
      echo "then $?"
      "$CARDFILE" diff $URL now.db --entity Artist --entity Genre --format json
      echo "then $?"
      """)
    #expect(outcome.lines.count == 4 && outcome.lines.first == "then 1", "\(outcome)")
    #expect(outcome.output.contains("\"Changed\""), "\(outcome)")
    #expect(outcome.output.contains("\"removed\""), "\(outcome)")
  }
}

@Suite struct MissingLibraryTests {
  @Test func `without libcurl the program says what to install`() throws {
    let folder = try TemporaryFolder()
    // What is no library hides the one that is.
    let outcome = try Program.shell(
      """
      cd '\(folder.url.path)'
      touch libcurl.so.4 libcurl-gnutls.so.4
      LD_LIBRARY_PATH="$PWD" "$CARDFILE" entities https://localhost:9/service
      """)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("no libcurl"), "\(outcome)")
    #expect(outcome.errors.contains("apt install libcurl4"), "\(outcome)")
  }
}
