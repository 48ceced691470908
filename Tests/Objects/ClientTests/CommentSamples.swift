import Cardfile
import Synchronization

// The examples in the comments of the libraries. They compile; the articles' run.

enum AttributeValueSample {
  // sample
  enum Format: String, AttributeValue {
    case dvd, bluRay
    static let missingValue = Format.dvd
  }
  // end of sample
}

enum ManagedObjectSample {
  // sample
  final class Person: ManagedObject, EntityClass {
    static let entityName = "Person"
    static let name = AttributeKey<Person, String>("name")
    var name: String {
      get { self[Person.name] }
      set { self[Person.name] = newValue }
    }
  }
  // end of sample
}

enum AttributeKeySample {
  // sample
  final class Person: ManagedObject, EntityClass {
    static let entityName = "Person"
    static let name = AttributeKey<Person, String>("name")
  }
  // end of sample

  static func use(_ person: Person) -> FetchRequest<Person> {
    // sample
    person[Person.name] = "Ada"
    let request = FetchRequest<Person>(
      predicate: Person.name == "Ada", sortDescriptors: [Person.name.ascending])
    // end of sample
    return request
  }
}

enum RelationshipKeySample {
  // sample
  final class Disc: ManagedObject, EntityClass {
    static let entityName = "Disc"
    static let title = AttributeKey<Disc, String>("title")
    static let owner = RelationshipKey<Disc, Person?>("owner")
  }
  // end of sample

  final class Person: ManagedObject, EntityClass {
    static let entityName = "Person"
    static let username = AttributeKey<Person, String>("username")
    static let discs = RelationshipKey<Person, Set<Disc>>("discs")
  }

  static func use(_ disc: Disc, _ ada: Person) -> [FetchPredicate] {
    // sample
    disc[Disc.owner] = ada
    let predicates = [
      Disc.owner == ada,
      Disc.owner.username == "ada",  // a key path through typed keys
      Person.discs.any.title == "Alien",  // ANY discs.title == "Alien"
      Person.discs.count > 3,
    ]
    // end of sample
    return predicates
  }
}

enum EntityClassSample {
  // sample
  final class Person: ManagedObject, EntityClass {
    static let username = AttributeKey<Person, String>("username")
    static let name = AttributeKey<Person, String?>("name")
    static let dvds = RelationshipKey<Person, Set<DVD>>("dvds")
    static let properties: Properties = [
      Attribute(username, isUnique: true), name,
      ToMany(dvds, inverse: DVD.owner, deleteRule: .cascade),
    ]
  }
  // end of sample

  final class DVD: ManagedObject, EntityClass {
    static let owner = RelationshipKey<DVD, Person?>("owner")
    static let properties: Properties = [owner]
  }

  static func make() throws -> ManagedObjectModel {
    // sample
    let model = try ManagedObjectModel(Person.self, DVD.self)
    // end of sample
    return model
  }
}

enum FetchedPropertySample {
  // sample
  final class Person: ManagedObject, EntityClass {
    static let name = AttributeKey<Person, String>("name")
    static let namesakes = FetchedPropertyKey<Person, Person>("namesakes")
    static let properties: Properties = [
      name,
      FetchedProperty(
        namesakes, predicate: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE",
        sortedBy: [.init("name")]),
    ]
    var namesakes: [Person] { self[Person.namesakes] }
  }
  // end of sample
}

enum TransformableSample {
  // sample
  struct Address: Codable, Hashable {
    var street: String
    var city: String
  }
  // end of sample

  // sample
  final class Person: ManagedObject, EntityClass {
    static let address = TransformableKey<Person, Address>("address")
    static let properties: Properties = [address]
  }
  // end of sample
}

enum ModelSample {
  static func make() -> ManagedObjectModel {
    // sample
    let model = ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string, isOptional: false)
        ToMany("dvds", "DVD", inverse: "owner", deleteRule: .cascade)
      }
      Entity("DVD") {
        Attribute("title", .string)
        ToOne("owner", "Person", inverse: "dvds")
      }
    }
    // end of sample
    return model
  }
}

@MainActor
enum ContainerSample {
  static func open() async throws -> ([Person], Int) {
    // sample
    let container = try PersistentContainer("discs", entityClasses: [Person.self, Disc.self])
    let people = try container.viewContext.fetch(Person.fetchRequest())
    let count = try await container.perform { context in
      try Disc.newObject(from: ["title": "Alien"], in: context)
      try context.save()
      return try context.count(for: Disc.fetchRequest())
    }
    // end of sample
    return (people, count)
  }

  static func factory() throws -> ManagedObjectContext {
    // sample
    let context = try StackFactory().managedObjectContext
    // end of sample
    return context
  }
}

@MainActor
enum ListSample {
  final class Screen {
    func apply(_ update: ResultsUpdate) {}
  }

  static func follow(_ controller: FetchedResultsController<Disc>, _ screen: Screen) async {
    // sample
    for await update in controller.updates { screen.apply(update) }
    // end of sample
  }

  static func show(
    in tableView: TableView, _ context: ManagedObjectContext
  ) -> TableViewProvider<Event> {
    // sample
    let provider = TableViewProvider<Event>(display: Event.timeStamp, context: context)
    provider.attach(to: tableView)
    provider.performFetchAndReloadTableView()
    // end of sample
    return provider
  }
}

enum GroupingSample {
  static func fetch(in context: ManagedObjectContext) throws -> [[String: Value]] {
    // sample
    let rows = try context.fetchDictionaries(
      Disc.fetchRequest(),
      expressions: [.count(name: "discs"), .max(Disc.bought, name: "last")],
      propertiesToGroupBy: ["owner.username"],
      havingPredicate: FetchPredicate(format: "$discs > 3"))
    // end of sample
    return rows
  }
}

enum ForwardingStoreSample {
  // sample
  final class CountingStore: ForwardingStore {
    let base: any PersistentStore
    let fetches = Atomic(0)
    init(_ base: any PersistentStore) { self.base = base }
    func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
      fetches.add(1, ordering: .relaxed)
      return try base.fetch(plan, control: control)
    }
  }
  // end of sample
}

enum FetchTemplateSample {
  static func template() -> FetchTemplate {
    // sample
    FetchTemplate("byTitle", predicate: "title BEGINSWITH[c] $START", sortedBy: [.init("title")])
    // end of sample
  }
}

enum ValidationSample {
  struct NotBornYet: Error {}

  final class Person: ManagedObject, EntityClass {
    static let entityName = "Person"
    static let age = AttributeKey<Person, Int?>("age")

    // sample
    override func validate(_ value: Value, forKey key: String) throws {
      if key == Person.age.name, value == 0 { throw NotBornYet() }
    }
    // end of sample
  }
}
