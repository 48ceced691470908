import Foundation
import ManagedObjects
import ObjectModel
import TestSupport

/// A context that saves random changes while others do, and writes down what it has saved.
///
/// Every value that it sets is a text that is used once, so that the store's log says whose it is.
struct ConcurrentWriter {
  /// What a save was to write.
  struct Work: Codable {
    struct Assignment: Codable {
      let number: Int64
      let key: String
      /// The value that it replaces, as the writer saw it.
      let base: String?
      var value: String
    }

    var assignments: [Assignment] = []
    var inserted: [Int64] = []
    var deleted: [Int64] = []
    /// The objects whose relationship `next` was set.
    var relinked: [Int64] = []
    /// Why it was not written; nil if it was.
    var refusal: String?
  }

  let context: ManagedObjectContext
  private let name: Int
  /// Makes changes of the objects of a random model; nil for items.
  private var editor: RandomEditor?
  private var random: SeededGenerator
  private var count = 0
  private var work = Work()
  private(set) var works: [Work] = []

  /// - Parameters:
  ///   - name: A number of its own.
  ///   - model: A random model; nil for items.
  init(_ context: ManagedObjectContext, name: Int, seed: UInt64, model: RandomModel?) {
    (self.context, self.name) = (context, name)
    editor = model.map { RandomEditor($0, context, prefix: "\(name).") }
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(name))
  }

  /// Makes some changes and saves them.
  ///
  /// - Parameter readsOthers: Whether it looks at times for what other processes have saved.
  mutating func save(readsOthers: Bool) throws {
    work = Work()
    do {
      for _ in 0...Int.random(in: 0..<3, using: &random) { try change() }
      if random.chance(oneIn: 4) { context.processPendingChanges() }
      if readsOthers, random.chance(oneIn: 8) { try context.refreshFromStore() }
      if random.chance(oneIn: 4) { try change() }
      try context.save()
    } catch let error as ManagedObjectError {
      // An object that was just listed may be gone when it is read.
      work.refusal = error.storeError.map { "\($0.reason)" } ?? "\(error.reason)"
      context.rollback()
      if readsOthers { try context.refreshFromStore() }
    }
    works.append(work)
  }

  private mutating func change() throws {
    if editor != nil {
      if random.chance(oneIn: 8) { context.undoHistory.undo() }
      _ = try editor?.change(using: &random)
      return
    }
    let items = try context.all("Item")
    guard items.count > 4, !random.chance(oneIn: 12) else { return try insert() }
    let item = random.pick(items)
    // The other process may have deleted it since it was listed.
    guard Self.number(item) >= 0 else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where items.count > 12: try delete(item)
    case 1:
      work.relinked.append(Self.number(item))
      try item.setObject(random.chance(oneIn: 4) ? nil : random.pick(items), forKey: "next")
    case 2: try item.add(random.pick(items), forKey: "friends")
    case 3:
      guard let friend = item.objects(forKey: "friends").first else { return }
      try item.remove(friend, forKey: "friends")
    default: try assign(random.pick(ConcurrentStore.keys), of: item)
    }
  }

  private mutating func insert() throws {
    count += 1
    let number = Int64(name * 1_000_000 + count)
    try context.insert(entityName: "Item").setValue(.integer(number), forKey: "number")
    work.inserted.append(number)
  }

  private mutating func delete(_ item: ManagedObject) throws {
    let number = Self.number(item)
    work.assignments.removeAll { $0.number == number }
    if work.inserted.contains(number) {
      work.inserted.removeAll { $0 == number }
    } else {
      work.deleted.append(number)
    }
    try context.delete(item)
  }

  private mutating func assign(_ key: String, of item: ManagedObject) throws {
    count += 1
    let (number, value) = (Self.number(item), "\(name).\(works.count).\(count)")
    let base = item[key].isNull ? nil : item[key].description
    try item.setValue(.string(value), forKey: key)
    if let index = work.assignments.firstIndex(where: { $0.number == number && $0.key == key }) {
      work.assignments[index].value = value
    } else {
      work.assignments.append(
        Work.Assignment(number: number, key: key, base: base, value: value))
    }
  }

  private static func number(_ item: ManagedObject) -> Int64 {
    guard case .integer(let number) = item["number"] else { return -1 }
    return number
  }
}
