import FetchedResults
import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// A list beside another program that inserts, changes and deletes its rows at random.
struct ForeignListTests {
  private static let requests: [(order: String, ascending: Bool, section: Bool, filter: String?)] =
    [
      ("name", true, true, nil), ("name", false, false, nil), ("name", true, true, "size > 3"),
      ("id", true, false, nil), ("size", true, false, nil),
    ]

  @Test(arguments: requests.indices, ["DELETE", "WAL"])
  func `follows every commit, and no row is a mixture of two`(_ number: Int, _ journal: String)
    throws
  {
    var generator = SeededGenerator(seed: UInt64(number))
    // Long lists are read and compared instead of sorted again.
    let isLong = number < 2 && journal == "WAL"
    var items = ForeignItems(count: isLong ? 20_400 : 900, using: &generator)
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(journal); \(items.creation)")
    let store = try database.open(.init(busyTimeout: 10))
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: store), rowCapacity: 100)
    let (order, ascending, isSectioned, filter) = Self.requests[number]
    let comparison = order == "name" ? FetchSortDescriptor.Comparison.localized : .binary
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "item", predicate: try filter.map { try FetchPredicate(format: $0) },
        sortDescriptors: [.init(order, ascending: ascending, comparison: comparison)]),
      context: context, sectionKey: isSectioned ? SectionKey("name", .initial) : nil)
    try controller.performFetch(firstScreen: 40) {}
    try settle(controller, store)
    for _ in 0..<(isLong ? 12 : 30) {
      let statements = (0..<generator.pick([1, 1, 2, 4])).map { _ in
        items.change(using: &generator)
      }
      let writer = try database.connect(busyTimeout: 10)
      try writer.write { try $0.execute(sql: statements.joined(separator: ";")) }
      if !generator.chance(oneIn: 5) { try context.refreshFromStore() }
      expectRows(of: controller, in: items)
      if generator.chance(oneIn: 2) { controller.takeBackgroundResults() }
      expectRows(of: controller, in: items)
      if generator.chance(oneIn: 6) {
        try context.refreshFromStore()
        try settle(controller, store)
        expectRows(of: controller, in: items)
      }
    }
    try context.refreshFromStore()
    try settle(controller, store)
  }

  /// Waits until the list is that of the store.
  private func settle(_ controller: FetchedResultsController<ManagedObject>, _ store: SQLiteStore)
    throws
  {
    let plan = try controller.request.plan(in: store.model)
    let expected = ResultsSections(
      try store.fetch(plan, control: nil), isSectioned: plan.sectionKey != nil)
    let end = ContinuousClock.now + .seconds(60)
    while controller.results != expected || controller.fetchState != .complete, .now < end {
      if !controller.takeBackgroundResults() { usleep(500) }
    }
    #expect(controller.results == expected)
  }

  /// Expects that every row of the first screen is one that the other program wrote.
  private func expectRows(
    of controller: FetchedResultsController<ManagedObject>, in items: ForeignItems
  ) {
    var seen: Set<ObjectID> = []
    let first = controller.fetchedObjects.map { Array($0.prefix(30)) } ?? []
    for object in first where object.isAccessible {
      let row = "\(object.string("name")) \(object.string("city"))"
      #expect(items.versions[object.objectID.key]?.contains(row) == true, "\(row)")
      #expect(seen.insert(object.objectID).inserted, "\(row) is there twice")
    }
  }
}

/// Rows as another program changes them, with all versions that each has had.
private struct ForeignItems {
  private(set) var versions: [ObjectKey: Set<String>] = [:]
  private var keys: [Int64] = []
  private let widest: Int64
  private var version = 0

  init(count: Int, using generator: inout SeededGenerator) {
    widest = Int64(count) * 3
    keys = (1...Int64(count)).map { $0 * 3 }
    rows = keys.map { values(of: $0, using: &generator) }
  }

  private var rows: [String] = []

  /// The statements that create the table.
  var creation: String {
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, city TEXT, size INTEGER);"
      + "INSERT INTO item VALUES \(rows.map { "(\($0))" }.joined(separator: ", "));"
  }

  /// Changes, inserts or deletes a row.
  ///
  /// - Returns: The statement.
  mutating func change(using generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      let index = Int.random(in: keys.indices, using: &generator)
      return "DELETE FROM item WHERE id = \(keys.remove(at: index))"
    case 1:
      let other = Int64.random(in: 1...widest, using: &generator)
      let key = generator.pick([(keys.max() ?? 0) + 1, other])
      if !keys.contains(key) { keys.append(key) }
      return "INSERT OR REPLACE INTO item VALUES (\(values(of: key, using: &generator)))"
    default:
      let key = generator.pick(keys)
      return "REPLACE INTO item VALUES (\(values(of: key, using: &generator)))"
    }
  }

  /// New values of a row: its name and its city have the same number.
  private mutating func values(of key: Int64, using generator: inout SeededGenerator) -> String {
    version += 1
    let initial = generator.pick(["A", "a", "É", "e", "m", "Z", "ø", "9", "-"])
    let city = "v\(version)"
    let name = "\(initial)\(Int.random(in: 0..<90, using: &generator)) \(city)"
    versions[.integer(key), default: []].insert("\(name) \(city)")
    return "\(key), '\(name)', '\(city)', \(Int.random(in: 0..<9, using: &generator))"
  }
}
