import Foundation
import TestSupport
import Testing

/// The program beside another process that changes its store.
@Suite(.serialized, .hangs(afterMinutes: 3))
struct OtherProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ store: String, count: Int) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      store, "item", "--sort", "name", "--section", "name:initial")
    try #require(shows(count, terminal), "\(terminal.screen.text)")
    return terminal
  }

  /// Waits until the title line shows a number of objects and the list is complete.
  private func shows(_ count: Int, _ terminal: PseudoTerminal) -> Bool {
    terminal.waitFor {
      $0.lines[0].contains(" \(count) objects") && $0.lines[0].contains("live")
        && $0.text.contains("? help")
    }
  }

  /// The screen without its messages and hints.
  private func list(_ terminal: PseudoTerminal) -> [String] {
    Array(terminal.screen.lines.dropLast(2))
  }

  @Test(arguments: [("delete", 1), ("wal", 2), ("delete", 3)] as [(String, UInt64)])
  func `after random commits the screen equals a fresh start's, the cursor on its object`(
    journal: String, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var items = RandomItems(count: 60, using: &generator)
    let store = try folder.database(
      "items.sqlite", "PRAGMA journal_mode = \(journal); \(items.statements)")
    let terminal = try open(store, count: items.names.count)
    for _ in 0..<4 {
      let row = Int.random(in: 1...items.names.count, using: &generator)
      // The last commits of the round before may still move the cursor's row.
      let isThere = terminal.type("\(row)G") {
        $0.text.contains(" \(row)/\(items.names.count) ") && $0.cursorLine.hasPrefix("▌")
      }
      try #require(isThere, "\(terminal.screen.text)")
      // Every name has a code of its own, by which the screen identifies the object.
      let held = String(try #require(terminal.screen.cursorLine.firstMatch(of: /n\d{4}/)).0)
      let statements = (0..<12).map { _ in items.change(sparing: held, using: &generator) }
      for statement in statements { try Database.write(store, statement) }
      try #require(shows(items.names.count, terminal), "\(terminal.screen.text)")
      #expect(
        terminal.waitFor { $0.cursorLine.contains(held) },
        "\(held) was under the cursor: \(terminal.screen.text)")
    }
    let fresh = try open(store, count: items.names.count)
    for keys in ["g", "G"] {
      terminal.type(keys)
      fresh.type(keys)
      let isSame = terminal.waitFor { _ in
        _ = fresh.waitFor { _ in true }
        return list(terminal) == list(fresh)
      }
      #expect(
        isSame, "after \(keys):\n\(terminal.screen.text)\nfresh:\n\(fresh.screen.text)")
    }
  }

  @Test func `a file that was replaced is said on the screen and not written`() throws {
    let store = try folder.database("people.sqlite", Database.people)
    let other = try folder.database("other.sqlite", Database.people)
    let terminal = try PseudoTerminal(store, "person", "--sort", "name")
    try #require(terminal.waitFor { $0.text.contains("zoe") && $0.text.contains("? help") })
    try #require(rename(other, store) == 0)
    #expect(terminal.waitFor("file replaced"), "\(terminal.screen.text)")
    #expect(terminal.waitFor("R opens it again"), "\(terminal.screen.text)")
    for name in ["Ana", "Björn", "Émile", "zoe"] { #expect(terminal.screen.text.contains(name)) }
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    terminal.type("d")
    #expect(terminal.waitFor("D1"), "\(terminal.screen.text)")
    terminal.type("W")
    #expect(terminal.type("y", until: { $0.text.contains("replaced") }), "\(terminal.screen.text)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }
}

extension ScreenReader {
  /// The line that the cursor is on.
  fileprivate var cursorLine: String { lines[cursor.y] }
}

/// Rows of a table as another process changes them, each with a code in its name that no other has.
private struct RandomItems {
  private(set) var names: [Int: String] = [:]
  private var nextID = 1

  init(count: Int, using generator: inout SeededGenerator) {
    for _ in 0..<count { _ = insert(using: &generator) }
  }

  /// The statements that create the table.
  var statements: String {
    let rows = names.sorted { $0.key < $1.key }.map { "(\($0.key), '\($0.value)')" }
    return "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
      + "INSERT INTO item VALUES \(rows.joined(separator: ","));"
  }

  /// Changes a random row other than the one whose code is given.
  ///
  /// - Returns: The statement that does the same in the table.
  mutating func change(sparing code: String, using generator: inout SeededGenerator) -> String {
    let others = names.filter { !$0.value.contains(code) }.keys.sorted()
    let id = generator.pick(others)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0 where names.count > 30:
      names[id] = nil
      return "DELETE FROM item WHERE id = \(id)"
    case 1:
      let name = name(of: id, using: &generator)
      names[id] = name
      return "UPDATE item SET name = '\(name)' WHERE id = \(id)"
    default:
      let id = insert(using: &generator)
      return "INSERT INTO item VALUES (\(id), '\(names[id] ?? "")')"
    }
  }

  private mutating func insert(using generator: inout SeededGenerator) -> Int {
    let id = nextID
    nextID += 1
    names[id] = name(of: id, using: &generator)
    return id
  }

  private func name(of id: Int, using generator: inout SeededGenerator) -> String {
    let initial = generator.pick(["A", "B", "c", "É", "e", "M", "z", "Ø", "9"])
    return "\(initial)lpha n\(String(10_000 + id).dropFirst())"
  }
}
