import Foundation
import ObjectModel
import PostgreSQLStore
import TestSupport
import Testing

/// The objects after and before a place are the rest of the whole order.
@Suite(.enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
struct PostgreSQLPlaceTests {
  private static func plan(_ entityName: String, _ order: String...) -> FetchPlan {
    FetchPlan(
      entityName: entityName,
      sortDescriptors: order.map { name in
        FetchSortDescriptor(
          String(name.drop { $0 == "-" }), ascending: !name.hasPrefix("-"))
      })
  }

  /// The first object of each section.
  private static func starts(_ list: FetchedIDs) -> [ObjectID] {
    var row = 0
    return list.sections.map { section in
      defer { row += section.count }
      return list.ids[row]
    }
  }

  /// Orders with NULLs, ties, NaN, infinities and mixed directions.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `fetches and counts beside the place of an object divide the whole list`(seed: UInt64)
    throws
  {
    var maker = PostgreSQLAgreementTests.Maker(random: SeededGenerator(seed: seed))
    let columns = PostgreSQLAgreementTests.columns
    let store = try PostgreSQLStore(
      address: #require(TestServer.shared).makeDatabase(
        PostgreSQLAgreementTests.tables + maker.rows(90, columns)))
    var checkedCount = 0
    for _ in 0..<120 {
      var plan = FetchPlan(entityName: "thing")
      for _ in 0..<maker.pick([0, 1, 1, 2, 3]) {
        let name =
          maker.chance(15)
          ? maker.pick(["maker.name", "maker.founded", "maker.id"])
          : maker.pick(columns.filter { $0 != "maker_id" } + ["id"])
        let comparison: FetchSortDescriptor.Comparison =
          ["name", "word", "code"].contains(name) && maker.chance(60)
          ? .collation(TextCollation(maker.pick(["en-x-icu", "sv-x-icu", "C.UTF-8"]))) : .binary
        plan.sortDescriptors.append(
          FetchSortDescriptor(name, ascending: maker.chance(50), comparison: comparison))
      }
      if maker.chance(30), let first = plan.sortDescriptors.first {
        plan.sectionKey = SectionKey(first.keyPath)
      }
      if maker.chance(30) {
        plan.predicate = try FetchPredicate(
          format: maker.pick(["number > 0", "name CONTAINS 'a'"])
        )
        .validated(forEntity: "thing", in: store.model)
      }
      guard try store.survey(plan) != nil else { continue }
      let whole = try store.fetch(plan, control: nil)
      if let key = plan.sectionKey, key.keyPath == plan.sortDescriptors.first?.keyPath {
        let found = try #require(try store.sectionStarts(of: plan, limit: 200, control: nil))
        // Several values may have one name.
        #expect(found.sections.map(\.name) == whole.sections.map(\.name), "\(plan)")
        #expect(Self.starts(found) == Self.starts(whole), "\(plan)")
        #expect(try store.sectionStarts(of: plan, limit: 2, control: nil)?.ids.count ?? 0 <= 2)
      }
      guard let index = whole.ids.indices.randomElement(using: &maker.random) else { continue }
      let isAfter = maker.chance(50)
      let place = try #require(
        try store.place(of: whole.ids[index], in: plan, isAfter: isAfter, isOfSection: false))
      let places = [
        (FetchPlace.start, 0), (.end, whole.ids.count), (place, index + (isAfter ? 1 : 0)),
      ]
      for (place, start) in places {
        var part = plan
        part.place = place
        part.limit = maker.chance(70) ? maker.pick([1, 3, 20, 80]) : nil
        let after = try store.fetch(part, control: nil)
        #expect(after.ids.elementsEqual(whole.ids[start...].prefix(part.limit ?? .max)), "\(part)")
        part.isFromEnd = true
        let before = try store.fetch(part, control: nil)
        #expect(before.ids.elementsEqual(whole.ids[..<start].suffix(part.limit ?? .max)), "\(part)")
        for fetched in [before, after] where plan.sectionKey != nil {
          #expect(fetched.sections.map(\.count).reduce(0, +) == fetched.ids.count)
        }
        part.limit = nil
        #expect(try store.count(part, control: nil) == start, "\(part)")
        checkedCount += 1
      }
    }
    #expect(checkedCount > 100)
  }

  @Test(arguments: [
    "id int, PRIMARY KEY (id)", "id text COLLATE \"C\", PRIMARY KEY (id)",
    "id uuid, PRIMARY KEY (id)", "id int, k text, PRIMARY KEY (k, id)",
  ])
  func `every kind of key has places`(columns: String) throws {
    let value =
      columns.contains("uuid")
      ? "md5(i::text)::uuid" : columns.contains("id text") ? "md5(i::text)" : "i"
    let store = try PostgreSQLStore(
      address: #require(TestServer.shared).makeDatabase(
        """
        CREATE TABLE t (n int, \(columns));
        INSERT INTO t (n, id\(columns.contains("k text") ? ", k" : ""))
        SELECT i % 5, \(value)\(columns.contains("k text") ? ", 'k' || i % 3" : "")
        FROM generate_series(1, 60) i;
        """))
    for plan in [Self.plan("t"), Self.plan("t", "n"), Self.plan("t", "-n", "id")] {
      let ids = Array(try store.fetch(plan, control: nil).ids)
      #expect(ids.count == 60)
      for (index, id) in ids.enumerated() {
        var part = plan
        part.place = try store.place(of: id, in: plan, isAfter: true, isOfSection: false)
        #expect(Array(try store.fetch(part, control: nil).ids) == Array(ids[(index + 1)...]))
      }
    }
  }

  /// A table that the server believes to be long.
  private func longTable(_ script: String = "") throws -> PostgreSQLStore {
    try PostgreSQLStore(
      address: #require(TestServer.shared).makeDatabase(
        """
        CREATE TABLE t (id int PRIMARY KEY, n int, x text, c text COLLATE "C", d date, f float8, w text);
        INSERT INTO t SELECT i, i % 97, 'x' || i % 7, 'c' || i % 900, date '2020-01-01' + i % 700, i / 3.0,
          'w' || i FROM generate_series(1, 30000) i;
        CREATE INDEX ON t (n, id);
        CREATE INDEX ON t (c, id);
        CREATE INDEX ON t (d, n DESC);
        CREATE INDEX ON t (f);
        CREATE INDEX ON t (x, n);
        \(script)
        ANALYZE t;
        UPDATE pg_class SET reltuples = relpages * 15000 WHERE relname = 't';
        """))
  }

  @Test func `a long list is windowed if an index has its order, for matches of a condition too`()
    throws
  {
    let store = try longTable()
    func isWindowed(_ plan: FetchPlan, _ format: String? = nil) throws -> Bool? {
      var plan = plan
      plan.predicate = try format.map {
        try FetchPredicate(format: $0).validated(forEntity: "t", in: store.model)
      }
      let survey = try store.survey(plan)
      if format == nil, let survey { #expect(survey.estimatedCount ?? 0 > 1_000_000) }
      return survey?.isForWindows
    }
    for order in [
      Self.plan("t"), Self.plan("t", "-id"), Self.plan("t", "n"), Self.plan("t", "-n"),
      Self.plan("t", "c"), Self.plan("t", "d", "-n"), Self.plan("t", "f"), Self.plan("t", "-f"),
    ] {
      #expect(try isWindowed(order) == true, "\(order.sortDescriptors)")
    }
    #expect(try isWindowed(Self.plan("t", "w")) == false)
    #expect(try isWindowed(Self.plan("t", "x")) == false)
    #expect(try isWindowed(Self.plan("t"), "n >= 0") == true)
    #expect(try isWindowed(Self.plan("t", "n"), "w != 'w1'") == true)
    // There are few, or they are not the server's to find.
    #expect(try isWindowed(Self.plan("t"), "id == 5") == false)
    #expect(try isWindowed(Self.plan("t"), "w CONTAINS[cd] 'w'") == nil)
    var localized = Self.plan("t", "w")
    localized.sortDescriptors[0].comparison = .localized
    #expect(try isWindowed(localized) == nil)
  }

  /// A table that the server believes to be long, with indexes under several collations.
  private func collatedTable() throws -> PostgreSQLStore {
    try longTable(
      #"""
      ALTER TABLE t ADD s text COLLATE "sv-x-icu", ADD m text, ADD "Q.x" text, ADD p numeric(9,2);
      CREATE COLLATION "My.own" (provider = icu, locale = 'de-u-kn-true');
      CREATE COLLATION blind (provider = icu, locale = 'en-u-ks-level1', deterministic = false);
      UPDATE t SET s = (ARRAY['Åsa', 'anna', 'Bo', 'Zoë', 'ärlig', 'ö' || id])[1 + id % 6] || id % 50,
        m = (ARRAY['x', 'X', 'y', 'Ý'])[1 + id % 4] || id, "Q.x" = 'q' || id,
        p = CASE WHEN id % 100 = 0 THEN 'NaN' WHEN id % 7 = 0 THEN NULL ELSE id % 8000 / 3.0 END;
      CREATE INDEX ON t (s, id); CREATE INDEX ON t (m COLLATE "My.own", id);
      CREATE INDEX ON t (w COLLATE blind, id); CREATE INDEX ON t ("Q.x" COLLATE "C", id);
      CREATE INDEX ON t ("Q.x" COLLATE "en-x-icu", id); CREATE INDEX ON t (p);
      CREATE INDEX ON t (c COLLATE "de-x-icu") WHERE n = 1;
      """#)
  }

  private static func collated(_ name: String, _ collation: String) -> FetchSortDescriptor {
    FetchSortDescriptor(name, comparison: .collation(TextCollation(collation)))
  }

  @Test func `an index has an order of its own, which the catalog names`() throws {
    let store = try collatedTable()
    func comparisons(_ name: String) -> [String]? {
      store.comparisons(of: name, in: "t").map {
        $0.map { FetchSortDescriptor("", comparison: $0).collation?.name ?? "C" }
      }
    }
    // The database of the tests orders by bytes.
    #expect(comparisons("s") == ["sv-x-icu", "C"])
    #expect(comparisons("m") == ["public.My.own", "C"])
    #expect(comparisons("Q.x") == ["en-x-icu", "C"])
    // One that takes different texts for equal is no order, and one of some rows none of all.
    #expect(comparisons("w") == ["C"])
    #expect(comparisons("c") == ["C"])
    #expect(comparisons("x") == ["C"])
    #expect(comparisons("n") == nil)
    func isWindowed(_ descriptor: FetchSortDescriptor) throws -> Bool? {
      try store.survey(FetchPlan(entityName: "t", sortDescriptors: [descriptor]))?.isForWindows
    }
    for descriptor in [
      Self.collated("s", "sv-x-icu"), Self.collated("m", "public.My.own"),
      Self.collated("`Q.x`", "en-x-icu"), FetchSortDescriptor("`Q.x`"),
      FetchSortDescriptor("p"), FetchSortDescriptor("p", ascending: false),
    ] {
      #expect(try isWindowed(descriptor) == true, "\(descriptor)")
      #expect(try isWindowed(descriptor.reversed) == true, "\(descriptor)")
    }
    for descriptor in [
      Self.collated("s", "de-x-icu"), Self.collated("m", "en-x-icu"),
      Self.collated("w", "en-x-icu"),
    ] {
      #expect(try isWindowed(descriptor) == false, "\(descriptor)")
    }
    #expect(throws: StoreError.self) {
      try store.fetch(
        FetchPlan(entityName: "t", sortDescriptors: [Self.collated("s", "xx-none")]), control: nil)
    }
  }

  @Test func `a list is in the order of a collation, which is that of its language here`() throws {
    let store = try collatedTable()
    for descriptor in [
      Self.collated("s", "sv-x-icu"), Self.collated("s", "de-x-icu").reversed,
      Self.collated("w", "en-x-icu"),
    ] {
      let plan = FetchPlan(entityName: "t", sortDescriptors: [descriptor])
      let ids = Array(try store.fetch(plan, control: nil).ids)
      let index = try #require(
        store.model.entity(named: "t")?.attributeIndex(descriptor.keyPath))
      let values = try store.rows(of: ids).map { $0?.value(at: index) ?? .null }
      #expect(ids.count == 30_000)
      for (before, after) in zip(values, values.dropFirst())
      where descriptor.compare(before, after) > 0 {
        Issue.record("\(before) comes before \(after)")
      }
    }
  }

  @Test func `a place is found by a text, and sections by the initials of a collation`() throws {
    let store = try collatedTable()
    var plan = FetchPlan(entityName: "t", sortDescriptors: [Self.collated("s", "sv-x-icu")])
    let index = try #require(store.model.entity(named: "t")?.attributeIndex("s"))
    func first(_ text: String) throws -> String? {
      plan.place = try store.place(at: text, in: plan)
      plan.limit = 1
      let id = try #require(try store.fetch(plan, control: nil).ids.first)
      return try store.rows(of: [id])[0]?.value(at: index).text
    }
    #expect(try first("b") == "Bo0")
    #expect(try first("å") == "Åsa0")
    #expect(try first("bz")?.hasPrefix("Zoë") == true)
    plan = FetchPlan(entityName: "t", sortDescriptors: [Self.collated("s", "sv-x-icu")])
    plan.sectionKey = SectionKey("s", .initial)
    #expect(
      try store.fetch(plan, control: nil).sections.map(\.name) == ["A", "B", "Z", "Å", "Ä", "Ö"])
  }

  @Test func `an explanation says what the server does, and what is done here`() throws {
    let store = try collatedTable()
    func lines(_ format: String?, _ order: FetchSortDescriptor, limit: Int? = nil) throws
      -> [String]
    {
      var plan = FetchPlan(entityName: "t", sortDescriptors: [order], limit: limit)
      plan.predicate = try format.map {
        try FetchPredicate(format: $0).validated(forEntity: "t", in: store.model)
      }
      return try store.explanation(of: plan)
    }
    let first = try lines(nil, Self.collated("s", "sv-x-icu"), limit: 3)
    #expect(first[0] == "the server finds and sorts")
    // The NULLs, and then the others, if there are too few.
    #expect(
      first.filter { $0.hasPrefix("SELECT") }.map { $0.hasSuffix(" LIMIT 3") } == [true, true])
    #expect(first.contains { $0.contains("Index") && $0.contains("t_s_id_idx") }, "\(first)")
    let folded = try lines("n > 5", FetchSortDescriptor("s", comparison: .localized))
    #expect(folded[0] == "the server finds; sorted here")
    #expect(folded[2] == "  $1 = 5")
    let partial = try lines("n > 5 AND w LIKE 'w1*'", FetchSortDescriptor("n"))
    #expect(partial[0] == #"the server finds what may match; here: w LIKE "w1*""#)
    let nothing = try lines("w LIKE 'w1*'", FetchSortDescriptor("n"))
    #expect(nothing[0] == #"the server finds all rows; here: w LIKE "w1*""#)
  }

  @Test func `a statement that takes too long is stopped by the server, which is said`() throws {
    let address = try #require(TestServer.shared).makeDatabase(
      "CREATE VIEW slow AS SELECT pg_sleep(20)::text AS n;")
    let patient = address + (address.contains("?") ? "&" : "?")
    let store = try PostgreSQLStore(
      address: patient + "options=-c%20statement_timeout%3D200ms")
    let error = #expect(throws: StoreError.self) {
      try store.fetch(
        FetchPlan(entityName: "slow", sortDescriptors: [FetchSortDescriptor("n")]), control: nil)
    }
    #expect(error?.reason == .other)
    #expect(error?.remedy.contains("statement_timeout") == true, "\(String(describing: error))")
    let others = try PostgreSQLStore(address: address)
    #expect(
      throws: StoreError.self,
      performing: {
        try others.fetch(
          FetchPlan(entityName: "slow"), control: FetchControl(timeLimit: 0.2))
      })
  }

  @Test func `a share of a list is about where it is, by statistics or by keys`() throws {
    for hasStatistics in [true, false] {
      let store = try longTable(hasStatistics ? "" : "ALTER TABLE t ALTER f SET STATISTICS 0;")
      for plan in [
        Self.plan("t", "n"), Self.plan("t", "-n"), Self.plan("t"), Self.plan("t", "f"),
        Self.plan("t", "-f"), Self.plan("t", "c"), Self.plan("t", "d", "-n"),
      ] {
        for predicate in [nil, "id > 3000"] {
          var plan = plan
          plan.predicate = try predicate.map {
            try FetchPredicate(format: $0).validated(forEntity: "t", in: store.model)
          }
          let all = try store.fetch(plan, control: nil).ids
          for part in [0.0, 0.1, 0.5, 0.9] {
            let id = try #require(try store.objectID(at: part, of: plan))
            let share = Double(try #require(all.index(of: id))) / Double(all.count)
            #expect(abs(share - part) < 0.05, "\(plan.sortDescriptors) \(part): \(share)")
          }
        }
      }
    }
  }

  @Test func `matches that the server does not know are looked for beside a place`() throws {
    let store = try longTable()
    for (format, matches) in [("w ENDSWITH[cd] '77' AND n > 3", 20), ("w LIKE 'w?9'", 5)] {
      var plan = Self.plan("t", "n")
      plan.predicate = try FetchPredicate(format: format).validated(
        forEntity: "t", in: store.model)
      let all = Array(try store.fetch(plan, control: nil).ids)
      try #require(all.count > matches)
      for isFromEnd in [false, true] {
        plan.isFromEnd = isFromEnd
        plan.place = try store.place(of: all[3], in: plan, isAfter: true, isOfSection: false)
        plan.limit = nil
        let rest = Array(isFromEnd ? all[...3] : all[4...])
        #expect(Array(try store.fetch(plan, control: nil).ids) == rest)
        plan.limit = 2
        #expect(
          Array(try store.fetch(plan, control: nil).ids)
            == Array(isFromEnd ? rest.suffix(2) : rest.prefix(2)))
      }
    }
  }
}
