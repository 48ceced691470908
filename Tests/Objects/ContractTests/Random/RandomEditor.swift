import Foundation
import ManagedObjects
import ObjectModel
import TestSupport

/// Makes random changes in a context.
struct RandomEditor {
  let model: RandomModel
  let context: ManagedObjectContext
  /// What tags of new objects begin with.
  let prefix: String
  private var made = 0

  init(_ model: RandomModel, _ context: ManagedObjectContext, prefix: String) {
    (self.model, self.context, self.prefix) = (model, context, prefix)
  }

  private static let texts: [Value] = ["a", "B", "é", "É2", "10", "9", "", .null]

  /// Makes a change: inserts, sets, links, unlinks or deletes.
  ///
  /// - Returns: What it did.
  /// - Throws: What the context throws.
  mutating func change(using random: inout SeededGenerator) throws -> String {
    let entity = random.pick(model.concrete)
    let objects = try context.all(entity.name)
    guard !objects.isEmpty, !random.chance(oneIn: 4) else { return try insert(entity, &random) }
    let object = random.pick(objects)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      try context.delete(object)
      return "delete \(object.tag)"
    case 1..<4: return try set(object, &random)
    default:
      guard let relationship = object.entity.relationships.randomElement(using: &random) else {
        return try set(object, &random)
      }
      return try link(object, relationship, &random)
    }
  }

  private mutating func insert(_ entity: EntityDescription, _ random: inout SeededGenerator) throws
    -> String
  {
    made += 1
    let object = try context.insert(entityName: entity.name)
    object["tag"] = .string("\(prefix)\(made)")
    return "insert \(entity.name) \(object.tag), " + (try set(object, &random))
  }

  private func set(_ object: ManagedObject, _ random: inout SeededGenerator) throws -> String {
    let number = Int64.random(in: 0..<5, using: &random)
    let names = object.entity.attributes.map(\.name).filter { $0 != "tag" }
    let name = random.pick(names)
    let value: Value =
      switch name {
      case _ where random.chance(oneIn: 6): .null
      case "number": .integer(number)
      case "extra": .double(Double(number) / 4)
      case "day": .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400))
      default: random.pick(Self.texts)
      }
    try object.setValue(value, forKey: name)
    return "set \(object.tag).\(name) = \(value)"
  }

  private func link(
    _ object: ManagedObject, _ relationship: RelationshipDescription,
    _ random: inout SeededGenerator
  ) throws -> String {
    let name = relationship.name
    guard
      let other = try context.all(relationship.destinationEntityName)
        .randomElement(using: &random)
    else { return "nothing" }
    if !relationship.isToMany {
      let isNil = random.chance(oneIn: 4)
      try object.setObject(isNil ? nil : other, forKey: name)
      return "set \(object.tag).\(name) = \(isNil ? "nil" : other.tag)"
    }
    if random.chance(oneIn: 3),
      let member = object.objects(forKey: name).randomElement(using: &random)
    {
      try object.remove(member, forKey: name)
      return "remove \(member.tag) from \(object.tag).\(name)"
    }
    let index =
      relationship.isOrdered
      ? Int.random(in: 0...object.count(forKey: name), using: &random) : nil
    try object.add(other, forKey: name, at: index)
    return "add \(other.tag) to \(object.tag).\(name)\(index.map { " at \($0)" } ?? "")"
  }
}

extension ManagedObject {
  /// The name of an object in pictures.
  var tag: String { string("tag") }
}

extension ManagedObjectContext {
  /// All objects with their values and relationships, a line for each.
  func picture(_ model: RandomModel) throws -> [String] {
    try model.concrete.flatMap { entity in
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      return try fetch(request).map { object in
        let values = entity.attributes.map { object.value(forKey: $0.name).description }
        let ends = entity.relationships.map { relationship in
          let tags = object.destinations(relationship).map(\.tag)
          return "\(relationship.name):"
            + (relationship.isOrdered ? tags : tags.sorted())
            .joined(separator: ",")
        }
        return "\(entity.name) " + (values + ends).joined(separator: " ")
      }
    }.sorted()
  }

  /// What is wrong between the objects: relationships that do not lead back, or lead to something
  /// twice. Objects that somebody else has changed or deleted too are left out, until that is
  /// resolved.
  func problems(_ model: RandomModel) throws -> [String] {
    var all: Set<ManagedObject> = []
    for entity in model.concrete { all.formUnion(try self.all(entity.name)) }
    var problems: [String] = []
    for object in all where conflicts[object.objectID] == nil {
      for relationship in object.entity.relationships {
        let others = object.destinations(relationship)
        if Set(others).count < others.count {
          problems.append("\(object.tag).\(relationship.name) has an object twice")
        }
        for other in others where all.contains(other) && conflicts[other.objectID] == nil {
          guard let inverse = relationship.inverseName.flatMap(other.entity.relationship(named:))
          else { continue }
          if !other.destinations(inverse).contains(object) {
            problems.append("\(object.tag).\(relationship.name) has \(other.tag), which not back")
          }
        }
      }
    }
    return problems.sorted()
  }
}

extension ManagedObject {
  /// The objects of a relationship, to-one or to-many.
  fileprivate func destinations(_ relationship: RelationshipDescription) -> [ManagedObject] {
    relationship.isToMany
      ? objects(forKey: relationship.name)
      : [object(forKey: relationship.name)].compactMap(\.self)
  }
}
