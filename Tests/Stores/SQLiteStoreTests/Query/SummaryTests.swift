import Foundation
import GRDB
import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

/// Summaries of columns beside what SQL, and sorting all values, say of the same rows.
@Suite struct `Summaries of columns` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("store.sqlite")
  }

  /// A table of numbers, dates, texts and bytes, of which some are missing or of another kind.
  private func makeTable(seed: UInt64, rowCount: Int) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["", "a", "Ä", "ab", "👩‍👩‍👧", "漢字", String(repeating: "long ", count: 400)]
    try DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: """
          CREATE TABLE item(id INTEGER PRIMARY KEY, whole INTEGER, real REAL, word TEXT, day DATE,
            bytes BLOB, maker_id INTEGER REFERENCES maker(id));
          CREATE TABLE maker(id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
          INSERT INTO maker VALUES (1, 'One', 10), (2, 'Two', NULL), (3, NULL, 30);
          """)
      for _ in 0..<rowCount {
        let id = Int64.random(in: -1 << 40...1 << 40, using: &random)
        let whole: (any DatabaseValueConvertible)? =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: nil
          case 1: Double(Int.random(in: 0..<9, using: &random))
          default: Int.random(in: -20..<20, using: &random)
          }
        let real: (any DatabaseValueConvertible)? =
          random.chance(oneIn: 8) ? nil : Double(Int.random(in: -900..<900, using: &random)) / 8
        let word = random.chance(oneIn: 7) ? nil : random.pick(words) + random.pick(["", "1", "é"])
        let day =
          random.chance(oneIn: 9)
          ? nil
          : CivilDate(year: 2019, month: Int.random(in: 1...12, using: &random), day: 3).dayText
        let size = Int.random(in: 0..<40, using: &random)
        let maker = random.pick([1, 2, 3, nil] as [Int?])
        try database.execute(
          sql: "INSERT OR IGNORE INTO item VALUES (?, ?, ?, ?, ?, zeroblob(?), ?)",
          arguments: [id, whole, real, word, day, size == 0 ? nil : size, maker])
      }
    }
  }

  private func row(_ sql: String) throws -> Row {
    try #require(try DatabaseQueue(path: path).read { try Row.fetchOne($0, sql: sql) })
  }

  private func plan(_ paths: [[String]], _ store: SQLiteStore, where condition: String? = nil)
    throws
    -> SummaryPlan
  {
    let entity = try #require(store.model.entity(named: "item"))
    let predicate = try condition.map {
      try FetchPredicate(format: $0).validated(forEntity: "item", in: store.model)
    }
    return SummaryPlan(
      FetchPlan(entityName: "item", predicate: predicate),
      columns: try paths.map { try #require(.init($0, of: entity, in: store.model)) })
  }

  @Test(arguments: 1...12)
  func `say what SQL says`(seed: UInt64) throws {
    try makeTable(seed: seed, rowCount: Int(seed) * 40)
    let store = try SQLiteStore.open(path: path)
    for (condition, sql) in [(nil, "1"), ("whole > 3", "whole > 3"), ("whole > 99", "0")] {
      let names = ["whole", "real", "word"]
      let summaries = try store.summarize(
        plan(names.map { [$0] } + [["day"], ["bytes"]], store, where: condition))
      for (name, summary) in zip(names, summaries) {
        let facts = try row(
          """
          SELECT count(*), count(*) - count("\(name)"), count(DISTINCT "\(name)"), \
          min("\(name)"), max("\(name)"), avg("\(name)"), sum("\(name)") FROM item WHERE \(sql)
          """)
        #expect(summary.rowCount == facts[0] && summary.nullCount == facts[1])
        #expect(summary.distinctCount == facts[2] && !summary.isEstimate)
        #expect(summary.least?.description == text(facts[3]), "\(name)")
        #expect(summary.greatest?.description == text(facts[4]), "\(name)")
        guard name != "word" else { continue }
        #expect(summary.mean == (facts[5] as Double?).map(Value.double), "\(name)")
        #expect(summary.sum?.number?.approximation == facts[6], "\(name)")
        try checkShares(summary, name, where: sql)
      }
      #expect(
        summaries[3].distinctCount
          == (try row("SELECT count(DISTINCT day) FROM item WHERE \(sql)"))[0])
      let sizes = try row(
        "SELECT min(length(bytes)), max(length(bytes)), avg(length(bytes)) FROM item WHERE \(sql)")
      #expect(summaries[4].lengths?.least == sizes[0] && summaries[4].lengths?.greatest == sizes[1])
      #expect(summaries[4].lengths?.mean == sizes[2])
      let lengths = try row("SELECT max(length(word)), avg(length(word)) FROM item WHERE \(sql)")
      #expect(
        summaries[2].lengths?.greatest == lengths[0] && summaries[2].lengths?.mean == lengths[1])
    }
  }

  /// A value as the description of a summary's value: 1.0 is 1.
  private func text(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .null: nil
    case .int64(let number): "\(number)"
    case .double(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .string(let text): text
    case .blob(let data): "\(data.count)"
    }
  }

  /// Quartiles by sorting all values; frequent values and steps by GROUP BY.
  private func checkShares(_ summary: ColumnSummary, _ name: String, where sql: String) throws {
    let (sorted, counts) = try DatabaseQueue(path: path).read { database in
      (
        try Double.fetchAll(
          database,
          sql: "SELECT \(name) FROM item WHERE \(name) IS NOT NULL AND (\(sql)) ORDER BY 1"),
        try Int.fetchAll(
          database,
          sql: """
            SELECT count(*) FROM item WHERE \(name) IS NOT NULL AND (\(sql)) GROUP BY \(name) \
            ORDER BY 1 DESC LIMIT 10
            """)
      )
    }
    func quantile(_ share: Double) -> Double? {
      guard !sorted.isEmpty else { return nil }
      let position = Double(sorted.count - 1) * share
      let (low, high) = (Int(position.rounded(.down)), Int(position.rounded(.up)))
      return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
    }
    #expect(summary.quartiles?.lower.number?.approximation == quantile(0.25))
    #expect(summary.quartiles?.median.number?.approximation == quantile(0.5))
    #expect(summary.quartiles?.upper.number?.approximation == quantile(0.75))
    #expect(summary.mostFrequent.map(\.rowCount) == counts)
    for value in summary.mostFrequent {
      let point = try #require(value.value.number?.approximation)
      #expect(sorted.count { $0 == point } == value.rowCount)
    }
    guard let bins = summary.histogram?.bins else { return #expect(Set(sorted).count < 2) }
    #expect((1...12).contains(bins.count))
    for (index, bin) in bins.enumerated() {
      let lower = try #require(bin.lower.number?.approximation)
      let upper = try #require(bin.upper.number?.approximation)
      #expect(sorted.count { $0 >= lower && $0 < upper } == bin.rowCount)
      #expect(index == 0 || bins[index - 1].upper == bin.lower)
    }
    #expect(bins.first.map { $0.rowCount > 0 } == true && bins.last.map { $0.rowCount > 0 } == true)
    #expect(bins.reduce(0) { $0 + $1.rowCount } == sorted.count)
  }

  @Test(arguments: 20...26)
  func `are the same over rows, over halves of a table and over relationships`(seed: UInt64) throws
  {
    let rowCount = seed == 20 ? 20_000 : 300
    try makeTable(seed: seed, rowCount: rowCount)
    let store = try SQLiteStore.open(path: path)
    let all = [
      ["whole"], ["real"], ["word"], ["day"], ["bytes"], ["maker", "name"], ["maker", "size"],
    ]
    let plan = try plan(all, store, where: seed % 2 == 0 ? nil : "real < 10")
    let fast = try store.summarize(plan)
    let slow = zip(try store.inReadTransaction { try store.talliesOfRows(plan) }, plan.columns).map
    {
      ColumnSummary($0, of: $1.attribute)
    }
    for (one, other) in zip(fast, slow) {
      #expect(one.rowCount == other.rowCount && one.nullCount == other.nullCount)
      #expect(one.distinctCount == other.distinctCount)
      #expect(one.least == other.least && one.greatest == other.greatest)
      #expect(one.sum == other.sum && one.mean == other.mean && one.quartiles == other.quartiles)
      #expect(one.lengths == other.lengths && one.histogram == other.histogram)
      #expect(one.mostFrequent.map(\.rowCount) == other.mostFrequent.map(\.rowCount))
    }
    let makers = try DatabaseQueue(path: path).read {
      try Row.fetchAll(
        $0,
        sql: """
          SELECT name, count(*) FROM item JOIN maker ON maker.id = maker_id \
          \(seed % 2 == 0 ? "" : "WHERE real < 10") GROUP BY 1 HAVING name NOT NULL ORDER BY 1
          """)
    }
    let found = fast[5].mostFrequent.sorted { $0.value.description < $1.value.description }
    #expect(found.map(\.value.description) == makers.map { $0[0] as String })
    #expect(found.map(\.rowCount) == makers.map { $0[1] as Int })
  }

  @Test func `estimate what would need too much memory, and say so`() throws {
    var random = SeededGenerator(seed: 7)
    let limits = ColumnTally.Limits(distinctValues: 500, bytes: 1 << 20)
    var (tally, half, texts) = (
      ColumnTally(limits: limits), ColumnTally(limits: limits), ColumnTally(limits: limits)
    )
    var sum = 0
    var distinct: Set<Int64> = []
    for row in 0..<60_000 {
      let number = row % 3 == 0 ? 7 : Int64.random(in: 8..<30_000, using: &random)
      sum += Int(number)
      distinct.insert(number)
      if row % 2 == 0 { tally.add(.integer(number)) } else { half.add(.integer(number)) }
      Value.string("text \(number)").withStoredField { texts.add($0) }
    }
    tally.add(half)
    for (tally, type) in [(tally, AttributeType.integer64), (texts, .string)] {
      let summary = ColumnSummary(tally, of: AttributeDescription("a", type))
      #expect(summary.rowCount == 60_000 && summary.isEstimate)
      let estimate = Double(try #require(summary.distinctCount))
      #expect(abs(estimate / Double(distinct.count) - 1) < 0.05, "\(estimate)")
      #expect(summary.mostFrequent.first?.rowCount == 20_000)
    }
    // The lengths of bytes, which are exact all the same.
    let sizes = try #require(
      ColumnSummary(tally, of: AttributeDescription("a", .binaryData)).lengths)
    #expect(sizes.least == 7 && Int64(sizes.greatest) == distinct.max())
    #expect(abs(sizes.mean - Double(sum) / 60_000) < 0.001)
    let summary = ColumnSummary(tally, of: AttributeDescription("a", .integer64))
    #expect(summary.sum == .integer(Int64(sum)))
    #expect(summary.least == .integer(try #require(distinct.min())))
    #expect(summary.greatest == .integer(try #require(distinct.max())))
    let upper = try #require(summary.quartiles?.upper.number?.approximation)
    #expect(abs(upper - 18_750) < 900, "\(upper)")
    let rows = try #require(summary.histogram).bins.reduce(0) { $0 + $1.rowCount }
    #expect(abs(rows - 60_000) < 12)
  }

  @Test func `keep the beginnings of long texts apart by all of them`() throws {
    var (first, second) = (ColumnTally(), ColumnTally())
    let texts = (0..<5).map { String(repeating: "é", count: 3_000) + "\($0)" }
    for text in texts + texts {
      Value.string(text).withStoredField { first.add($0) }
      Value.string(text).withStoredField { second.add($0) }
    }
    first.add(second)
    let summary = ColumnSummary(first, of: AttributeDescription("a", .string))
    #expect(summary.distinctCount == 5 && summary.lengths?.greatest == 3_001)
    #expect(summary.mostFrequent.allSatisfy { $0.rowCount == 4 && $0.isCut })
  }

  @Test func `divide dates by the calendar and numbers by round steps`() throws {
    func labels(_ texts: [String]) throws -> [String?] {
      var tally = ColumnTally()
      for text in texts { Value.string(text).withStoredField { tally.add($0) } }
      let attribute = AttributeDescription("a", .date, encoding: .isoText)
      return try #require(ColumnSummary(tally, of: attribute).histogram).bins.map(\.label)
    }
    #expect(try labels(["2019-03-31", "2019-05-01"]).map { $0?.prefix(10) }.first == "2019-03-25")
    #expect(
      try labels(["2019-03-31", "2019-12-01"]) == (3...12).map { "2019-\($0 < 10 ? "0" : "")\($0)" }
    )
    #expect(try labels(["2011-03-31", "2019-12-01"]) == (2011...2019).map { "\($0)" })
    #expect(try labels(["1911-03-31", "2019-12-01"]).first == "1910 to 1919")
    #expect(
      try labels(["2019-03-31", "2019-04-09"])
        == ["2019-03-31"] + (1...9).map { "2019-04-0\($0)" })
    var tally = ColumnTally()
    for number in [0.1, 0.25, 0.3] { tally.add(.double(number)) }
    let bins = try #require(
      ColumnSummary(tally, of: AttributeDescription("a", .double)).histogram
    ).bins
    #expect(bins.map(\.lower.description).first == "0.1" && bins.count == 11)
    #expect(bins.last?.lower == .double(0.3) && bins.last?.rowCount == 1)
  }
}
