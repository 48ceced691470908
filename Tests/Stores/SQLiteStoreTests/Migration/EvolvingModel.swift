import Foundation
import ObjectModel
import TestSupport

/// A random model that changes at random, and remembers which property was which.
///
/// Properties and entities have numbers that stay when they are renamed or moved, so that a test
/// knows what belongs together without asking the code that it tests.
struct EvolvingModel {
  struct Attribute {
    let number: Int
    var name: String
    var type: AttributeType
    var isOptional = true
    var defaultValue = Value.null
    var formerName: String?
  }

  /// An end of a relationship.
  struct End {
    let number: Int
    var name: String
    var owner: Int
    var destination: Int
    var isToMany: Bool
    var isOrdered = false
    var inverse: Int?
    var formerName: String?
  }

  struct Entity {
    let number: Int
    var name: String
    var parent: Int?
    var isAbstract = false
    var attributes: [Attribute] = []
    var formerName: String?
  }

  var entities: [Entity] = []
  var ends: [End] = []
  /// Why no migration to this model can be inferred; empty if it can.
  var refusals: [String] = []
  private var last = 0

  /// Makes a model.
  init(using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 2...4, using: &random) { addEntity(using: &random) }
    for _ in 0..<Int.random(in: 1...4, using: &random) { addRelationship(using: &random) }
  }

  private mutating func next() -> Int {
    last += 1
    return last
  }

  // MARK: The model

  /// The entity and its superentities.
  func line(_ number: Int) -> [Int] {
    var line = [number]
    while let parent = entity(line[line.count - 1])?.parent { line.append(parent) }
    return line
  }

  func entity(_ number: Int) -> Entity? { entities.first { $0.number == number } }

  func attributes(of number: Int) -> [Attribute] {
    line(number).reversed().flatMap { entity($0)?.attributes ?? [] }
  }

  func ends(of number: Int) -> [End] {
    line(number).reversed().flatMap { owner in ends.filter { $0.owner == owner } }
  }

  func isFamily(_ number: Int, of ancestor: Int) -> Bool { line(number).contains(ancestor) }

  func model() -> ManagedObjectModel {
    ManagedObjectModel(
      entities: entities.map { entity in
        EntityDescription(
          name: entity.name, superentityName: entity.parent.flatMap { self.entity($0)?.name },
          isAbstract: entity.isAbstract,
          attributes: attributes(of: entity.number).map { attribute in
            AttributeDescription(
              attribute.name, attribute.type, isOptional: attribute.isOptional,
              defaultValue: attribute.defaultValue,
              details: AttributeDetails(
                property: PropertyDetails(renamingIdentifier: attribute.formerName)))
          },
          relationships: ends(of: entity.number).map { end in
            RelationshipDescription(
              end.name, to: self.entity(end.destination)?.name ?? "",
              inverse: end.inverse.flatMap { other in ends.first { $0.number == other }?.name },
              isToMany: end.isToMany, isOrdered: end.isOrdered,
              details: RelationshipDetails(
                property: PropertyDetails(renamingIdentifier: end.formerName)))
          },
          details: EntityDetails(renamingIdentifier: entity.formerName))
      })
  }

  // MARK: Growing

  private static let types: [AttributeType] = [
    .boolean, .integer16, .integer32, .integer64, .float, .double, .decimal, .string, .date, .uuid,
    .binaryData,
  ]

  private mutating func attribute(using random: inout SeededGenerator) -> Attribute {
    let number = next()
    var attribute = Attribute(
      number: number, name: "a\(number)", type: random.pick(Self.types))
    if random.chance(oneIn: 3) { attribute.defaultValue = Self.standard(of: attribute.type) }
    attribute.isOptional = attribute.defaultValue.isNull || random.chance(oneIn: 2)
    return attribute
  }

  static func standard(of type: AttributeType) -> Value {
    switch type {
    case .boolean: true
    case .integer16, .integer32, .integer64: 7
    case .float, .double: 2.5
    case .decimal: .decimal(Decimal(7))
    case .string: "standard"
    default: .null
    }
  }

  @discardableResult
  private mutating func addEntity(using random: inout SeededGenerator) -> Int {
    let number = next()
    // Names are not in the order of numbers, so that entity numbers of stores change.
    let letter = random.pick(Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    var entity = Entity(number: number, name: "\(letter)\(number)")
    if let parent = entities.last, line(parent.number).count < 3, random.chance(oneIn: 2) {
      entity.parent = parent.number
    } else {
      entity.isAbstract = random.chance(oneIn: 6)
    }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      entity.attributes.append(attribute(using: &random))
    }
    entities.append(entity)
    return number
  }

  private mutating func addRelationship(using random: inout SeededGenerator) {
    let (owner, destination) = (random.pick(entities).number, random.pick(entities).number)
    let number = next()
    var end = End(
      number: number, name: "r\(number)", owner: owner, destination: destination,
      isToMany: random.chance(oneIn: 2))
    end.isOrdered = end.isToMany && random.chance(oneIn: 3)
    if random.chance(oneIn: 8), end.isToMany, owner == destination {
      end.inverse = number
      end.isOrdered = false
    } else if !random.chance(oneIn: 5) {
      let other = next()
      var inverse = End(
        number: other, name: "i\(other)", owner: destination, destination: owner,
        isToMany: random.chance(oneIn: 2), inverse: number)
      inverse.isOrdered = inverse.isToMany && random.chance(oneIn: 3)
      end.inverse = other
      ends.append(inverse)
    }
    ends.append(end)
  }

  // MARK: Changing

  /// Changes something.
  mutating func change(using random: inout SeededGenerator) {
    let index = Int.random(in: entities.indices, using: &random)
    switch Int.random(in: 0..<21, using: &random) {
    case 0:
      addEntity(using: &random)
    case 1:
      addRelationship(using: &random)
    case 2, 3:
      entities[index].attributes.append(attribute(using: &random))
    case 4:
      let number = next()
      if entities[index].formerName == nil { entities[index].formerName = entities[index].name }
      let letter = random.pick(Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
      entities[index].name = "\(letter)\(number)"
    case 5: removeEntity(index)
    case 6:
      changeAttribute(index, using: &random) { attribute, model in
        if attribute.formerName == nil { attribute.formerName = attribute.name }
        attribute.name = "a\(model.next())"
      }
    case 7:
      if entities[index].attributes.count > 1 { entities[index].attributes.removeFirst() }
    case 8, 9:
      changeAttribute(index, using: &random) { attribute, _ in
        let wider: [AttributeType: AttributeType] = [
          .boolean: .integer32, .integer16: .integer64, .integer32: .double,
          .integer64: .decimal, .float: .double,
        ]
        guard let type = wider[attribute.type] else { return }
        attribute.type = type
        if !attribute.defaultValue.isNull { attribute.defaultValue = Self.standard(of: type) }
      }
    case 10:
      changeAttribute(index, using: &random) { attribute, _ in attribute.isOptional = true }
    case 11:
      changeAttribute(index, using: &random) { attribute, _ in
        guard !Self.standard(of: attribute.type).isNull else { return }
        attribute.defaultValue = Self.standard(of: attribute.type)
        attribute.isOptional = false
      }
    case 12: moveUp(index)
    case 13: moveDown(index)
    case 14: addParent(index, using: &random)
    case 15: split(index)
    case 16 where !ends.isEmpty: changeEnd(using: &random)
    case 17 where !ends.isEmpty:
      let end = Int.random(in: ends.indices, using: &random)
      if ends[end].formerName == nil { ends[end].formerName = ends[end].name }
      ends[end].name = "r\(next())"
    case 18 where !ends.isEmpty: removeEnd(Int.random(in: ends.indices, using: &random))
    case 19 where !ends.isEmpty: addInverse(Int.random(in: ends.indices, using: &random))
    default:
      entities[index].attributes.append(attribute(using: &random))
    }
  }

  private mutating func changeAttribute(
    _ entity: Int, using random: inout SeededGenerator,
    _ change: (inout Attribute, inout EvolvingModel) -> Void
  ) {
    guard !entities[entity].attributes.isEmpty else { return }
    let index = Int.random(in: entities[entity].attributes.indices, using: &random)
    var attribute = entities[entity].attributes[index]
    // One that two entities have after a hierarchy was split stays the same in both.
    guard entities.count(where: { $0.attributes.contains { $0.number == attribute.number } }) == 1
    else { return }
    change(&attribute, &self)
    entities[entity].attributes[index] = attribute
  }

  private mutating func removeEntity(_ index: Int) {
    let number = entities[index].number
    guard entities.count > 2, !entities.contains(where: { $0.parent == number }) else { return }
    entities.remove(at: index)
    for end in ends where end.owner == number || end.destination == number {
      removeEnd(number: end.number)
    }
  }

  private mutating func removeEnd(_ index: Int) { removeEnd(number: ends[index].number) }

  private mutating func removeEnd(number: Int) {
    ends.removeAll { $0.number == number }
    for index in ends.indices where ends[index].inverse == number { ends[index].inverse = nil }
  }

  private mutating func addInverse(_ index: Int) {
    guard ends[index].inverse == nil else { return }
    let number = next()
    ends[index].inverse = number
    ends.append(
      End(
        number: number, name: "i\(number)", owner: ends[index].destination,
        destination: ends[index].owner, isToMany: true, inverse: ends[index].number))
  }

  /// A to-one becomes a to-many, or an order comes or goes.
  private mutating func changeEnd(using random: inout SeededGenerator) {
    let index = Int.random(in: ends.indices, using: &random)
    guard ends[index].inverse != ends[index].number else { return }
    if !ends[index].isToMany { ends[index].isToMany = true } else { ends[index].isOrdered.toggle() }
  }

  private mutating func moveUp(_ index: Int) {
    guard let parent = entities[index].parent,
      let above = entities.firstIndex(where: { $0.number == parent }),
      var attribute = entities[index].attributes.last
    else { return }
    guard entities.count(where: { $0.attributes.contains { $0.number == attribute.number } }) == 1
    else { return }
    entities[index].attributes.removeLast()
    if attribute.defaultValue.isNull { attribute.isOptional = true }
    entities[above].attributes.append(attribute)
  }

  private mutating func moveDown(_ index: Int) {
    let number = entities[index].number
    guard let attribute = entities[index].attributes.last,
      let below = entities.firstIndex(where: { $0.parent == number })
    else { return }
    entities[index].attributes.removeLast()
    entities[below].attributes.append(attribute)
  }

  private mutating func addParent(_ index: Int, using random: inout SeededGenerator) {
    guard entities[index].parent == nil else { return }
    let number = next()
    let letter = random.pick(Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    var parent = Entity(number: number, name: "\(letter)\(number)")
    parent.isAbstract = random.chance(oneIn: 2)
    if entities[index].attributes.count > 1, random.chance(oneIn: 2) {
      parent.attributes.append(entities[index].attributes.removeLast())
    }
    entities[index].parent = number
    entities.append(parent)
  }

  /// Takes an entity out of its hierarchy, with the attributes that it had from there.
  private mutating func split(_ index: Int) {
    let entity = entities[index]
    guard let parent = entity.parent else { return }
    let above = Set(line(parent))
    // What leads to a superentity could not lead to the entity any more.
    guard !ends.contains(where: { above.contains($0.destination) }) else { return }
    entities[index].attributes = attributes(of: entity.number)
    entities[index].parent = nil
  }

  /// Changes something that cannot be inferred, if there is such a thing.
  mutating func refuse(after before: EvolvingModel, using random: inout SeededGenerator) {
    let index = Int.random(in: entities.indices, using: &random)
    let number = entities[index].number
    // Only what objects have that there were can be refused.
    guard before.entity(number)?.isAbstract == false else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      var attribute = Attribute(number: next(), name: "a\(last)", type: .string)
      attribute.isOptional = false
      entities[index].attributes.append(attribute)
      refusals.append("is required and has no default")
    case 1:
      let texts = before.attributes(of: number).filter { $0.type == .string }.map(\.number)
      guard
        let text = entities[index].attributes.firstIndex(where: { texts.contains($0.number) })
      else { return }
      entities[index].attributes[text].type = .date
      entities[index].attributes[text].defaultValue = .null
      entities[index].attributes[text].isOptional = true
      refusals.append("without losing values")
    default:
      let toMany = before.ends(of: number).filter(\.isToMany).map(\.number)
      guard
        let end = ends.firstIndex(where: { $0.owner == number && toMany.contains($0.number) }),
        ends[end].isToMany, ends[end].inverse != ends[end].number
      else { return }
      (ends[end].isToMany, ends[end].isOrdered) = (false, false)
      refusals.append("may have several objects")
    }
  }
}
