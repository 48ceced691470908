import FetchedResults
import Foundation
import GRDB
import ListProviders
import ObjectModel
import PostgreSQLStore
import SQLiteStore
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp
@testable import TerminalApplications

/// Two programs on two copies of one database.
@MainActor
final class WindowedSession {
  private static let keyCount = 60
  /// How many screens were compared, and how many of them only after the cursor's line was centred.
  private(set) static var comparisonCount = 0
  private(set) static var centeredCount = 0

  /// The databases of the whole and of the windowed list: paths, or addresses.
  private let databases: [String]
  private let folder: TemporaryFolder
  private let seed: UInt64
  private var generator: SeededGenerator
  private let isLong: Bool
  private let isByTwo: Bool
  private var pressed: [String] = []
  private let whole: Stage
  private let windowed: Stage

  init(seed: UInt64, isOnServer: Bool = false) throws {
    self.seed = seed
    var generator = SeededGenerator(seed: seed &* 6151 &+ 11)
    let folder = try TemporaryFolder()
    self.folder = folder
    // Of more rows than are fetched first a whole list shows those first, and scrolls once more.
    isLong = generator.chance(oneIn: 3)
    let count = isLong ? generator.pick([400, 1_000]) : generator.pick([120, 190])
    let rows = (0..<count).map { _ in Self.values(using: &generator) }
    let inserts = rows.map { "INSERT INTO people (name, age, city) VALUES (\($0));" }
    let indexes = "CREATE INDEX by_age ON people(age); CREATE INDEX by_name ON people(name);"
    databases = try ["whole", "windowed"].map { name in
      if isOnServer {
        return try #require(TestServer.shared).makeDatabase(
          "CREATE TABLE people (id serial PRIMARY KEY, name text, age int, city text); \(indexes)"
            + inserts.joined())
      }
      try FileManager.default.createDirectory(
        at: folder.url(name), withIntermediateDirectories: true)
      let path = folder.path("\(name)/people")
      try DatabaseQueue(path: path).write { database in
        try database.execute(
          sql: "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, city TEXT); "
            + indexes + inserts.joined())
      }
      return path
    }
    let sort = generator.pick([
      [FetchSortDescriptor("age")], [FetchSortDescriptor("id")], [FetchSortDescriptor("name")],
      [FetchSortDescriptor("age", ascending: false)],
      [FetchSortDescriptor("city"), FetchSortDescriptor("age", ascending: false)],
      [FetchSortDescriptor("name", comparison: .localized)],
    ])
    isByTwo = sort.count > 1
    let sections =
      sort[0].keyPath != "id" && generator.chance(oneIn: 2)
      ? AppOptions.SectionChoice.key(
        SectionKey(
          sort[0].keyPath, sort[0].comparison == .localized ? .initial : .value)) : .none
    let (width, height) = generator.pick(isLong ? [(80, 24), (100, 30)] : [(80, 12), (60, 10)])
    let readCount = isLong ? 80 : 30
    func stage(_ database: String, _ extent: ListExtent) throws -> Stage {
      var options = AppOptions(
        entityName: "people", sortDescriptors: sort, section: sections)
      options.extent = extent
      let stage = try Stage(
        "people", width: width, height: height, options: options,
        opened: PostgreSQLStore.isAddress(database)
          ? PostgreSQLStore(address: database) : SQLiteStore.open(path: database))
      // The strip has the sections that are here, until all are looked up.
      (stage.app.screen as? ListScreen)?.tableView.showsSectionIndex = false
      return stage
    }
    whole = try stage(databases[0], .whole)
    windowed = try stage(databases[1], .window(readCount))
    self.generator = generator
    for stage in [whole, windowed] { settle(stage) }
  }

  private static func values(using generator: inout SeededGenerator) -> String {
    let names = ["Ada", "Bob", "Cleo", "Émile", "Zoë", "anna", "Mao", "Max", "Mia", "Ned"]
    let name = "'\(generator.pick(names)) \(Int.random(in: 0..<60, using: &generator))'"
    let age = generator.chance(oneIn: 12) ? "NULL" : "\(Int.random(in: 0..<9, using: &generator))"
    return "\(generator.chance(oneIn: 20) ? "NULL" : name), \(age), '\(generator.pick(names))'"
  }

  // MARK: Pressing

  @discardableResult
  func run() throws -> Bool {
    guard expectSame() else { return false }
    while pressed.count < Self.keyCount {
      try act()
      guard expectSame() else { return false }
    }
    press(.control("\\"))
    type("*")
    guard expectSame() else { return false }
    #expect(whole.selectedCount == windowed.selectedCount)
    for stage in [whole, windowed] { stage.app.end() }
    return true
  }

  private func act() throws {
    // A range whose first row is too far away ends in a windowed list, which says so.
    if whole.rangeSelects { type("v") }
    switch Int.random(in: 0..<30, using: &generator) {
    case 3: try changeOutside()
    case 0, 1: filter(by: generator.pick(["age > 4", "ada", "city == 'Mao'"]))
    case 2: press(.escape)
    case 4: type("f\(generator.pick(["mia", "ada 1", "age == 3"]))", .enter)
    case 5: type(generator.pick(["n", "N", "3n", "2N"]))
    case 6: type("\(Int.random(in: 1...500, using: &generator))G")
    case 7: type("\(Int.random(in: 1...100, using: &generator))%")
    case 8, 9: type(generator.pick(["]", "[", "2]", "3["]))
    // What follows a section's key in the order is found only where all rows are here.
    case 10: type("'\(generator.pick(["m", "z", "b", isByTwo ? "x" : "4", "an", "x"]))", .escape)
    case 11: type(generator.pick(["zt", "zz", "zb"]))
    case 12: type(generator.pick(["H", "M", "L"]))
    case 13:
      // What is selected and not among the held rows may be shown, or not: nobody is asked.
      let hidesSelected = [whole, windowed].contains {
        ($0.app.screen as? ListScreen)?.provider.hiddenSelection.isEmpty == false
      }
      type(hidesSelected ? " " : generator.pick([" ", " j ", "d", "d", "u", "x", "Wy", "dWy"]))
      // What has come back is shown only where its row is held.
      leaveRow(notAmong: windowed.heldKeys)
    case 14:
      let keys = generator.pick(["v3jv", "vkkv"])
      pressed.count % 3 == 0 ? markAll() : type(keys)
    case 15, 16: type(generator.pick(["G", "g"]))
    case 17: type("''")
    case 18: type("", .enter, .character("q"))
    case 19, 20, 21: press(generator.pick([.pageDown, .pageUp]))
    case 22, 23: press(generator.pick([.control("d"), .control("u")]))
    case 24: type(generator.pick(["40j", "35k", "100j"]))
    case 25: type(isLong ? "5\u{4}" : generator.pick(["5\u{4}", "+", "-"]))
    default: type(generator.pick(["j", "k", "jj", "kkk"]))
    }
  }

  /// Marks all, looks elsewhere and at another order, and unmarks them.
  private func markAll() {
    press(.control("\\"))
    type("*" + ["G", "g", "30%", "VV", "]", "50j"][pressed.count / 3 % 6])
    guard expectSame() else { return }
    press(.control("\\"))
  }

  private func type(_ text: String, _ keys: Key...) {
    pressed.append(text + keys.map { "\($0)" }.joined())
    for stage in [whole, windowed] {
      for character in text {
        stage.press(character == "\u{4}" ? .pageDown : .character(character))
        settle(stage)
      }
      for key in keys {
        stage.press(key)
        settle(stage)
      }
    }
  }

  /// Types a filter at once: how far off a match is looked for depends on what is held.
  private func filter(by text: String) {
    let held = windowed.heldKeys
    defer { leaveRow(notAmong: held) }
    pressed.append("/\(text)")
    for stage in [whole, windowed] {
      stage.press(.character("/"))
      stage.paste(text)
      stage.press(.enter)
      settle(stage)
    }
  }

  /// Goes to the first row if the whole list's cursor is at one that the other cannot know.
  private func leaveRow(notAmong held: Set<ObjectKey>) {
    // Twice, so that `''` does not lead back to it.
    if let key = whole.cursorKey, !held.contains(key), key != windowed.cursorKey { type("gg") }
  }

  private func press(_ keys: Key...) {
    pressed.append(keys.map { "\($0)" }.joined())
    for stage in [whole, windowed] {
      for key in keys {
        stage.press(key)
        settle(stage)
      }
    }
  }

  /// Writes to both databases as another process would.
  private func changeOutside() throws {
    let id = Int.random(in: 1...100, using: &generator)
    let values = Self.values(using: &generator)
    let sql = generator.pick([
      "INSERT INTO people (name, age, city) VALUES (\(values))",
      "DELETE FROM people WHERE id = \(id)",
      "UPDATE people SET age = 3, name = 'Moved' WHERE id = \(id)",
    ])
    pressed.append("<\(sql)>")
    for (stage, database) in zip([whole, windowed], databases) {
      if PostgreSQLStore.isAddress(database) {
        _ = try TestServer.psql(sql, database)
      } else {
        try DatabaseQueue.ofAnotherProgram(database).write { try $0.execute(sql: sql) }
      }
      stage.app.follower?.foreignChange.set()
      stage.app.handle(.wake)
      settle(stage)
    }
  }

  /// Waits until rows are read and counted, and what was highlighted is plain again.
  private func settle(_ stage: Stage) {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      guard ContinuousClock.now < deadline else {
        Issue.record("Reading does not end. Repeat with CARDFILE_WINDOW=\(seed). \(pressed)")
        return
      }
      stage.settle()
      stage.draw()
      let lists = stage.app.screens.compactMap { $0 as? ListScreen }
      guard lists.contains(where: { $0.isWorking || $0.controller.isCountingWindow }) else {
        return
      }
      usleep(200)
    }
  }

  // MARK: Comparing

  /// Compares where the held rows are with where they are in the whole list.
  private func expectOffset() -> Bool {
    guard let all = (whole.app.screen as? ListScreen)?.controller.results?.ids,
      let held = (windowed.app.screen as? ListScreen)?.controller,
      let offset = held.heldOffset, let first = held.results?.ids.first
    else { return true }
    let expected = Array(all).firstIndex { $0.key == first.key }
    #expect(
      expected == offset,
      "Repeat with CARDFILE_WINDOW=\(seed). Keys: \(pressed.joined(separator: " | "))")
    return expected == offset
  }

  private func expectSame() -> Bool {
    guard expectOffset() else { return false }
    for stage in [whole, windowed] {
      (stage.app.screen as? ListScreen)?.tableView.highlightsChanges = false
    }
    Self.comparisonCount += 1
    // To read the lines of a screen draws it.
    var (expected, shown) = (whole.lines, windowed.lines)
    if !Self.areSame(expected, shown) {
      Self.centeredCount += 1
      // The cursor may be on another line after a jump to rows that were not held.
      let isTyping = expected.contains { $0.contains("Tab complete") }
      for stage in [whole, windowed] {
        // A line that is typed would take the keys.
        if isTyping { stage.press(.escape) }
        stage.type("zz")
        settle(stage)
      }
      (expected, shown) = (whole.lines, windowed.lines)
    }
    let isSame = Self.areSame(expected, shown)
    #expect(
      isSame,
      """
      Repeat with CARDFILE_WINDOW=\(seed). Keys: \(pressed.joined(separator: " | "))
      \(expected.joined(separator: "\n"))
      windowed:
      \(shown.joined(separator: "\n"))
      """)
    return isSame
  }

  private static func areSame(_ expected: [String], _ shown: [String]) -> Bool {
    expected.count == shown.count
      && expected.indices.allSatisfy { line in
        // Rows are between the title and the status, and below the counts of their sections.
        let mayHaveNumbers =
          line == 0 || line >= expected.count - 2 || shown[line].contains("─ … ─")
        return isSame(expected[line], shown[line], mayHaveNumbers: mayHaveNumbers)
      }
  }

  /// Whether lines are the same but for numbers that the windowed list does not know.
  private static func isSame(_ whole: String, _ windowed: String, mayHaveNumbers: Bool) -> Bool {
    if whole == windowed { return true }
    // Whether rows that are not held are new or gone is not known; the stores have their own names.
    let unknown = #/, [\d,]+ not shown|test\d+|x-coredata:\/\/\w+/#
    if whole.contains("outside") || windowed.contains("outside") {
      return whole.suffix(16) == windowed.suffix(16)
    }
    let whole = whole.replacing(unknown, with: "").filter { $0 != " " }
    let windowed = windowed.replacing(unknown, with: "").filter { $0 != " " }
    guard whole != windowed else { return true }
    guard mayHaveNumbers, windowed.contains("…") || windowed.contains("≈") else { return false }
    func plain(_ line: String) -> String {
      line.filter { !$0.isNumber && !"…≈%,/─ ".contains($0) }
    }
    return plain(whole) == plain(windowed)
  }
}

extension Stage {
  /// The number of objects that are selected in the list.
  fileprivate var selectedCount: Int { list?.selectedCount ?? 0 }
  fileprivate var rangeSelects: Bool { list?.rangeSelection != nil }
  fileprivate var cursorKey: ObjectKey? { list?.cursorID?.key }
  /// The keys of the rows that are held.
  fileprivate var heldKeys: Set<ObjectKey> { Set(list?.results?.ids.map(\.key) ?? []) }
  private var list: ListScreen? { app.screen as? ListScreen }
}
