import Glibc
import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

@Suite struct ObjectTableTests {
  private static func id(_ key: Int64) -> ObjectID {
    ObjectID(storeIdentifier: "test", entityName: "Person", key: .integer(key))
  }

  private static func row(_ key: Int64, version: UInt64 = 0) -> RowSnapshot {
    RowSnapshot(id: id(key), version: version, values: [.string("P\(key)")])
  }

  private final class Log { var lines: [String] = [] }

  /// Logs what its context says about it while it is deallocated.
  private final class Curious: ManagedObject {
    var log: Log?

    deinit {
      log?.lines.append(self["name"].description)
      if let same = managedObjectContext?.registeredObject(for: objectID) {
        log?.lines.append(same === self ? "itself" : "another")
      }
    }
  }

  @Test func `of unsaved objects, the context knows which ones others reference`() throws {
    let context = makeContext()
    let held = try (0..<3).map { try context.make("Person", "held \($0)") }
    for number in 0..<100 { try context.make("Person", "P\(number)") }
    #expect(context.unsaved.referencedIDs() == Set(held.map(\.objectID)))
    #expect(try context.all("Person").count == 103)
    try context.save()
    #expect(try context.all("Person").count == 103)
    withExtendedLifetime(held) {}
  }

  @Test func `a fault takes less than 200 bytes`() throws {
    let context = makeContext()
    for number in 0..<3_000 { try context.make("Person", "P\(number)") }
    try context.save()
    context.reset()
    let faults = try context.all("Person")
    #expect(faults.count == 3_000 && faults.allSatisfy { $0.isFault && $0.record.object === $0 })
    // The table has at most three places for each object just after it has grown.
    let places = 3 * MemoryLayout<UnsafeRawPointer>.size
    #expect(try places + Self.allocation(faults) + Self.allocation(faults.map(\.record)) < 200)
  }

  /// The memory that the allocator uses for an instance, in bytes: many may have been given more,
  /// while other tests left pieces that are a little larger.
  private static func allocation(_ instances: [some AnyObject]) throws -> Int {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer) -> Int
    let symbol = try #require(dlsym(nil, "malloc_usable_size"))
    let usableSize = unsafeBitCast(symbol, to: UsableSize.self)
    let sizes = instances.map { usableSize(Unmanaged.passUnretained($0).toOpaque()) }
    return try #require(sizes.min()) + MemoryLayout<Int>.size
  }

  @Test func `an object may be asked for in its own deinit`() throws {
    let context = makeContext()
    try context.make("Person", "Ada")
    try context.save()
    context.register(Curious.self, forEntity: "Person")
    context.reset()
    let log = Log()
    for object in try context.all("Person") { (object as? Curious)?.log = log }
    #expect(log.lines == ["Ada", "itself"])
    #expect(try context.all("Person").map { $0["name"] } == ["Ada"])
  }

  @Test func `a fault that nobody references leaves nothing behind`() throws {
    let context = makeContext()
    for index in 0..<Int64(100) { _ = context.object(with: Self.id(index)) }
    #expect(context.objects.instances.isEmpty)
    #expect((0..<Int64(100)).allSatisfy { context.objects[Self.id($0)] == nil })
  }

  @Test func `instances of merged objects outlive one another`() throws {
    let context = makeContext(albumModel)
    context.mergePolicy = .mergeByPropertyObjectTrump
    let artist = try context.make("Artist", "Nina")
    func album() throws -> ManagedObject {
      let album = try context.insert(entityName: "Album")
      try album.setValue("Blue", forKey: "Title")
      try album.setObject(artist, forKey: "artist")
      return album
    }
    var first: ManagedObject? = try album()
    var second: ManagedObject? = try album()
    let third = try album()
    try context.save()
    let id = try #require(first?.objectID)
    #expect(!id.isTemporary)
    #expect(second?.objectID == id && third.objectID == id)
    first = nil
    #expect(second?["Title"] == "Blue")
    let known = context.object(with: id)
    #expect(known === second || known === third)
    second = nil
    try third.setValue("Red", forKey: "Title")
    try context.save()
    #expect(try context.all("Album").map { $0["Title"] } == ["Red"])
    #expect(third["Title"] == "Red")
  }

  @Test func `objects outlive their context`() throws {
    var context: ManagedObjectContext? = makeContext()
    let object = try #require(try context?.make("Person", "Ada"))
    let unread = context?.object(with: Self.id(7))
    context = nil
    #expect(object.managedObjectContext == nil && unread?.managedObjectContext == nil)
    #expect(object["name"].isNull && unread?.objectID == Self.id(7))
  }

  /// Random calls, beside a dictionary of what must be known.
  @Test(arguments: 0..<20) func `rows of referenced objects stay, others are bounded`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let context = makeContext()
    let capacity = 20
    let table = ObjectTable(rowCapacity: capacity)
    var held: [Int64: (instance: ManagedObject, record: ObjectRecord)] = [:]
    var rows: [Int64: UInt64] = [:]
    var staying: Set<Int64> = []
    for step in 0..<3_000 {
      let key = Int64.random(in: 0..<200, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        rows[key] = UInt64(step)
        table.keep(Self.row(key, version: UInt64(step)))
        if held[key] != nil { staying.insert(key) }
      case 4: if let row = table.row(of: Self.id(key)) { #expect(row.version == rows[key]) }
      case 5..<7:
        guard held[key] == nil, held.count < 50 else { break }
        let instance = ManagedObject(objectID: Self.id(key), context: context)
        let record = table.record(for: Self.id(key))
        record.add(instance)
        held[key] = (instance, record)
        if record.row != nil { staying.insert(key) }
      case 7:
        guard let last = held.removeValue(forKey: key) else { break }
        staying.remove(key)
        table.release(last.instance, of: last.record)
      case 8:
        rows[key] = nil
        staying.remove(key)
        table.evict(Self.id(key))
        #expect(!table.hasRow(Self.id(key)))
      default:
        guard Int.random(in: 0..<20, using: &random) == 0 else { break }
        let kept = key
        table.evict(except: { $0 == Self.id(kept) })
        rows = rows.filter { $0.key == kept }
        staying = staying.filter { $0 == kept }
      }
      for (key, last) in held {
        #expect(table[Self.id(key)] === last.record)
        #expect(!staying.contains(key) || last.record.row?.version == rows[key])
      }
      #expect(table.rowCount <= held.count + 2 * capacity)
      #expect(table.rowIDs.count == table.rowCount)
    }
    #expect(Set(table.instances.map(\.objectID)) == Set(held.keys.map(Self.id)))
    for (_, last) in held { table.release(last.instance, of: last.record) }
    #expect(table.instances.isEmpty)
  }
}
