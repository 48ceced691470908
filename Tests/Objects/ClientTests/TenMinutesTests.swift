import Cardfile
import TestSupport
import Testing

// The samples of the articles, in the order of “Ten minutes”. The target has an ordinary client's
// settings: Swift 6, and no upcoming feature.

// sample
final class Person: ManagedObject, EntityClass {
  static let username = AttributeKey<Person, String>("username")
  static let discs = RelationshipKey<Person, Set<Disc>>("discs")
  static let properties: Properties = [
    username, ToMany(discs, inverse: Disc.owner, deleteRule: .cascade),
  ]
}

final class Disc: ManagedObject, EntityClass {
  static let title = AttributeKey<Disc, String>("title")
  static let bought = AttributeKey<Disc, Date?>("bought")
  static let owner = RelationshipKey<Disc, Person?>("owner")
  static let properties: Properties = [title, bought, owner]
}
// end of sample

// sample
@MainActor final class DiscScreen: @MainActor FetchedResultsControllerDelegate {
  var titles: [String] = []

  func controller(
    _ controller: FetchedResultsController<Disc>, didChangeContent change: ResultsChange
  ) {
    titles = controller.fetchedObjects?.map { $0[Disc.title] } ?? []
  }
}
// end of sample

@MainActor
struct TenMinutesTests {
  @Test
  func `the samples of the articles do what they say`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("discs.sqlite")
    // sample
    let container = try PersistentContainer(path: path, entityClasses: [Person.self, Disc.self])
    let context = container.viewContext
    // end of sample

    // sample
    let ada = try Person.insert(into: context)
    ada[Person.username] = "ada"
    let alien = try Disc.insert(into: context)
    alien[Disc.title] = "Alien"
    alien[Disc.owner] = ada
    try context.save()
    // end of sample

    // sample
    let hers = try Disc.objects(
      where: Disc.owner.username == "ada" && Disc.title.contains("al", .cd),
      sortedBy: [Disc.title.ascending(by: .localized)], in: context)
    let collectors = try Person.objects(
      where: Person.discs.count > 0 && Person.discs.any.title == "Alien", in: context)
    // end of sample
    #expect(hers == [alien] && collectors == [ada])

    // sample
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<Disc>(sortDescriptors: [Disc.title.ascending]), context: context)
    try controller.performFetch()
    let observation = controller.observe { update in
      print("\(update.snapshot.count) discs, \(update.change.rowCount) rows changed")
    }
    // end of sample
    let screen = DiscScreen()
    controller.delegate = screen

    // sample
    let id = ada.objectID
    let count = try await container.perform { context in
      let owner = try Person.object(with: id, in: context)
      for title in ["Brazil", "Cube"] {
        let disc = try Disc.newObject(from: ["title": title], in: context)
        disc[Disc.owner] = owner
      }
      try context.save()
      return try context.count(for: FetchRequest<Disc>())
    }
    // end of sample
    #expect(count == 3)
    try await until { screen.titles.count == 3 }
    #expect(screen.titles == ["Alien", "Brazil", "Cube"])

    // sample
    var request = FetchRequest<Disc>(sortDescriptors: [Disc.title.ascending])
    request.prefetch(Disc.owner)
    let owners = try context.fetch(request).map { $0[Disc.owner]?[Person.username] }
    let titles = try context.fetchValues(Disc.title, request, returnsDistinctResults: true)
    // end of sample
    #expect(owners == ["ada", "ada", "ada"] && titles.count == 3)
    observation.cancel()
  }
}
