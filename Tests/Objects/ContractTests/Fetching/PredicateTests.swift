import ManagedObjects
import ObjectModel
import TestStores
import Testing

/// Predicates in fetches: each is evaluated by the store, and in memory for unsaved objects.
@Suite struct `Predicates in fetches` {
  /// A predicate on people, what it means, and who meets it.
  struct Question: Sendable, CustomStringConvertible {
    let format: String
    let names: [String]
    init(_ format: String, _ names: String) {
      self.format = format
      self.names = names.split(separator: " ").map(String.init)
    }
    var description: String { format }
  }

  static let comparisons = [
    Question("age == 36", "Ada"), Question("age != 36", "Bob Cyd"), Question("age < 25", "Bob"),
    Question("age <= 25", "Bob Cyd"), Question("age > 25", "Ada"), Question("age >= 25", "Ada Cyd"),
    Question("age BETWEEN {20, 25}", "Bob Cyd"), Question("age IN {20, 36}", "Ada Bob"),
    Question("NOT (age IN {20, 36})", "Cyd"), Question("age + 5 == 25", "Bob"),
  ]

  static let texts = [
    Question("name == 'Ada'", "Ada"), Question("name ==[c] 'ADA'", "Ada"),
    Question("name ==[cd] 'ÁDA'", "Ada"), Question("name BEGINSWITH 'B'", "Bob"),
    Question("name ENDSWITH 'd'", "Cyd"), Question("name CONTAINS 'd'", "Ada Cyd"),
    Question("name CONTAINS[c] 'B'", "Bob"), Question("name LIKE '?o*'", "Bob"),
    Question("name MATCHES '[A-B].*'", "Ada Bob"), Question("name > 'B'", "Bob Cyd"),
    Question("name.length == 3", "Ada Bob Cyd"),
  ]

  static let logic = [
    Question("TRUEPREDICATE", "Ada Bob Cyd"), Question("FALSEPREDICATE", ""),
    Question("age > 20 AND name != 'Ada'", "Cyd"),
    Question("age == 20 OR name == 'Ada'", "Ada Bob"),
    Question("NOT age == 20", "Ada Cyd"), Question("isActive == YES", "Ada Bob Cyd"),
    Question("isActive == NO", ""), Question("height == nil", "Ada Bob Cyd"),
    Question("height != nil", ""), Question("height > 1", ""),
  ]

  static let relationships = [
    Question("employer == nil", "Cyd"), Question("employer != nil", "Ada Bob"),
    Question("employer.name == 'Acme'", "Ada Bob"), Question("manager.age > 30", "Bob"),
    Question("manager.employer.name BEGINSWITH 'A'", "Bob"),
    Question("ANY pets.name == 'Rex'", "Ada"), Question("ANY tags.name == 'red'", "Ada"),
    Question("ANY favourites.name IN {'green', 'blue'}", "Ada"),
    Question("NONE tags.name == 'red'", "Bob Cyd"), Question("ALL pets.name == 'Fido'", "Bob Cyd"),
    Question("pets.@count == 0", "Bob Cyd"), Question("favourites.@count > 1", "Ada"),
    Question("ANY reports.name == 'Bob'", "Ada"), Question("reports.@avg.age == 20", "Ada"),
    Question("reports.@max.age == 20", "Ada"),
    Question("SUBQUERY(pets, $p, $p.name == 'Rex' AND $p.toys.@count == 2).@count == 1", "Ada"),
    Question("ANY employer.employees.name == 'Bob'", "Ada Bob"),
    Question("passport.name == 'P1'", "Ada"),
  ]

  private func ask(_ question: Question, _ kind: Kind) throws {
    let office = try Office(kind)
    #expect(try office.context.names(where: question.format) == question.names, "of the store")
    let predicate = try FetchPredicate(format: question.format)
    let request = FetchRequest<ManagedObject>(entityName: "Person", predicate: predicate)
    #expect(try office.context.count(for: request) == question.names.count)
    // With an unsaved change of each the rows are evaluated here.
    for person in try office.context.all("Person") { person["site"] = .null }
    for person in try office.context.all("Person") { person["wage"] = 1 }
    #expect(try office.context.names(where: question.format) == question.names, "in memory")
  }

  // Core Data: NSComparisonPredicate: comparisons of numbers.
  @Test(arguments: stores, comparisons)
  func `numbers are compared by value`(kind: Kind, question: Question) throws {
    try ask(question, kind)
  }

  // Core Data: NSComparisonPredicate.Options: c ignores case, d diacritics.
  @Test(arguments: stores, texts)
  func `texts are compared as the operator and its options say`(kind: Kind, question: Question)
    throws
  {
    try ask(question, kind)
  }

  // Core Data: NSCompoundPredicate; nil.
  @Test(arguments: stores, logic)
  func `conditions are combined, and null is nothing but null`(kind: Kind, question: Question)
    throws
  {
    try ask(question, kind)
  }

  // Core Data: key paths, ANY, ALL, NONE, SUBQUERY and collection operators.
  @Test(arguments: stores, relationships)
  func `conditions lead through relationships`(kind: Kind, question: Question) throws {
    try ask(question, kind)
  }

  // Core Data: NSPredicate(format:): SELF == %@, SELF IN %@.
  @Test(arguments: stores) func `an object is compared with SELF`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    var request = FetchRequest<ManagedObject>(
      entityName: "Person", predicate: try FetchPredicate(format: "SELF == %@", ada.objectID))
    #expect(try office.context.fetch(request) == [ada])
    request.predicate = try FetchPredicate(format: "SELF IN %@", [ada.objectID, bob.objectID])
    request.sortDescriptors = [.init("name")]
    #expect(try office.context.fetch(request) == [ada, bob])
  }

  // Core Data: NSPredicate(format:): a to-one relationship is compared with an object.
  @Test(arguments: stores) func `a relationship is compared with an object`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    for format in ["manager == %@", "ANY employer.employees == %@ AND name == 'Bob'"] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Person", predicate: try FetchPredicate(format: format, ada.objectID))
      #expect(try office.context.fetch(request).map { $0.string("name") } == ["Bob"])
    }
  }

  // Core Data: NSPredicate(format:argumentArray:): %K is a key, %@ a value that needs no quotes.
  @Test(arguments: stores) func `arguments are values, whatever characters they have`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let name = "O'Hara \"; DROP TABLE %@ _ % *"
    try office.context.make(name)
    try office.context.save()
    for operation in ["==", "CONTAINS", "BEGINSWITH"] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Person",
        predicate: try FetchPredicate(format: "%K \(operation) %@", "name", name))
      #expect(try office.context.fetch(request).count == 1)
    }
  }

  // Core Data: NSPredicate(format:) raises when it cannot be parsed.
  @Test func `a format that cannot be parsed is an error that shows where`() {
    let error = #expect(throws: FetchPredicateError.self) {
      try FetchPredicate(format: "age == == 3")
    }
    #expect(error.map { String(describing: $0).isEmpty } == false)
  }

  // Core Data: a comparison of an attribute with a value of another type raises.
  @Test(arguments: stores) func `a value of another type than the attribute is an error`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    #expect(throws: FetchPredicateError.self) {
      try office.context.names(where: "age == 'many'")
    }
  }
}
