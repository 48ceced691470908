import ManagedObjects
import ObjectModel
import TerminalKit
import Testing

@testable import ListProviders

/// People and their DVDs, in an in-memory store.
@MainActor
struct Collection {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "DVD",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("year", .integer64),
      ],
      relationships: [RelationshipDescription("owner", to: "Person", inverse: "dvds")]),
    EntityDescription(
      name: "Person", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription(
          "dvds", to: "DVD", inverse: "owner", isToMany: true, deleteRule: .deny)
      ]),
  ])

  let store = InMemoryStore(model: model, identifier: "S")
  let context: ManagedObjectContext
  let table = TableView()
  let delegate = ClosureDelegate()
  var size = Size(width: 24, height: 6)

  /// Inserts and saves DVDs with the given titles; "Alien 1979" has a year.
  init(_ titles: String...) throws {
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for title in titles { try add(title) }
    try context.save()
  }

  @discardableResult
  func add(_ title: String) throws -> ManagedObject {
    let dvd = try context.insert(entityName: "DVD")
    let words = title.split(separator: " ")
    if words.count > 1, let year = words.last.flatMap({ Int64($0) }) {
      dvd["title"] = .string(words.dropLast().joined(separator: " "))
      dvd["year"] = .integer(year)
    } else {
      dvd["title"] = .string(title)
    }
    return dvd
  }

  func dvd(_ title: String) throws -> ManagedObject {
    let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "DVD"))
    return try #require(all.first { $0["title"] == .string(title) })
  }

  /// Makes a provider of DVDs with the collection's delegate, attaches it and fetches.
  func provider(
    _ setUp: (TableViewProvider<ManagedObject>) -> Void = { _ in }
  ) -> TableViewProvider<ManagedObject> {
    let provider = TableViewProvider<ManagedObject>(
      entityName: "DVD", displayAttributeName: "title", context: context)
    provider.delegate = delegate
    setUp(provider)
    provider.attach(to: table)
    provider.performFetchAndReloadTableView()
    return provider
  }

  /// A context that acts as another process: `context` is not notified of its saves.
  func stranger() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
  }

  func process() { context.processPendingChanges() }

  /// The table as text.
  func picture() -> String {
    var canvas = Canvas(size: size)
    table.draw(in: &canvas)
    var lines = canvas.lines
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}

func expectPicture(
  _ picture: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(picture == expected, sourceLocation: sourceLocation)
}
