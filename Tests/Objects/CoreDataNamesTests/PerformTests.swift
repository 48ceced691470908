import CoreDataNames
import Testing

/// Closures that a context performs.
struct PerformTests {
  private static let model = NSManagedObjectModel { Entity("Thing") { Attribute("text", .string) } }
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }

  init() throws {
    container = NSPersistentContainer(name: "things", managedObjectModel: Self.model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    try container.load()
  }

  final class Order { var numbers: [Int] = [] }

  private func add(_ numbers: Int..., to order: Order) {
    for number in numbers { context.perform { order.numbers.append(number) } }
    context.performAndWait { order.numbers.append(0) }
  }

  @Test func `perform returns first, performAndWait last, and what waits runs in order`() async {
    let order = Order()
    add(1, 2, to: order)
    #expect(order.numbers == [0])
    await context.perform { order.numbers.append(3) }
    #expect(order.numbers == [0, 1, 2, 3])
    add(4, to: order)
    await context.perform(schedule: .enqueued) {}
    #expect(order.numbers == [0, 1, 2, 3, 0, 4])
  }

  @Test func `a closure runs by itself in a later task of the main actor`() async {
    await withCheckedContinuation { continuation in
      later { continuation.resume() }
    }
  }

  private func later(_ block: @escaping () -> Void) {
    context.perform {
      MainActor.assertIsolated()
      block()
    }
  }

  @Test func `closures return values and throw errors`() async throws {
    struct Failure: Error {}
    #expect(context.performAndWait { 1 } == 1)
    #expect(await context.perform { 2 } == 2)
    #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
    await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
  }

  @Test func `changes are processed at the end of the outermost closure`() async throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
    try controller.performFetch()
    var counts: [Int?] = []
    func insert() {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
    }
    context.performAndWait {
      context.performAndWait { insert() }
      counts.append(controller.fetchedObjects?.count)
      insert()
    }
    counts.append(controller.fetchedObjects?.count)
    await context.perform { insert() }
    counts.append(controller.fetchedObjects?.count)
    struct Failure: Error {}
    try? context.performAndWait {
      insert()
      throw Failure()
    }
    counts.append(controller.fetchedObjects?.count)
    #expect(counts == [0, 2, 3, 4])
  }

  @Test func `off the actors a context has a queue of its own`() async {
    let numbers = await Self.numbersOnQueue(container)
    #expect(numbers == [1, 2, 3, 4])
  }

  nonisolated private static func numbersOnQueue(_ container: NSPersistentContainer) async
    -> [Int]
  {
    let context = container.newBackgroundContext()
    let order = Queued()
    order.run(in: context)
    return order.numbers
  }

  /// Without an actor.
  nonisolated final class Queued {
    var numbers: [Int] = []

    func run(in context: NSManagedObjectContext) {
      context.perform { self.numbers.append(1) }
      context.perform {
        context.performAndWait { self.numbers.append(2) }
        self.numbers.append(3)
      }
      context.performAndWait { numbers.append(4) }
    }
  }

  @Test func `work in the background performs closures inside of it at once`() async throws {
    let count = try await container.performBackgroundTask { context in
      context.performAndWait {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      }
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    }
    #expect(count == 1)
  }
}
