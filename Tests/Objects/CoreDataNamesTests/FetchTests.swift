import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Fetch requests, predicates and sort descriptors of Foundation's classes.
struct FetchTests {
  let stack = CoreDataStack(inMemory: true)
  var context: NSManagedObjectContext { stack.viewContext }

  init() throws {
    for (owner, titles) in [("ada", ["Alien", "brazil", "Cube 10", "Cube 9"]), ("bob", ["Élan"])] {
      let person = Person.register(username: owner, in: context)
      for (rating, title) in titles.enumerated() {
        DVD.insert(title: title, owner: person, in: context).setValue(rating, forKey: "rating")
      }
    }
    try context.save()
  }

  private func titles(_ predicate: NSPredicate?, _ order: NSSortDescriptor...) throws -> [String] {
    let request = DVD.fetchRequest()
    request.predicate = predicate
    request.sortDescriptors =
      order.isEmpty ? [NSSortDescriptor(key: "title", ascending: true)] : order
    return try context.fetch(request).map(\.title)
  }

  // MARK: Requests

  @Test func `limit, offset and the class of the results are followed`() throws {
    let request = NSFetchRequest<DVD>(entityName: "DVD")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(request.fetchLimit == 2)
    #expect(request.entityName == "DVD")
    #expect(try context.fetch(request).map(\.title) == ["Cube 10", "Cube 9"])
    #expect(try context.count(for: request) == 2)
    let wrong = NSFetchRequest<Person>(entityName: "DVD")
    #expect(throws: ManagedObjectError.self) { try context.fetch(wrong) }
  }

  @Test func `a request may get its entity later, and has none before`() throws {
    let request = NSFetchRequest<NSFetchRequestResult>()
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
    request.entity = NSEntityDescription.entity(forEntityName: "Person", in: context)
    #expect(request.entityName == "Person")
    #expect(try (context.fetch(request) as? [Person])?.count == 2)
    let unknown = NSFetchRequest<NSManagedObject>(entityName: "None")
    #expect(throws: ManagedObjectError.self) { try context.count(for: unknown) }
  }

  @Test func `the request of a class has results of any type, if they are to be`() throws {
    let request: NSFetchRequest<NSFetchRequestResult> = Person.fetchRequest()
    #expect(try context.fetch(request) is [Person])
    let plain: FetchRequest<Person> = Person.fetchRequest()
    #expect(try context.fetch(plain).count == 2)
    let controller: NSFetchedResultsController<NSFetchRequestResult> = .init(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "username", ascending: true)]
    try controller.performFetch()
    let first = controller.object(at: IndexPath(row: 0, section: 0))
    #expect((first as? Person)?.username == "ada")
    #expect(controller.indexPath(forObject: first) == IndexPath(row: 0, section: 0))
  }

  @Test func `IDs and counts are results`() throws {
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
    ids.resultType = .managedObjectIDResultType
    ids.sortDescriptors = [NSSortDescriptor(key: "username", ascending: false)]
    let found = try context.fetch(ids)
    #expect(found.map { (context.object(with: $0) as? Person)?.username } == ["bob", "ada"])
    let number = NSFetchRequest<NSNumber>(entityName: "DVD")
    number.resultType = .countResultType
    #expect(try context.fetch(number) == [5])
  }

  @Test func `dictionaries are grouped, and only dictionaries`() throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "DVD")
    request.propertiesToGroupBy = ["owner.username"]
    request.propertiesToFetch = [
      "owner.username", NSExpressionDescription.count(name: "discs"),
      NSExpressionDescription.max("rating", name: "best"),
    ]
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
    request.resultType = .dictionaryResultType
    let all: [NSDictionary] = try context.fetch(request)
    #expect(all.compactMap { $0["owner.username"] as? String } == ["ada", "bob"])
    #expect(all.compactMap { $0["discs"] as? Int } == [4, 1])
    #expect(all.compactMap { $0["best"] as? Int } == [3, 0])
    request.havingPredicate = NSPredicate(format: "$discs > 1")
    request.propertiesToFetch = [NSExpressionDescription.count(name: "discs")]
    #expect(try context.fetch(request) == [["discs": 4]])
    request.propertiesToGroupBy = nil
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
  }

  @Test func `dictionaries have the IDs of to-one relationships, grouped by or not`() throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "DVD")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title", "owner"]
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let first = try #require(try context.fetch(request).first?["owner"] as? NSManagedObjectID)
    #expect((context.object(with: first) as? Person)?.username == "ada")
    let owner = try #require(context.model.entitiesByName["DVD"]?.relationshipsByName["owner"])
    request.propertiesToGroupBy = [owner]
    request.propertiesToFetch = [owner, NSExpressionDescription.count(name: "discs")]
    request.sortDescriptors = [NSSortDescriptor(key: "discs", ascending: false)]
    let groups = try context.fetch(request)
    #expect(groups.compactMap { $0["discs"] as? Int } == [4, 1])
    #expect(groups[0]["owner"] as? NSManagedObjectID == first)
  }

  @Test func `dictionaries have the objects' own IDs, by name or as an expression`() throws {
    let ada = try #require(Person.find(username: "ada", in: context))
    let request = NSFetchRequest<NSDictionary>(entityName: "DVD")
    request.resultType = .dictionaryResultType
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let expression = NSExpressionDescription()
    expression.name = "me"
    expression.expression = NSExpression.expressionForEvaluatedObject()
    expression.expressionResultType = .objectIDAttributeType
    let expected = try context.fetch(DVD.fetchRequest()).sorted { $0.title < $1.title }
    request.propertiesToFetch = ["title", "objectID", expression, "owner.objectID"]
    let rows = try context.fetch(request)
    #expect(rows.map { $0["objectID"] as? NSManagedObjectID } == expected.map(\.objectID))
    #expect(rows.map { $0["me"] as? NSManagedObjectID } == expected.map(\.objectID))
    #expect(rows.compactMap { $0["title"] as? String } == expected.map(\.title))
    #expect(rows[0]["owner.objectID"] as? NSManagedObjectID == ada.objectID)
    request.propertiesToFetch = [expression]
    #expect(try context.fetch(request).map(\.allKeys.count) == [1, 1, 1, 1, 1])
    _ = DVD.insert(title: "A new one", owner: ada, in: context)
    let temporary = try #require(try context.fetch(request).first?["me"] as? NSManagedObjectID)
    #expect((context.object(with: temporary) as? DVD)?.title == "A new one")
    request.propertiesToGroupBy = ["objectID"]
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
  }

  @Test func `an expression is a function of a key path, or a key path under another name`() throws
  {
    let request = NSFetchRequest<NSDictionary>(entityName: "DVD")
    request.resultType = .dictionaryResultType
    func description(_ name: String, _ expression: NSExpression?) -> NSExpressionDescription {
      let description = NSExpressionDescription()
      (description.name, description.expression) = (name, expression)
      return description
    }
    let rating = NSExpression(forKeyPath: "rating")
    request.propertiesToFetch = [
      description("best", NSExpression(forFunction: "max:", arguments: [rating])),
      description(
        "all", NSExpression(forFunction: "count:", arguments: [.expressionForEvaluatedObject()])),
    ]
    #expect(try context.fetch(request) == [["best": 3, "all": 5]])
    request.propertiesToFetch = [
      description("stars", rating), description("of", NSExpression(forKeyPath: "owner.username")),
    ]
    request.predicate = NSPredicate(format: "title == 'brazil'")
    #expect(try context.fetch(request) == [["stars": 1, "of": "ada"]])
    for wrong in [nil, NSExpression(forFunction: "median:", arguments: [rating])] {
      request.propertiesToFetch = [description("x", wrong)]
      #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
    }
  }

  @Test func `dictionaries have the properties to fetch, distinct ones once`() throws {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "DVD")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["owner.username"]
    request.sortDescriptors = [NSSortDescriptor(key: "owner.username", ascending: true)]
    let all = try #require(try context.fetch(request) as? [[String: String]])
    #expect(all.map { $0["owner.username"] } == ["ada", "ada", "ada", "ada", "bob"])
    request.returnsDistinctResults = true
    #expect(try context.fetch(request).count == 2)
    let entity = try #require(NSEntityDescription.entity(forEntityName: "DVD", in: context))
    request.propertiesToFetch = [try #require(entity.attributesByName["rating"])]
    let ratings = try #require(try context.fetch(request) as? [NSDictionary])
    #expect(ratings.compactMap { $0["rating"] as? Int }.sorted() == [0, 1, 2, 3])
    let bob = try #require(Person.find(username: "bob", in: context))
    DVD.insert(title: "New", owner: bob, in: context).setValue(9, forKey: "rating")
    #expect(try context.fetch(request).count == 5)
    request.propertiesToFetch = [1]
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
  }

  @Test func `rows are read at once if objects are not to be faults`() throws {
    let request = DVD.fetchRequest()
    context.reset()
    #expect(try context.fetch(request).allSatisfy(\.isFault))
    request.returnsObjectsAsFaults = false
    #expect(try context.fetch(request).allSatisfy { !$0.isFault })
  }

  @Test func `unsaved changes and prefetching are as the request says`() throws {
    let ada = try #require(Person.find(username: "ada", in: context))
    _ = DVD.insert(title: "New", owner: ada, in: context)
    let request = DVD.fetchRequest()
    request.includesPendingChanges = false
    #expect(try context.count(for: request) == 5)
    request.includesPendingChanges = true
    request.relationshipKeyPathsForPrefetching = ["owner"]
    #expect(try context.fetch(request).count == 6)
    request.relationshipKeyPathsForPrefetching = ["nobody"]
    #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
  }

  // MARK: Predicates

  @Test func `arguments are Swift's values, Foundation's classes, objects, lists and keys`() throws
  {
    let ada = try #require(Person.find(username: "ada", in: context))
    let cases: [(NSPredicate, [String])] = [
      (NSPredicate(format: "title == %@", "Alien"), ["Alien"]),
      (NSPredicate(format: "title == %@", "Alien" as NSString), ["Alien"]),
      (NSPredicate(format: "%K BEGINSWITH[cd] %@", "title", "el"), ["Élan"]),
      (NSPredicate(format: "rating > %d", 2), ["Cube 9"]),
      (NSPredicate(format: "rating == %@", NSNumber(value: 1)), ["brazil"]),
      (NSPredicate(format: "rating IN %@", [1, 3]), ["Cube 9", "brazil"]),
      (NSPredicate(format: "rating IN %@", [1, 3] as NSArray), ["Cube 9", "brazil"]),
      (NSPredicate(format: "title IN %@", NSSet(array: ["Alien"])), ["Alien"]),
      (NSPredicate(format: "owner != %@", ada), ["Élan"]),
      (NSPredicate(format: "owner == %@", ada.objectID), ["Alien", "Cube 10", "Cube 9", "brazil"]),
      (NSPredicate(format: "purchaseDate != %@", NSNull()), []),
      (
        NSPredicate(format: "title == %@ OR rating == %d", argumentArray: ["Alien", 3]),
        ["Alien", "Cube 9"]
      ),
      (
        NSPredicate(format: "rating IN %@", argumentArray: [[1, NSNumber(value: 3)] as [Any]]),
        ["Cube 9", "brazil"]
      ),
      (NSPredicate(format: "title == 'Alien'", argumentArray: nil), ["Alien"]),
      (NSPredicate(value: false), []),
    ]
    for (predicate, expected) in cases {
      #expect(try titles(predicate) == expected, "\(predicate)")
    }
  }

  @Test func `compound predicates are AND, OR and NOT of their parts`() throws {
    let (a, b) = (NSPredicate(format: "rating > 0"), NSPredicate(format: "title LIKE 'Cube*'"))
    typealias Compound = NSCompoundPredicate
    let cases: [(NSPredicate, Int)] = [
      (Compound(andPredicateWithSubpredicates: [a, b]), 2),
      (Compound(orPredicateWithSubpredicates: [a, b]), 3),
      (Compound(notPredicateWithSubpredicate: b), 3),
      (Compound(andPredicateWithSubpredicates: []), 5),
      (Compound(orPredicateWithSubpredicates: []), 0),
      (Compound(type: .and, subpredicates: [a, Compound(notPredicateWithSubpredicate: b)]), 1),
      (Compound(andPredicateWithSubpredicates: [NSPredicate(value: true), b]), 2),
    ]
    for (predicate, count) in cases {
      #expect(try titles(predicate).count == count, "\(predicate)")
      // In memory the predicate gives the same answer.
      let all = try context.fetch(DVD.fetchRequest())
      #expect(all.filter { predicate.evaluate(with: $0) }.count == count, "\(predicate)")
    }
  }

  @Test func `a block is no condition for a store, also as a part`() throws {
    let block = NSPredicate { _, _ in true }
    #expect(throws: ManagedObjectError.self) { try titles(block) }
    let part = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(value: true), block])
    #expect(throws: ManagedObjectError.self) { try titles(part) }
  }

  @Test func `a format filters arrays of objects, is equal to itself and has variables`() throws {
    let all = try context.fetch(DVD.fetchRequest())
    let format = NSPredicate(format: "title == $TITLE")
    #expect(
      all.filter { format.evaluate(with: $0, substitutionVariables: ["TITLE": "Alien"]) }.count == 1
    )
    let predicate = NSPredicate(format: "rating >= 2")
    #expect(NSArray(array: all).filtered(using: predicate).count == 2)
    #expect(!predicate.evaluate(with: "no object"))
    #expect(predicate == NSPredicate(format: "rating>=2"))
    #expect(predicate != NSPredicate(format: "rating >= 3"))
    #expect(predicate.copy() as? NSPredicate == predicate)
  }

  // MARK: Orders

  @Test func `a selector is a comparison`() throws {
    func order(_ selector: FetchSortDescriptor.Comparison) throws -> [String] {
      try titles(nil, NSSortDescriptor(key: "title", ascending: true, selector: selector))
    }
    #expect(try order(.compare) == ["Alien", "Cube 10", "Cube 9", "brazil", "Élan"])
    #expect(try order(.caseInsensitiveCompare) == ["Alien", "brazil", "Cube 10", "Cube 9", "Élan"])
    #expect(
      try order(.localizedStandardCompare) == ["Alien", "brazil", "Cube 9", "Cube 10", "Élan"])
    for selector in [
      FetchSortDescriptor.Comparison.localizedCompare, .localizedCaseInsensitiveCompare,
    ] {
      #expect(try order(selector) == ["Alien", "brazil", "Cube 10", "Cube 9", "Élan"])
    }
  }

  @Test func `a key leads through relationships, and can be read and reversed`() throws {
    let descriptor = NSSortDescriptor(key: "owner.username", ascending: false)
    #expect(descriptor.key == "owner.username")
    #expect(!descriptor.ascending)
    let rating = NSSortDescriptor(key: "rating", ascending: true)
    #expect(try titles(nil, descriptor, rating).first == "Élan")
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.ascending)
    #expect(try titles(nil, reversed, rating).last == "Élan")
    #expect(rating == NSSortDescriptor(key: "rating", ascending: true))
    #expect(rating != reversed)
  }

  @Test func `arrays of objects are sorted by the same order`() throws {
    let all = try context.fetch(DVD.fetchRequest())
    let descriptors = [
      NSSortDescriptor(key: "owner.username", ascending: false),
      NSSortDescriptor(key: "title", ascending: true, selector: .localizedStandardCompare),
    ]
    let sorted = NSArray(array: all).sortedArray(using: descriptors) as? [DVD]
    #expect(sorted?.map(\.title) == ["Élan", "Alien", "brazil", "Cube 9", "Cube 10"])
  }

  @Test func `a Swift key path has no name, and the fetch says so`() {
    let descriptor = NSSortDescriptor(keyPath: \DVD.title, ascending: true)
    #expect(descriptor.key == nil)
    #expect(throws: ManagedObjectError.self) { try titles(nil, descriptor) }
  }

  // MARK: Templates

  @Test func `a template of the model is a request, with values for its variables`() throws {
    let model = NSManagedObjectModel(
      entities: stack.viewContext.persistentStoreCoordinator.model.entities,
      details: ModelDetails(fetchRequestTemplates: [
        "byPerson": FetchRequestTemplate(
          "DVD", predicate: "owner.username == $NAME AND rating < $RATING",
          sortDescriptors: [.init("rating", isAscending: false)], fetchLimit: 3)
      ]))
    #expect(model.fetchRequestTemplate(forName: "byperson") == nil)
    let open = try #require(model.fetchRequestTemplate(forName: "byPerson"))
    #expect(open.fetchLimit == 3 && open.entityName == "DVD")
    #expect(throws: (any Error).self) { try context.fetch(open) }
    let request = try #require(
      model.fetchRequestFromTemplate(
        withName: "byPerson", substitutionVariables: ["NAME": "ada", "RATING": NSNumber(value: 2)]))
    #expect(try (context.fetch(request) as? [DVD])?.map(\.title) == ["brazil", "Alien"])
  }

  @Test func `a request that is set as a template of a model is fetched from it`() throws {
    let old = stack.viewContext.persistentStoreCoordinator.model
    var model = old
    let owner = try #require(
      try context.fetch(Person.fetchRequest()).first { $0.username == "ada" })
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "DVD")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "owner == %@ AND title != %@", owner, "\"Alien\" \\ $T"),
      NSPredicate(format: "rating < $RATING"),
    ])
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
    request.fetchLimit = 2
    model.setFetchRequestTemplate(request, forName: "ofAda")
    // The template is the request as it was.
    request.fetchLimit = 1
    #expect(old.fetchRequestTemplate(forName: "ofAda") == nil && model.entities == old.entities)
    let made = try #require(
      model.fetchRequestFromTemplate(
        withName: "ofAda", substitutionVariables: ["RATING": 3]))
    #expect(try (context.fetch(made) as? [DVD])?.map(\.title) == ["Cube 10", "brazil"])
    model.setFetchRequestTemplate(nil, forName: "ofAda")
    #expect(model.fetchRequestTemplate(forName: "ofAda") == nil && model == old)
  }

  @Test func `a template is refused that would fetch something else than its request`() async {
    await #expect(processExitsWith: .failure) {
      var model = NSManagedObjectModel(entities: [])
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "DVD")
      request.fetchOffset = 1
      model.setFetchRequestTemplate(request, forName: "later")
    }
    await #expect(processExitsWith: .failure) {
      var model = NSManagedObjectModel(entities: [])
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "DVD")
      request.sortDescriptors = [
        NSSortDescriptor(key: "title", ascending: true, selector: .localizedStandardCompare)
      ]
      model.setFetchRequestTemplate(request, forName: "sorted")
    }
  }
}
