import Foundation
import TestSupport
import Testing

/// What a person does with a list takes few keys: each task is done on the real program, with its
/// keys counted.
@Suite(.serialized, .hangs(afterMinutes: 3)) struct TaskKeysTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with tracks: the real one, and one that is always there.
  enum Music: CaseIterable, CustomTestStringConvertible {
    case chinook, own

    var testDescription: String { self == .chinook ? "Chinook" : "its own store" }

    static var available: [Music] {
      RealStores.folder == nil ? [.own] : Music.allCases
    }
  }

  private func store(_ music: Music) throws -> String {
    let path = folder.path("music.sqlite")
    guard music == .own else {
      try FileManager.default.copyItem(
        atPath: RealStores.file("plain/chinook.sqlite").path, toPath: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      return path
    }
    return try folder.database("music.sqlite", Self.own)
  }

  /// The tables of the tasks, as Chinook has them.
  private static let own = """
    CREATE TABLE Genre(GenreId INTEGER PRIMARY KEY, Name TEXT);
    CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title TEXT);
    CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, Composer TEXT,
      AlbumId INTEGER REFERENCES Album(AlbumId), GenreId INTEGER REFERENCES Genre(GenreId),
      Milliseconds INTEGER, Bytes INTEGER, Cover BLOB);
    INSERT INTO Genre VALUES (1, 'Rock'), (2, 'Jazz'), (3, 'TV Shows');
    INSERT INTO Album VALUES (1, 'Houses of the Holy'), (2, 'Blue Train'), (3, 'Lost');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO Track SELECT i, char(65 + i % 8) || 'ir ' || i, 'Composer ' || (i % 40), 1 + i % 3, 1 + i % 3,
        200000 + i * 7, 5000000 + i * 1013, x'00' FROM n;
    INSERT INTO Track VALUES (901, 'The Ocean', 'Page', 1, 1, 271098, 8846469, NULL),
      (902, 'Occupation', NULL, 3, 3, 5286953, 1054423946, NULL);
    """

  /// Opens an entity at 80×24, in order of the names.
  private func open(_ entity: String, of music: Music) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      store(music), entity, environment: ["TERM": "xterm-256color"])
    try #require(
      terminal.waitFor { $0.text.contains("objects · by") && $0.text.contains("? help") },
      "\(terminal.screen.text)")
    return terminal
  }

  /// Types the keys of a task, no more than it may take, and waits for its screen.
  private func expect(
    _ keys: String, atMost most: Int, on terminal: PseudoTerminal,
    sourceLocation: SourceLocation = #_sourceLocation, shows isWanted: (ScreenReader) -> Bool
  ) {
    #expect(keys.count <= most, sourceLocation: sourceLocation)
    terminal.type(keys)
    let isShown = terminal.waitFor(isWanted)
    #expect(
      isShown, "\(keys.debugDescription)\n\(terminal.screen.text)",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: Music.available)
  func `a track is found by a part of its name, and looked at`(music: Music) throws {
    let terminal = try open("Track", of: music)
    expect("/ocean\r\r", atMost: 8, on: terminal) {
      $0.lines[0].contains("Ocean") && $0.text.contains("Milliseconds")
    }
  }

  @Test(arguments: Music.available)
  func `tracks are found by their visible genre, and the next one is one key away`(music: Music)
    throws
  {
    let terminal = try open("Track", of: music)
    #expect(terminal.screen.lines[1].contains("genre"), "\(terminal.screen.text)")
    expect("/jazz\r", atMost: 6, on: terminal) {
      $0.lines[0].contains("filter: jazz") && $0.lines[0].contains(" of ")
        && $0.lines.contains { $0.hasPrefix("▌") && $0.contains("Jazz") }
    }
    terminal.type("\u{1B}")
    #expect(terminal.waitFor { !$0.lines[0].contains("filter") })
    terminal.type("fjazz\r")
    #expect(terminal.waitFor("match "), "\(terminal.screen.text)")
    let first = terminal.screen.cursor.y
    let line = terminal.screen.lines[first]
    expect("n", atMost: 1, on: terminal) {
      $0.lines.contains { $0.hasPrefix("▌") && $0 != line && $0.contains("Jazz") }
    }
  }

  @Test(arguments: Music.available)
  func `the longest tracks come first, with their length on the screen`(music: Music) throws {
    let terminal = try open("Track", of: music)
    expect("smil-", atMost: 7, on: terminal) { screen in
      screen.lines[1].contains("Milliseconds ↓")
        && screen.lines.first { $0.hasPrefix("▌") }?.contains("5,286,953") == true
    }
  }

  @Test(arguments: Music.available)
  func `only this genre is shown, and all tracks again`(music: Music) throws {
    let terminal = try open("Track", of: music)
    let titles = terminal.screen.lines[1].split(separator: " ").filter { $0 != "↑" }
    let column = try #require(titles.firstIndex { $0 == "genre" }) + 1
    expect("\(column)+", atMost: 2, on: terminal) {
      $0.lines[0].contains("filter: genre.Name == ") && $0.lines[0].contains(" of ")
    }
    expect("\u{1B}", atMost: 1, on: terminal) {
      !$0.lines[0].contains("filter") && $0.lines[0].contains("objects")
    }
  }

  @Test(arguments: Music.available)
  func `a column is sorted by its number on the screen`(music: Music) throws {
    let terminal = try open("Track", of: music)
    let titles = terminal.screen.lines[1].split(separator: " ").filter { $0 != "↑" }
    let column = try #require(titles.firstIndex { $0 == "Milliseconds" }) + 1
    expect("\(column)s", atMost: 2, on: terminal) { $0.lines[1].contains("Milliseconds ↑") }
    expect("\(column)s", atMost: 2, on: terminal) { $0.lines[1].contains("Milliseconds ↓") }
  }

  @Test func `a track is found by name, its album opened, and the list shown again`() throws {
    let terminal = try open("Track", of: .own)
    expect("/occup\r\r", atMost: 8, on: terminal) { $0.lines[0].contains("Occupation") }
    expect("]\r", atMost: 2, on: terminal) { $0.lines[0].contains("Occupation › ") }
    expect("qq", atMost: 2, on: terminal) {
      $0.lines[0].contains("filter: occup") && $0.lines.contains { $0.hasPrefix("▌  Occupation") }
    }
  }

  @Test(arguments: Music.available)
  func `one key says how many tracks each section has`(music: Music) throws {
    let terminal = try open("Track", of: music)
    expect("#", atMost: 1, on: terminal) {
      $0.text.contains("sections") && $0.text.contains("█")
    }
  }

  @Test(arguments: Music.available)
  func `the tracks of an album are three keys away, and the album one`(music: Music) throws {
    let terminal = try open("Album", of: music)
    terminal.type("j")
    expect("\r]\r", atMost: 3, on: terminal) {
      $0.lines[0].contains("tracks") && $0.lines[0].contains(" objects")
        && $0.lines.contains { $0.hasPrefix("▌") }
    }
    expect("q", atMost: 1, on: terminal) {
      $0.lines.contains { $0.hasPrefix("▌ tracks") }
    }
  }

  @Test(arguments: Music.available)
  func `a cell and a row are copied with two keys each`(music: Music) throws {
    let terminal = try open("Genre", of: music)
    let name = try #require(
      terminal.screen.lines.first { $0.hasPrefix("▌") }?.dropFirst(3).split(separator: "  ").first)
    expect("yc", atMost: 2, on: terminal) { screen in
      screen.commands.contains("52;c;" + Data(name.utf8).base64EncodedString())
    }
    expect("yj", atMost: 2, on: terminal) { screen in
      screen.commands.contains { command in
        guard command.hasPrefix("52;c;"),
          let data = Data(base64Encoded: String(command.dropFirst(5))),
          let row = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return false }
        return row["Name"] as? String == String(name)
      }
    }
  }

  @Test(arguments: Music.available)
  func `a changed name and a new row are saved with four keys and the texts`(music: Music)
    throws
  {
    let terminal = try open("Genre", of: music)
    let path = folder.path("music.sqlite")
    // Folk is the text: C-u takes away the former one.
    expect("e\u{15}Folk\r", atMost: 2 + 5, on: terminal) { $0.text.contains("Folk") }
    // The last key is C-s.
    expect("oSkiffle\u{13}", atMost: 2 + 7, on: terminal) { $0.text.contains("Saved") }
    let wanted = "SELECT Name FROM Genre WHERE Name IN ('Folk', 'Skiffle') ORDER BY Name"
    #expect(try Database.strings(path, wanted) == ["Folk", "Skiffle"])
  }

  @Test(arguments: Music.available)
  func `what is shown is written to a file, and another store is opened`(music: Music) throws {
    let terminal = try open("Genre", of: music)
    let file = folder.path("x.csv")
    expect(":export \(file)\r", atMost: 9 + file.count, on: terminal) {
      $0.text.contains("Exported")
    }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("Rock") && text.split(whereSeparator: \.isNewline).count >= 4, "\(text)")
    let other = try folder.database("other.sqlite", "CREATE TABLE thing(id INTEGER PRIMARY KEY)")
    expect(":open \(other)\r", atMost: 7 + other.count, on: terminal) {
      $0.lines[0].contains("other.sqlite")
    }
  }

  @Test func `letters after a quote go to a row and change nothing`() throws {
    let terminal = try open("Track", of: .own)
    expect("'occu", atMost: 5, on: terminal) {
      $0.lines.contains { $0.hasPrefix("▌") && $0.contains("Occupation") }
    }
    terminal.type("dsq")
    #expect(terminal.waitFor("Nothing begins with"), "\(terminal.screen.text)")
    #expect(!terminal.screen.text.contains("D1"))
  }

  @Test func `dirty data does not keep a list from saying what its objects are`() throws {
    let path = try folder.database(
      "dirty.sqlite",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, uuid TEXT, raw BLOB, name TEXT, born DATE, note TEXT,
        blank TEXT, kind TEXT, size REAL);
      WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 60)
      INSERT INTO item SELECT value, printf('%08x-0000-4000-8000-%012x', value, value), x'00ff',
        CASE value % 5 WHEN 0 THEN NULL WHEN 1 THEN x'ff00' ELSE 'Thing ' || value END,
        CASE value % 3 WHEN 0 THEN 'n/a' WHEN 1 THEN '' ELSE '2024-05-01 10:20:30' END,
        'note ' || value, NULL, 'item', value / 8.0 FROM n;
      """)
    let terminal = try PseudoTerminal(path, "item", environment: ["TERM": "xterm-256color"])
    try #require(terminal.waitFor("objects · by name"), "\(terminal.screen.text)")
    try #require(terminal.waitFor("2024-05-01 10:20:30"), "\(terminal.screen.text)")
    let screen = terminal.screen
    #expect(screen.lines[1].hasPrefix("   name ↑"), "\(screen.text)")
    for name in ["uuid", "raw", "blank", "kind"] {
      #expect(!screen.lines[1].contains(name), "\(screen.text)")
    }
    terminal.type("GG")
    #expect(terminal.waitFor("60/60"), "\(terminal.screen.text)")
  }
}
