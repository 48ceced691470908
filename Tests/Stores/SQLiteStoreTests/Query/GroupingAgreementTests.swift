import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct `Groups in memory and in SQL` {
  /// A fetch of groups by random attributes, with random functions, condition and order.
  private func plan(_ generator: inout Generator, _ library: Library) throws -> GroupedFetchPlan {
    let attributes = try #require(library.layout.model.entity(named: "Author")).attributes
    func source() -> GroupedFetchPlan.Source {
      let attribute = generator.pick(attributes)
      return .init(
        path: generator.chance(30) ? ["mentor", attribute.name] : [attribute.name],
        attribute: attribute)
    }
    let groupCount = generator.pick([0, 1, 1, 1, 2, 2, 3])
    var columns = (0..<groupCount).map { index in
      let relationships = [["mentor"], ["mentor", "mentor"]]
      return GroupedFetchPlan.Column(
        nil,
        of: generator.chance(25)
          ? .init(relationshipPath: generator.pick(relationships)) : source(), named: "g\(index)")
    }
    for index in 0..<generator.pick([1, 2, 3, 5]) {
      let function = generator.pick(ExpressionDescription.Function.allCases)
      let isOfObjects = function == .count && generator.chance(50)
      columns.append(.init(function, of: isOfObjects ? nil : source(), named: "f\(index)"))
    }
    let places = Array(columns.indices)
    // No condition or order has a relationship.
    let values = places.filter { columns[$0].source?.isRelationship != true }
    var having: FetchPredicate?
    if groupCount > 0, !values.isEmpty, generator.chance(50) {
      func value() -> FetchPredicate.Expression {
        let key = FetchPredicate.Expression.keyPath([String(generator.pick(values))])
        return generator.chance(25)
          ? .function(generator.pick(["divide:by:", "add:to:"]), [key, .constant(.integer(2))])
          : key
      }
      func comparison() -> FetchPredicate.Node {
        .comparison(
          .init(
            value(), generator.order(),
            generator.chance(70) ? .constant(generator.constant()) : value(),
            options: generator.options()))
      }
      having = FetchPredicate(
        generator.pick([
          comparison(), .not(comparison()), .or([comparison(), comparison()]),
          .and([comparison(), .not(comparison())]),
        ]))
    }
    var fetch = FetchPlan(entityName: "Author")
    if generator.chance(30) {
      fetch = try library.plan(where: generator.pick(["id & 1 == 0", "age > 1", "mentor != nil"]))
    }
    if generator.chance(30) { fetch.limit = generator.pick([0, 1, 3]) }
    if generator.chance(20) { fetch.offset = 1 }
    let order = (0..<(values.isEmpty ? 0 : generator.pick([0, 0, 1, 2]))).map { _ in
      GroupedFetchPlan.Order(
        column: generator.pick(values),
        descriptor: FetchSortDescriptor(
          "", ascending: generator.chance(50),
          comparison: generator.pick([.binary, .caseInsensitive, .localized])))
    }
    return GroupedFetchPlan(
      fetch: fetch, columns: columns, groupCount: groupCount, having: having, order: order,
      selected: places.filter { _ in generator.chance(80) }, isDistinct: generator.chance(25))
  }

  private func inMemory(_ plan: GroupedFetchPlan, _ all: LibraryRows) throws -> [[Value]] {
    var groups = GroupAccumulator(plan)
    for subject in all.subjects("Author") {
      if let predicate = plan.fetch.predicate, try !predicate.matches(subject) { continue }
      groups.add(plan.columns.map { $0.source.map { all.stored($0.path, subject.id) } ?? .null })
    }
    return plan.results(of: try groups.rows())
  }

  private func inSQL(_ plan: GroupedFetchPlan, _ library: Library) throws -> [[Value]] {
    let query = try GroupedQuery(plan, compiler: library.compiler)
    #expect(query.sql.text.contains(" GROUP BY ") == (plan.groupCount > 0))
    #expect(query.sql.text.contains(" HAVING ") == (plan.having != nil))
    let groups = try library.queue.writeWithoutTransaction { database in
      try query.groups(of: plan, on: Connection(database))
    }
    return plan.results(of: try #require(groups))
  }

  private func compare(_ library: Library, _ generator: inout Generator, cases: Int) throws {
    let rows = try LibraryRows(library)
    var severalCount = 0
    for _ in 0..<cases {
      let plan = try plan(&generator, library)
      let expected = try inMemory(plan, rows)
      let found = try inSQL(plan, library)
      if expected.count > 1 { severalCount += 1 }
      if found != expected {
        let sql = try GroupedQuery(plan, compiler: library.compiler).sql.readable
        Issue.record("\(plan)\n\(sql)\nmemory: \(expected)\nSQL: \(found)")
        return
      }
    }
    #expect(severalCount > cases / 4, "Most fetches have one group or none.")
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `are the same, whatever is stored`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let library = try Library()
    try generator.fill(library, authors: 40)
    try compare(library, &generator, cases: 250)
  }

  @Test(arguments: [15, 16, 17, 18] as [UInt64])
  func `are the same in a Core Data store`(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    let plain = try Library()
    try generator.fill(plain, authors: 40)
    try compare(CoreDataLibrary.make(from: plain), &generator, cases: 150)
  }
}

extension LibraryRows {
  /// The stored value at the end of a path of to-one relationships.
  fileprivate func stored(_ path: [String], _ id: ObjectID) -> Value {
    guard let entity = model.entity(named: id.entityName), let row = rows[id] else { return .null }
    if path.count == 1, let index = entity.attributeIndex(path[0]) { return row.values[index] }
    guard let place = entity.toOneIndex(path[0]), let next = row.toOne[place] else { return .null }
    if path.count == 1 { return .string(next.uriRepresentation) }
    return stored(Array(path.dropFirst()), next)
  }
}
