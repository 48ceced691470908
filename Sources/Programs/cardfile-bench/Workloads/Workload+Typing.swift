import FetchedResults
import Glibc
import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let letters = Workload(
    name: "letters",
    meaning: "the first matches after each of six letters that are typed into a list, together; "
      + "LIKE on the same columns, ordered, with a limit of 60",
    goal: .milliseconds(6 * 50)
  ) { setting in
    try measureTyping(setting, tail: "ORDER BY surname LIMIT 60") { $0.isShown }
  }

  static let typed = Workload(
    name: "typed",
    meaning: "the whole list after each of the six letters; LIKE on the same columns, ordered",
    goal: .milliseconds(6 * 500)
  ) { setting in
    try measureTyping(setting, tail: "ORDER BY surname") { $0.isShown && $0.isComplete }
  }

  /// Measures the letters of a word, each typed when what the last one shows is there.
  private static func measureTyping(
    _ setting: Setting, tail: String, until isDone: @escaping (TypedList) -> Bool
  ) throws -> Measurement {
    let list = try TypedList(SQLiteStore.open(path: setting.path))
    let database = try RawDatabase(path: setting.path)
    let columns = PeopleDatabase.columns.filter { $0 != "born" }
    return try Measurement(
      setting,
      ours: {
        for count in 1...TypedList.word.count {
          try list.type(TypedList.word.prefix(count))
          while !isDone(list) { list.poll() }
        }
      },
      raw: {
        for count in 1...TypedList.word.count {
          let word = TypedList.word.prefix(count)
          let condition = columns.map { "\($0) LIKE '%\(word)%'" }.joined(separator: " OR ")
          try readIDs(database, "WHERE \(condition) \(tail)")
        }
      },
      reset: {
        try list.type("")
        while !(list.isShown && list.isComplete) { list.poll() }
      })
  }
}

/// A list of all people by their surnames, which no index has, and what is typed into it.
private final class TypedList {
  static let word = "coffee"

  private let controller: FetchedResultsController<ManagedObject>
  private let entity: EntityDescription

  init(_ store: SQLiteStore) throws {
    entity = try Workload.people(in: store)
    controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: entity.name,
        sortDescriptors: [FetchSortDescriptor("surname", comparison: .localized)]),
      context: ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)),
      sectionKey: SectionKey("surname", .initial))
    // As a list is opened on the screen.
    try controller.performFetch(firstScreen: 60) {}
    while !isComplete { poll() }
  }

  /// Whether the last request is shown, at least its first rows.
  var isShown: Bool { controller.displayedRequest == controller.request }
  var isComplete: Bool { controller.fetchState == .complete }

  func type(_ text: some StringProtocol) throws {
    var request = controller.request
    request.fetchRequest.predicate =
      text.isEmpty
      ? nil
      : .words(
        String(text), in: entity, attributes: PeopleDatabase.columns.filter { $0 != "born" })
    try controller.set(request, firstScreen: 60) {}
  }

  func poll() { if !controller.takeBackgroundResults() { usleep(100) } }
}
