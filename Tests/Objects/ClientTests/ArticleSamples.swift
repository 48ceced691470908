import Cardfile
import TestSupport
import Testing

// Samples of “Models and classes”, “Threads” and “The terminal”.

// sample
final class Track: ManagedObject, EntityClass {
  static let isrc = AttributeKey<Track, String>("isrc")
  static let title = AttributeKey<Track, String?>("title")
  static let properties: Properties = [Attribute(isrc, isUnique: true), title]
  static var uniqueIdentifier: String { isrc.name }
  static var shouldAutoGenerateGloballyUniqueIdentifiers: Bool { false }
}
// end of sample

// sample
final class TrackList: ListScreen<Track>, TableViewProviderDelegate {
  init(context: ManagedObjectContext) {
    let provider = TableViewProvider<Track>(display: Track.title, context: context)
    super.init(title: "Tracks", provider: provider)
    provider.delegate = self
    tableView.columns = [
      TableColumn("Title", sorting: .ascending), TableColumn("ISRC", isWhole: true),
    ]
  }

  func provider(
    _ provider: TableViewProvider<Track>, configureCell cell: inout TableCell, for track: Track
  ) {
    let texts = [track[Track.title] ?? "", track[Track.isrc]]
    cell = TableCell(fields: texts.map { TableCell.Field($0) }, flag: cell.flag)
  }
}
// end of sample

@MainActor
struct ArticleSamples {
  @Test func `a list has columns`() throws {
    let context = try PersistentContainer(inMemory: Track.self).viewContext
    try Track.upsert(from: ["isrc": "USRC17607839", "title": "Yesterday"], in: context)
    try Track.upsert(from: ["isrc": "GBAYE0601477", "title": "Help!"], in: context, saves: true)
    let terminal = RecordingTerminal(size: Size(width: 40, height: 10))
    terminal.type("q")
    #expect(Application(TrackList(context: context), terminal: terminal).run() == 0)
    let words = terminal.screen?.lines.map { $0.split(separator: " ").joined(separator: " ") } ?? []
    let titles = try #require(words.firstIndex { $0.hasPrefix("Title") && $0.hasSuffix("ISRC") })
    #expect(words[titles + 1].hasSuffix("Help! GBAYE0601477"), "\(words)")
    #expect(words[titles + 2].hasSuffix("Yesterday USRC17607839"), "\(words)")
  }

  @Test func `an object with an identifier is updated, or inserted`() throws {
    let container = try PersistentContainer(inMemory: Track.self)
    let context = container.viewContext
    let before = try Track.insert(into: context)
    before[Track.isrc] = "GBAYE0601477"
    try context.save()
    // sample
    let track = try Track.upsert(
      from: ["isrc": "GBAYE0601477", "title": "Yesterday"], in: context, saves: true)
    let first = try context.fetchOne(
      FetchRequest<Track>(sortDescriptors: [Track.title.ascending]))
    // end of sample
    #expect(track === before && first === before)
    #expect(before[Track.title] == "Yesterday")
    try Track.upsert(from: ["isrc": "USRC17607839"], in: context)
    #expect(try context.count(for: Track.fetchRequest()) == 2)
  }

  @Test func `a list is fetched in the background, and says how far it is`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tracks.sqlite")
    let context = try PersistentContainer(path: path, entityClasses: [Track.self]).viewContext
    for number in 1...300 { try Track.upsert(from: ["isrc": "\(number)"], in: context) }
    try context.save()
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<Track>(sortDescriptors: [Track.isrc.ascending]),
      context: context)
    let results = AsyncStream.makeStream(of: Void.self)
    // sample
    func show() {
      switch controller.fetchState {
      case .notFetched: print("nothing yet")
      case .partial(let completed, let total): print("\(completed) of \(total) rows")
      case .complete: print("\(controller.count) rows")
      }
    }
    try controller.performFetchInBackground { results.continuation.yield() }
    show()
    for await _ in results.stream where controller.takeBackgroundResults() {
      show()
      if controller.fetchState == .complete { break }
    }
    // end of sample
    #expect(controller.count == 300)
  }

  @Test func `a context takes over what another program has saved`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tracks.sqlite")
    let container = try PersistentContainer(path: path, entityClasses: [Track.self])
    let context = container.viewContext
    let track = try Track.upsert(from: ["isrc": "GBAYE0601477"], in: context, saves: true)
    let other = try PersistentContainer(path: path, entityClasses: [Track.self])
    try await other.perform { context in
      try Track.upsert(from: ["isrc": "GBAYE0601477", "title": "Help!"], in: context, saves: true)
      return
    }
    // sample
    if let change = try context.refreshFromStore() {
      print("\(change.refreshed.count) rows have changed")
    }
    // end of sample
    #expect(track[Track.title] == "Help!")
  }
}
