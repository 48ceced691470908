import ManagedObjects
import ObjectModel
import TestSupport

@testable import FetchedResults

/// Random changes by this context, another context and another process.
struct RandomWork {
  let people: People
  private var context: ManagedObjectContext { people.context }
  private let other: ManagedObjectContext

  init(people: People) {
    self.people = people
    other = ManagedObjectContext(coordinator: people.coordinator)
  }

  private static let names: [Value] = [
    "anna", "Anna", "Ádám", "bo", "Bo", "Émile", "eva", "Zoë", "zoe", "7 of 9", "", .null,
  ]

  private func any(
    _ entity: String, in context: ManagedObjectContext, using generator: inout SeededGenerator
  )
    throws -> ManagedObject?
  {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).randomElement(
      using: &generator)
  }

  /// Changes something at random.
  ///
  /// - Parameters:
  ///   - generator: The random numbers.
  ///   - saves: Whether it may save, in this context or another one.
  /// - Throws: What the context throws.
  mutating func step(using generator: inout SeededGenerator, saves: Bool = true) throws {
    let name = Self.names.randomElement(using: &generator) ?? .null
    let number = Value.integer(Int64.random(in: 0..<6, using: &generator))
    switch Int.random(in: 0..<(saves ? 17 : 14), using: &generator) {
    case 0...3:
      let city = try any("City", in: context, using: &generator)
      try people.addPerson(name, age: number, in: city)
    case 4: _ = try people.addCity(name, size: number)
    case 5, 6: try any("Person", in: context, using: &generator)?.setValue(name, forKey: "name")
    case 7: try any("Person", in: context, using: &generator)?.setValue(number, forKey: "age")
    case 8: try any("Person", in: context, using: &generator)?.setValue(name, forKey: "note")
    case 9:
      let city = try any("City", in: context, using: &generator)
      try any("Person", in: context, using: &generator)?.setObject(city, forKey: "city")
    case 10: try any("City", in: context, using: &generator)?.setValue(name, forKey: "name")
    case 11: try any("City", in: context, using: &generator)?.setValue(number, forKey: "size")
    case 12:
      if let person = try any("Person", in: context, using: &generator) {
        try context.delete(person)
      }
    case 13:
      if Int.random(in: 0..<3, using: &generator) == 0,
        let city = try any("City", in: context, using: &generator)
      {
        try context.delete(city)
      }
    case 14: if !context.hasChanges || Bool.random(using: &generator) { try context.save() }
    case 15:
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: context.rollback()
      case 1: context.undoHistory.undo()
      case 2: context.undoHistory.redo()
      default: context.reset()
      }
    default:
      guard !context.hasChanges else { return }
      try any("Person", in: other, using: &generator)?.setValue(name, forKey: "name")
      if let person = try any("Person", in: other, using: &generator) { try other.delete(person) }
      try any("City", in: other, using: &generator)?.setValue(number, forKey: "size")
      try other.save()
    }
  }

  /// Writes to the store as another process would, and refreshes the context.
  func changeBehindTheContext(using generator: inout SeededGenerator) throws {
    guard !context.hasChanges else { return }
    let stranger = people.stranger()
    let person = try stranger.insert(entityName: "Person")
    person["name"] = Self.names.randomElement(using: &generator) ?? .null
    person["age"] = 3
    try any("Person", in: stranger, using: &generator)?.setValue("Bodil", forKey: "name")
    if let gone = try any("Person", in: stranger, using: &generator) { try stranger.delete(gone) }
    try stranger.save()
    try context.refreshFromStore()
  }
}
