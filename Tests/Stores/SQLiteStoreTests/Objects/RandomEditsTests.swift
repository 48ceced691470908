import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

/// Random edits, links, deletions, undo, redo and saves of one context, and saves of another in
/// between, compared with a naive model after every step.
@Suite struct RandomEditsTests {
  private static let model = ManagedObjectModel {
    Entity("Owner") {
      Attribute("name", .string)
      Attribute("note", .string)
      ToMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)
      ToMany("tags", "Tag", inverse: "owners")
    }
    Entity("Pet") {
      Attribute("name", .string)
      Attribute("note", .string)
      ToOne("owner", "Owner", inverse: "pets")
    }
    Entity("Tag") {
      Attribute("name", .string)
      Attribute("note", .string)
      ToMany("owners", "Owner", inverse: "tags")
    }
  }

  /// An object of the naive model.
  private struct Thing: Hashable {
    let entity: String
    var name = ""
    var note = ""
    var owner: Int?
    var tags: Set<Int> = []
  }

  /// The state that the context must show, by number of the object.
  private typealias World = [Int: Thing]

  /// A naive undo: the objects that a step changed, before and after, without the notes, which
  /// only the other context changes.
  private struct Step {
    let before: World
    let after: World
  }

  /// What runs: a context, another one, and the naive model.
  private struct Run {
    let store: ObjectStore
    let context: ManagedObjectContext
    let other: ManagedObjectContext
    var objects: [Int: ManagedObject] = [:]
    var world: World = [:]
    var undo: [Step] = []
    var redo: [Step] = []
    var saved: World = [:]
    var generator: SeededGenerator

    init(_ kind: TestedStore, seed: UInt64) throws {
      store = try ObjectStore(kind, RandomEditsTests.model)
      (context, other) = (store.context(), store.context())
      generator = SeededGenerator(seed: seed)
    }

    mutating func random(_ entity: String) -> Int? {
      world.filter { $0.value.entity == entity }.keys.sorted().randomElement(using: &generator)
    }

    mutating func step() throws {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<9:
        let before = world
        // Never without effect, so that it is a step of the undo history.
        try insert()
        for _ in 0..<Int.random(in: 0...3, using: &generator) { try edit() }
        context.processPendingChanges()
        undo.append(Step(before: before, after: world))
        redo = []
      case 9..<12:
        let before = world
        guard try delete() else { return }
        context.processPendingChanges()
        undo.append(Step(before: before, after: world))
        redo = []
      case 12..<14:
        guard let step = undo.popLast() else { return }
        let before = world
        context.undoHistory.undo()
        revert(to: step.before, from: step.after)
        redo.append(Step(before: world, after: before))
      case 14:
        guard let step = redo.popLast() else { return }
        let before = world
        context.undoHistory.redo()
        revert(to: step.after, from: step.before)
        undo.append(Step(before: before, after: world))
      case 15..<18:
        try context.save()
        saved = world
        let stored = try RandomEditsTests.picture(store.context())
        #expect(stored == RandomEditsTests.picture(world))
      default: try editElsewhere()
      }
    }

    /// Takes over what a step changed; the notes of objects that stay are as they are now.
    private mutating func revert(to target: World, from source: World) {
      for number in Set(target.keys).union(source.keys) where target[number] != source[number] {
        var thing = target[number]
        if let note = world[number]?.note { thing?.note = note }
        world[number] = thing
      }
    }

    private mutating func insert() throws {
      let entity = ["Owner", "Pet", "Tag"].randomElement(using: &generator) ?? "Pet"
      let number = objects.count
      objects[number] = try context.make(entity, "\(number)")
      world[number] = Thing(entity: entity, name: "\(number)")
    }

    /// Deletes an object, and what its rule says; false if the store has no objects.
    private mutating func delete() throws -> Bool {
      guard let number = world.keys.sorted().randomElement(using: &generator),
        let object = objects[number]
      else { return false }
      try context.delete(object)
      var gone: Set = [number]
      gone.formUnion(world.filter { $0.value.owner == number }.keys)
      for number in gone { world[number] = nil }
      for number in world.keys { world[number]?.tags.subtract(gone) }
      return true
    }

    private mutating func edit() throws {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0..<2:
        guard let number = world.keys.sorted().randomElement(using: &generator) else { return }
        let name = "\(number) \(Int.random(in: 0..<99, using: &generator))"
        objects[number]?["name"] = .string(name)
        world[number]?.name = name
      case 2..<4:
        guard let pet = random("Pet") else { return }
        let owner = Bool.random(using: &generator) ? random("Owner") : nil
        if let owner, Bool.random(using: &generator), let object = objects[pet] {
          try objects[owner]?.add(object, forKey: "pets")
        } else {
          try objects[pet]?.setObject(owner.flatMap { objects[$0] }, forKey: "owner")
        }
        world[pet]?.owner = owner
      default:
        guard let owner = random("Owner"), let tag = random("Tag"), let object = objects[tag] else {
          return
        }
        if world[owner]?.tags.contains(tag) == true {
          try objects[owner]?.remove(object, forKey: "tags")
          world[owner]?.tags.remove(tag)
        } else {
          try objects[owner]?.add(object, forKey: "tags")
          world[owner]?.tags.insert(tag)
        }
      }
    }

    /// Changes notes in the other context and saves them, of objects that are saved and that this
    /// context keeps.
    private mutating func editElsewhere() throws {
      other.processPendingChanges()
      for number in saved.keys.sorted() where world[number] != nil {
        guard Bool.random(using: &generator), let object = objects[number],
          !object.objectID.isTemporary, !object.isInserted
        else { continue }
        let note = "note \(Int.random(in: 0..<99, using: &generator))"
        other.object(with: object.objectID)["note"] = .string(note)
        world[number]?.note = note
        saved[number]?.note = note
      }
      try other.save()
      context.processPendingChanges()
    }
  }

  private static func picture(_ world: World) -> [String] {
    world.values.map { thing in
      let owner = thing.owner.flatMap { world[$0]?.name } ?? "-"
      let tags = thing.tags.compactMap { world[$0]?.name }.sorted()
      return "\(thing.entity) \(thing.name) \(thing.note) \(owner) \(tags)"
    }.sorted()
  }

  private static func picture(_ context: ManagedObjectContext) throws -> [String] {
    try ["Owner", "Pet", "Tag"].flatMap { entity in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).map { object in
        let owner = object.object(forKey: "owner")?.string("name") ?? "-"
        let tags = context.names(object, "tags").sorted()
        if entity == "Owner" {
          let pets = try context.names("Pet", where: "owner == %@", object.objectID)
          #expect(context.names(object, "pets").sorted() == pets)
        }
        return "\(entity) \(object.string("name")) \(object.string("note")) \(owner) \(tags)"
      }
    }.sorted()
  }

  @Test(arguments: TestedStore.allCases, 1...4 as ClosedRange<UInt64>)
  func `a context shows and saves what a naive model says`(kind: TestedStore, seed: UInt64)
    throws
  {
    var run = try Run(kind, seed: seed)
    for step in 0..<80 {
      try run.step()
      let (shown, expected) = (try Self.picture(run.context), Self.picture(run.world))
      #expect(shown == expected, "step \(step)")
      if shown != expected { return }
    }
    #expect(run.context.conflicts.isEmpty)
  }
}
