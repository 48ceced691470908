import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

/// Random changes of random objects: undo restores the state before, and a save writes what the
/// context shows.
struct UndoPropertyTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `undo and redo restore every state, across saves`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let context = makeContext()
    var work = RandomWork(context: context)
    var pictures = [try context.picture()]
    for _ in 0..<25 {
      try work.step(using: &random)
      context.processPendingChanges()
      let picture = try context.picture()
      // A step without changes leaves no group to undo.
      if context.undoHistory.undoActionName.isEmpty, picture == pictures.last { continue }
      if picture != pictures.last { pictures.append(picture) }
      if Int.random(in: 0..<4, using: &random) == 0 { try saveIfAllowed(context) }
    }
    for _ in 0..<2 {
      try walk(context, pictures.reversed(), &random) { context.undoHistory.undo() != nil }
      #expect(!context.undoHistory.canUndo)
      try walk(context, pictures, &random) { context.undoHistory.redo() != nil }
      #expect(!context.undoHistory.canRedo)
    }
  }

  /// Undoes or redoes through the states; a group may lead from a state to an equal one.
  private func walk(
    _ context: ManagedObjectContext, _ pictures: [String], _ random: inout SeededGenerator,
    _ step: () -> Bool
  ) throws {
    var expected = pictures[...]
    #expect(try context.picture() == expected.first)
    while step() {
      let picture = try context.picture()
      if picture == expected.first { continue }
      expected = expected.dropFirst()
      try #require(picture == expected.first)
      if Int.random(in: 0..<4, using: &random) == 0 { try saveIfAllowed(context) }
    }
    #expect(expected.count == 1)
  }

  /// Saves unless validation fails; then the store has what the context shows.
  private func saveIfAllowed(_ context: ManagedObjectContext) throws {
    let before = try context.picture()
    do {
      try context.save()
    } catch let error as ManagedObjectError where [.denied, .validation].contains(error.reason) {
      #expect(try context.picture() == before)
      return
    }
    #expect(!context.hasChanges)
    #expect(try context.picture() == before)
    #expect(try context.storedPicture() == before)
  }
}

/// Makes one random change to the objects of a context.
struct RandomWork {
  let context: ManagedObjectContext
  private var made = 0

  init(context: ManagedObjectContext) { self.context = context }

  mutating func step(using random: inout SeededGenerator) throws {
    let entity = context.model.entities.randomElement(using: &random)!
    guard let object = try context.all(entity.name).randomElement(using: &random) else {
      return try insert(entity)
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: try insert(entity)
    case 4: try context.delete(object)
    case 5, 6:
      let attribute = entity.attributes.randomElement(using: &random)!
      switch attribute.name {
      case "age": object["age"] = .integer(.random(in: 0..<5, using: &random))
      case "note": object["note"] = .string("note \(Int.random(in: 0..<5, using: &random))")
      default: break
      }
    default:
      guard let relationship = entity.relationships.randomElement(using: &random) else { return }
      let others = try context.all(relationship.destinationEntityName)
      guard let other = others.randomElement(using: &random) else { return }
      try relate(object, relationship, other, &random)
    }
  }

  private mutating func insert(_ entity: EntityDescription) throws {
    made += 1
    try context.make(entity.name, "\(entity.name.first!)\(made)")
  }

  private func relate(
    _ object: ManagedObject, _ relationship: RelationshipDescription, _ other: ManagedObject,
    _ random: inout SeededGenerator
  ) throws {
    let name = relationship.name
    if !relationship.isToMany {
      let isNil = Int.random(in: 0..<4, using: &random) == 0
      try object.setObject(isNil ? nil : other, forKey: name)
    } else if Int.random(in: 0..<3, using: &random) == 0,
      let member = object.objects(forKey: name).randomElement(using: &random)
    {
      try object.remove(member, forKey: name)
    } else {
      let place = relationship.isOrdered ? Int.random(in: 0..<3, using: &random) : nil
      try object.add(other, forKey: name, at: place)
    }
  }
}
