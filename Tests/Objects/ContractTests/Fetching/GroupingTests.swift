import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Grouping objects` {
  private func people(_ descriptors: FetchSortDescriptor...) -> FetchRequest<ManagedObject> {
    FetchRequest(entityName: "Person", sortDescriptors: descriptors)
  }

  // Core Data: NSFetchRequest.propertiesToGroupBy, NSExpressionDescription with count:.
  @Test(arguments: stores) func `the objects of a group are counted`(kind: Kind) throws {
    let office = try Office(kind)
    let rows = try office.context.fetchDictionaries(
      people(), propertiesToFetch: ["employer.name"], expressions: [.count(name: "people")],
      propertiesToGroupBy: ["employer.name"])
    #expect(
      rows == [["employer.name": .null, "people": 1], ["employer.name": "Acme", "people": 2]])
  }

  // Core Data: the functions sum:, min:, max:, average:; without groups there is one dictionary.
  @Test(arguments: stores) func `values of all objects are computed in one result`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    (ada["height"], bob["height"]) = (1.5, 2)
    (ada["wage"], bob["wage"]) = (.decimal(Decimal(string: "10.5") ?? 0), .decimal(7))
    let born = Date(timeIntervalSinceReferenceDate: 86_400)
    ada["born"] = .date(born)
    try office.context.save()
    let expressions: [ExpressionDescription] = [
      .count(name: "all"), .count("height", name: "known"), .sum("age", name: "ages"),
      .average("height", name: "height"), .min("name", name: "first"), .max("name", name: "last"),
      .sum("wage", name: "wages"), .max("born", name: "youngest"), .sum("isActive", name: "active"),
    ]
    let rows = try office.context.fetchDictionaries(people(), expressions: expressions)
    #expect(
      rows == [
        [
          "all": 3, "known": 2, "ages": 81, "height": 1.75, "first": "Ada", "last": "Cyd",
          "wages": .decimal(Decimal(string: "17.5") ?? 0), "youngest": .date(born), "active": 3,
        ]
      ])
  }

  // Core Data: an aggregate of no objects is one dictionary too.
  @Test(arguments: stores) func `nothing is counted as 0, and has no greatest value`(kind: Kind)
    throws
  {
    let office = try Office(kind, isEmpty: true)
    let expressions: [ExpressionDescription] = [
      .count(name: "all"), .sum("age", name: "sum"), .max("age", name: "max"),
      .average("age", name: "mean"), .sum("height", name: "heights"),
    ]
    let rows = try office.context.fetchDictionaries(people(), expressions: expressions)
    #expect(
      rows == [["all": 0, "sum": 0, "max": .null, "mean": .null, "heights": .double(0)]])
    let groups = try office.context.fetchDictionaries(
      people(), expressions: expressions, propertiesToGroupBy: ["name"])
    #expect(groups.isEmpty)
  }

  // Core Data: NSFetchRequest.havingPredicate with a variable for the expression.
  @Test(
    arguments: stores, ["$people > 1", "people > 1", "count(name) > 1", "employer.name == 'Acme'"])
  func `a condition selects groups`(kind: Kind, format: String) throws {
    let office = try Office(kind)
    let rows = try office.context.fetchDictionaries(
      people(), expressions: [.count(name: "people")], propertiesToGroupBy: ["employer.name"],
      havingPredicate: try FetchPredicate(format: format))
    #expect(rows == [["employer.name": "Acme", "people": 2]])
  }

  // Core Data: the predicate is applied before grouping, havingPredicate after it.
  @Test(arguments: stores) func `the predicate selects objects before they are grouped`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    var request = people()
    request.predicate = try FetchPredicate(format: "age < 30")
    let rows = try office.context.fetchDictionaries(
      request, expressions: [.max("age", name: "oldest")], propertiesToGroupBy: ["employer.name"],
      havingPredicate: try FetchPredicate(format: "max(age) == 20 AND $oldest < 21"))
    #expect(rows == [["employer.name": "Acme", "oldest": 20]])
  }

  // Core Data: sort descriptors of grouped properties; fetchLimit and fetchOffset count groups.
  @Test(arguments: stores) func `order, limit and offset are those of the groups`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    for name in ["Bob", "Ada", "Bob"] { try office.context.make(name) }
    try office.context.save()
    let expressions = [ExpressionDescription.count(name: "n")]
    func names(_ request: FetchRequest<ManagedObject>) throws -> [Value?] {
      try office.context.fetchDictionaries(
        request, expressions: expressions, propertiesToGroupBy: ["name"]
      ).map { $0["name"] }
    }
    #expect(try names(people()) == ["Ada", "Bob", "Cyd"])
    #expect(try names(people(.init("name", ascending: false))) == ["Cyd", "Bob", "Ada"])
    var request = people(.init("n", ascending: false))
    #expect(try names(request) == ["Bob", "Ada", "Cyd"])
    (request.fetchLimit, request.fetchOffset) = (1, 1)
    #expect(try names(request) == ["Ada"])
  }

  // Core Data: returnsDistinctResults with groups.
  @Test(arguments: stores) func `equal results of groups are returned once`(kind: Kind) throws {
    let office = try Office(kind)
    let rows = try office.context.fetchDictionaries(
      people(), propertiesToFetch: ["isActive"], propertiesToGroupBy: ["name", "isActive"],
      returnsDistinctResults: true)
    #expect(rows == [["isActive": true]])
  }

  // Beyond Core Data, whose dictionaries leave out unsaved changes.
  @Test(arguments: stores) func `unsaved changes are in their groups`(kind: Kind) throws {
    let office = try Office(kind)
    try office.context.named("Acme", "Company").setValue("Apex", forKey: "name")
    try office.person("Bob")["age"] = 40
    try office.context.make("Dan")
    let expressions: [ExpressionDescription] = [
      .count(name: "n"), .sum("age", name: "ages"),
    ]
    var request = people()
    #expect(
      try office.context.fetchDictionaries(
        request, expressions: expressions, propertiesToGroupBy: ["employer.name"])
        == [
          ["employer.name": .null, "n": 2, "ages": 43],
          ["employer.name": "Apex", "n": 2, "ages": 76],
        ])
    request.includesPendingChanges = false
    #expect(
      try office.context.fetchDictionaries(
        request, expressions: expressions, propertiesToGroupBy: ["employer.name"])
        == [
          ["employer.name": .null, "n": 1, "ages": 25],
          ["employer.name": "Acme", "n": 2, "ages": 56],
        ])
  }

  private func uri(_ object: ManagedObject?) -> Value {
    object.map { .string($0.objectID.uriRepresentation) } ?? .null
  }

  // Core Data: NSFetchRequest.propertiesToGroupBy with a to-one relationship: NSManagedObjectIDs.
  @Test(arguments: stores) func `a to-one relationship that is grouped by has the ID of its object`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (ada, bob, cyd) = (
      try office.person("Ada"), try office.person("Bob"), try office.person("Cyd")
    )
    // A manager is of an entity or of its subentity; both are in one table.
    try ada.setObject(cyd, forKey: "manager")
    try office.context.save()
    let acme = try office.context.named("Acme", "Company")
    let count = [ExpressionDescription.count(name: "n")]
    /// In no order, which is that of the IDs.
    func groups(_ keyPaths: String...) throws -> Set<[String: Value]> {
      let rows = try office.context.fetchDictionaries(
        people(), expressions: count, propertiesToGroupBy: keyPaths)
      #expect(Set(rows).count == rows.count)
      return Set(rows)
    }
    #expect(
      try groups("employer") == [["employer": .null, "n": 1], ["employer": uri(acme), "n": 2]])
    #expect(
      try groups("manager", "manager.employer") == [
        ["manager": .null, "manager.employer": .null, "n": 1],
        ["manager": uri(ada), "manager.employer": uri(acme), "n": 1],
        ["manager": uri(cyd), "manager.employer": .null, "n": 1],
      ])
    // Memory computes them with unsaved changes.
    let new = try office.context.make("New", "Company")
    try bob.setObject(new, forKey: "employer")
    try ada.setObject(bob, forKey: "manager")
    #expect(
      try groups("employer") == [
        ["employer": .null, "n": 1], ["employer": uri(acme), "n": 1],
        ["employer": uri(new), "n": 1],
      ])
    let unsaved = try groups("manager", "age")
    try office.context.save()
    #expect(try groups("manager", "age") == unsaved && unsaved.count == 3)
  }

  // Core Data: NSFetchRequest.propertiesToFetch with a to-one relationship.
  @Test(arguments: stores) func `dictionaries have the IDs of to-one relationships`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (ada, acme) = (try office.person("Ada"), try office.context.named("Acme", "Company"))
    func rows(_ keyPaths: String...) throws -> [[String: Value]] {
      try office.context.fetchDictionaries(people(.init("name")), propertiesToFetch: keyPaths)
    }
    #expect(
      try rows("name", "manager", "manager.employer") == [
        ["name": "Ada", "manager": .null, "manager.employer": .null],
        ["name": "Bob", "manager": uri(ada), "manager.employer": uri(acme)],
        ["name": "Cyd", "manager": .null, "manager.employer": .null],
      ])
    try ada.setObject(ada, forKey: "manager")
    #expect(try rows("manager") == [uri(ada), uri(ada), .null].map { ["manager": $0] })
    let employers = try office.context.fetchDictionaries(
      people(), propertiesToFetch: ["employer"], returnsDistinctResults: true)
    #expect(employers.count == 2)
    #expect(Set(employers) == [["employer": .null], ["employer": uri(acme)]])
  }

  // Core Data: dictionaries make no objects and read no rows.
  @Test(arguments: [Kind.plain, .coreData])
  func `groups are computed without reading objects`(kind: Kind) throws {
    let office = try Office(kind)
    let ids = try office.context.fetchIDs(FetchPlan(entityName: "Person")).ids
    try office.context.make("New", "Tag")  // is in no group
    let rows = try office.context.fetchDictionaries(
      people(), expressions: [.sum("age", name: "ages")],
      propertiesToGroupBy: ["manager.name", "manager", "employer"])
    #expect(rows.count == 3)
    #expect(ids.allSatisfy { office.context.object(with: $0).isFault })
  }

  // Core Data: objects of sub-entities are grouped too.
  @Test(arguments: stores) func `groups have the objects of sub-entities, or not`(kind: Kind) throws
  {
    let office = try Office(kind)
    var request = people()
    request.includesSubentities = false
    let count = [ExpressionDescription.count(name: "n")]
    #expect(try office.context.fetchDictionaries(people(), expressions: count) == [["n": 3]])
    #expect(try office.context.fetchDictionaries(request, expressions: count) == [["n": 2]])
  }

  // Core Data: an aggregate ignores the order of its request; that of groups may be by what their
  // objects have in common.
  @Test(arguments: stores) func `a sorted request is computed and grouped`(kind: Kind) throws {
    let office = try Office(kind)
    let count = [ExpressionDescription.count(name: "n")]
    #expect(
      try office.context.fetchDictionaries(people(.init("name")), expressions: count)
        == [["n": 3]])
    #expect(
      try office.context.fetchDictionaries(
        people(.init("name", ascending: false)), expressions: count, propertiesToGroupBy: ["name"]
      ).map { $0["name"] } == ["Cyd", "Bob", "Ada"])
    let other = try office.context.make("Zeta", "Company")
    try office.person("Cyd").setObject(other, forKey: "employer")
    try office.context.save()
    func employees(_ isAscending: Bool) throws -> [[String: Value]] {
      try office.context.fetchDictionaries(
        people(.init("employer.name", ascending: isAscending)), expressions: count,
        propertiesToGroupBy: ["employer"])
    }
    #expect(try employees(true).map { $0["n"] } == [2, 1])
    #expect(try employees(false).map { $0["n"] } == [1, 2])
    #expect(try employees(true).map(\.count) == [2, 2])
    #expect(throws: ManagedObjectError.self) {
      try office.context.fetchDictionaries(people(.init("nonsense")), expressions: count)
    }
  }

  // Core Data raises: "SELECT clauses in queries with GROUP BY components can only contain
  // properties named in the GROUP BY or aggregate functions".
  @Test(arguments: stores) func `a property that is not grouped by is an error`(kind: Kind) throws {
    let office = try Office(kind)
    let error = try managedObjectError {
      _ = try office.context.fetchDictionaries(
        people(), propertiesToFetch: ["age"], propertiesToGroupBy: ["name"])
    }
    #expect(
      error.description == """
        fetching groups: Person: not supported: “age” is neither one of propertiesToGroupBy nor an \
        expression
        try: add it to propertiesToGroupBy, or fetch an expression of it, such as its max
        """)
    let mixed = try managedObjectError {
      _ = try office.context.fetchDictionaries(
        people(), propertiesToFetch: ["name"], expressions: [.count(name: "n")])
    }
    #expect(mixed.description.contains("“name” is neither"))
  }

  // Core Data raises for each of these.
  @Test(arguments: stores) func `what cannot be grouped or computed is an error`(kind: Kind) throws
  {
    let office = try Office(kind)
    func message(
      _ request: FetchRequest<ManagedObject>? = nil, fetching properties: [String] = [],
      computing expressions: [ExpressionDescription] = [], by groups: [String] = ["name"],
      having format: String? = nil
    ) throws -> String {
      try managedObjectError {
        _ = try office.context.fetchDictionaries(
          request ?? people(), propertiesToFetch: properties, expressions: expressions,
          propertiesToGroupBy: groups,
          havingPredicate: try format.map { try FetchPredicate(format: $0) })
      }.description
    }
    #expect(try message(by: ["nam"]).contains("try: name"))
    #expect(try message(by: ["pets"]).contains("is an attribute or a to-one relationship"))
    #expect(
      try message(computing: [.max("employer", name: "m")]).contains("it must be an attribute"))
    #expect(
      try message(people(.init("employer")), by: ["employer"]).contains(
        "cannot be sorted by the relationship “employer”"))
    #expect(
      try message(by: ["employer"], having: "employer != nil").contains(
        "reads the relationship “employer”"))
    #expect(try message(by: ["pets.name"]).contains("reached through to-one relationships"))
    #expect(try message(computing: [.sum("ages", name: "s")]).contains("age"))
    #expect(
      try message(computing: [.sum("born", name: "s")]).contains(
        "“born”, which has no numbers (date)"))
    #expect(
      try message(computing: [.init(name: "s", function: .max, keyPath: nil)]).contains(
        "max: of nothing"))
    #expect(
      try message(computing: [.count(name: "name")]).contains("two properties are named “name”"))
    #expect(
      try message(computing: [.count(name: "n")], by: [], having: "$n > 1").contains(
        "nothing is grouped by"))
    #expect(try message(having: "age > 3").contains("reads “age”, which is neither"))
    #expect(
      try message(computing: [.count(name: "number")], having: "$numbr > 3").contains("try: number")
    )
    #expect(try message(having: "SELF != nil").contains("groups, which are no objects"))
    #expect(try message(having: "sum(code) > 1").contains("which has no numbers (string)"))
    #expect(
      try message(people(.init("age"))).contains("groups cannot be sorted by “age”"))
    #expect(throws: FetchPredicateError.self) {
      try office.context.fetchDictionaries(
        people(), propertiesToGroupBy: ["age"],
        havingPredicate: try FetchPredicate(format: "age == 'Ada'"))
    }
  }
}
