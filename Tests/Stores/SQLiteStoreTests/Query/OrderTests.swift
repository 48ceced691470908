import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct `Order and sections` {
  @Test(arguments: [11, 12, 13] as [UInt64])
  func `are the same in memory and in SQL`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let library = try Library()
    try generator.fill(library, authors: 60)
    let authors = try LibraryRows(library).subjects("Author")
    let attributes = Library.authorAttributes.map(\.name).filter { $0 != "exact" }
    for _ in 0..<150 {
      let descriptors = generator.sortDescriptors(0...3, of: attributes)
      let expected = authors.sorted { $0.precedes($1, descriptors) }.map(\.id)
      let found = try library.fetch(
        FetchPlan(entityName: "Author", sortDescriptors: descriptors)
      ).ids
      #expect(Array(found) == expected, "\(descriptors)")
    }
  }

  @Test(arguments: [21, 22, 23] as [UInt64])
  func `have the sections that result from naming every row`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let library = try Library()
    try generator.fill(library, authors: 60)
    let rows = try LibraryRows(library)
    var outOfOrder = 0
    for _ in 0..<150 {
      let path = generator.pick([
        "name", "nick", "age", "born", "seen", "misc", "mentor.name", "flag",
      ])
      let key = SectionKey(path, generator.pick(SectionKey.Transform.allCases))
      let descriptor = FetchSortDescriptor(
        path, ascending: generator.chance(70),
        comparison: generator.pick([.binary, .localized, .localized(numeric: true)]))
      var plan = FetchPlan(entityName: "Author", sortDescriptors: [descriptor])
      let ids = try library.fetch(plan).ids
      var expected: [SectionRun] = []
      var names = SectionNames()
      var isInOrder = true
      for id in ids {
        let row = LibraryRow(id: id, all: rows)
        let name = key.name(of: row.value(at: path), row.attribute(at: path))
        if let section = names.next(name) {
          isInOrder = isInOrder && !section.isRepeated
          expected.append(SectionRun(name: section.name, count: 1))
        } else {
          expected[expected.count - 1].count += 1
        }
      }
      plan.sectionKey = key
      let attribute = try #require(
        Library.authorAttributes.first { path.hasSuffix($0.name) })
      if isInOrder || key.agrees(with: [descriptor], attribute) {
        #expect(try library.fetch(plan).sections == expected, "\(key), \(descriptor)")
      } else {
        outOfOrder += 1
        #expect(throws: StoreError.self) { try library.fetch(plan) }
      }
    }
    #expect(outOfOrder < 130)
  }

  @Test func `an order that splits a section is an error with the row and its section`() throws {
    let library = try Library()
    try library.execute("INSERT INTO author (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'a')")
    let plan = FetchPlan(entityName: "Author", sectionKey: SectionKey("name"))
    let error = #expect(throws: StoreError.self) { try library.fetch(plan) }
    #expect(
      error?.detail
        == "The fetched object at index 2 has an out of order section name 'a'. Objects must be sorted by section name."
    )
  }

  @Test func `an order by the key or by an indexed column needs no sorting`() throws {
    let library = try Library()
    let byKey = try library.steps(of: FetchPlan(entityName: "Author"))
    #expect(!byKey.contains("TEMP B-TREE"))
    let byAge = FetchPlan(entityName: "Author", sortDescriptors: [.init("age")])
    #expect(try !library.steps(of: byAge).contains("TEMP B-TREE"))
    let byFold = FetchPlan(
      entityName: "Author", sortDescriptors: [.init("name", comparison: .localized)])
    #expect(try library.steps(of: byFold).contains("TEMP B-TREE"))
  }

  @Test func `limit and offset select a range, and the count respects them`() throws {
    let library = try Library()
    try library.execute("INSERT INTO author (id) VALUES (1), (2), (3), (4), (5)")
    var plan = FetchPlan(entityName: "Author", limit: 2, offset: 1)
    #expect(try library.keys(plan) == [2, 3])
    plan.limit = nil
    #expect(try library.keys(plan) == [2, 3, 4, 5])
    let count = try library.queue.writeWithoutTransaction {
      try library.reader.count(plan, control: nil, on: Connection($0))
    }
    #expect(count == 4)
  }

  @Test func `a cancelled fetch throws an error with the reason cancelled`() throws {
    let library = try Library()
    try library.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO author (id, name) SELECT i, 'name ' || (i * 7919 % 5000) FROM n
      """)
    let control = FetchControl()
    control.cancel()
    let plan = FetchPlan(
      entityName: "Author", sortDescriptors: [.init("name", comparison: .localized)])
    let error = #expect(throws: StoreError.self) { try library.fetch(plan, control: control) }
    #expect(error?.reason == .cancelled)
    #expect(try library.fetch(plan).ids.count == 5000)
    let followed = FetchControl()
    _ = try library.fetch(plan, control: followed)
    #expect(followed.completed > 0)
    #expect(followed.total == 5000)
  }
}

extension LibraryRow {
  /// The decoded value at a key path.
  func value(at path: String) -> Value {
    let last = path.split(separator: ".").reduce(PredicateOperand.object(self)) { operand, key in
      if case .object(let object) = operand {
        object.operand(forKey: String(key))
      } else {
        .missing
      }
    }
    if case .value(let value) = last { return value }
    return .null
  }

  /// The attribute at a key path of to-one relationships to the same entity.
  func attribute(at path: String) -> AttributeDescription? {
    all.model.entity(named: id.entityName)?
      .attribute(named: path.split(separator: ".").last.map(String.init) ?? "")
  }

  private func sortValue(_ descriptor: FetchSortDescriptor) -> FetchSortDescriptor.SortValue {
    descriptor.sortValue(
      value(at: descriptor.keyPath), of: attribute(at: descriptor.keyPath))
  }

  /// Whether this row comes before another one.
  func precedes(_ other: LibraryRow, _ descriptors: [FetchSortDescriptor]) -> Bool {
    for descriptor in descriptors {
      let order = descriptor.compare(sortValue(descriptor), other.sortValue(descriptor))
      if order != 0 { return order < 0 }
    }
    return id < other.id
  }
}
