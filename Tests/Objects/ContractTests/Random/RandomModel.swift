import ManagedObjects
import ObjectModel
import TestSupport

/// A random model: two to four entities, one of which may inherit from another one, with relationships
/// of all kinds and delete rules between them.
struct RandomModel: Sendable {
  let model: ManagedObjectModel

  /// The entities that objects can be inserted of.
  var concrete: [EntityDescription] { model.entities.filter { !$0.isAbstract } }

  /// Whether a relationship is from one to one.
  var hasOneToOne: Bool {
    model.entities.contains { entity in
      entity.relationships.contains { !$0.isToMany && inverse(of: $0)?.isToMany == false }
    }
  }

  private func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap {
      model.entity(named: relationship.destinationEntityName)?.relationship(named: $0)
    }
  }

  /// An entity before its sub-entity inherits what it has.
  private struct Draft {
    let name: String
    var superentity: String?
    var isAbstract = false
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
  }

  /// The model of a seed.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.init(using: &random)
  }

  init(using random: inout SeededGenerator) {
    let names = ["A", "B", "C", "D"].prefix(Int.random(in: 2...4, using: &random))
    var drafts = names.map { Draft(name: $0) }
    let inherits = random.chance(oneIn: 3)
    if inherits {
      drafts[1].superentity = "A"
      drafts[0].isAbstract = random.chance(oneIn: 2)
    }
    for index in drafts.indices {
      // The tag names an object in pictures, and never changes.
      let own = drafts[index].superentity == nil
      drafts[index].attributes =
        own
        ? [
          AttributeDescription("tag", .string), AttributeDescription("number", .integer64),
          AttributeDescription("text", .string), AttributeDescription("day", .date),
        ] : [AttributeDescription("extra", .double)]
    }
    for number in 0..<Int.random(in: 1...5, using: &random) {
      let source = Int.random(in: drafts.indices, using: &random)
      let destination = Int.random(in: drafts.indices, using: &random)
      let (name, inverse) = ("r\(number)", "i\(number)")
      // From one to one, one to many, or many to many.
      let (isToMany, isInverseToMany) = random.pick([
        (false, false), (true, false), (true, false), (true, true), (true, true),
      ])
      drafts[source].relationships.append(
        RelationshipDescription(
          name, to: drafts[destination].name, inverse: inverse, isToMany: isToMany,
          isOrdered: isToMany && random.chance(oneIn: 3), deleteRule: Self.rule(using: &random)))
      drafts[destination].relationships.append(
        RelationshipDescription(
          inverse, to: drafts[source].name, inverse: name, isToMany: isInverseToMany,
          isOrdered: isInverseToMany && random.chance(oneIn: 4),
          deleteRule: Self.rule(using: &random)))
    }
    model = ManagedObjectModel(
      entities: drafts.map { draft in
        let parent = drafts.first { $0.name == draft.superentity }
        return EntityDescription(
          name: draft.name, superentityName: draft.superentity, isAbstract: draft.isAbstract,
          attributes: (parent?.attributes ?? []) + draft.attributes,
          relationships: (parent?.relationships ?? []) + draft.relationships)
      })
  }

  private static func rule(using random: inout SeededGenerator) -> DeleteRule {
    random.pick([.nullify, .nullify, .nullify, .nullify, .cascade, .cascade, .deny])
  }

  /// A random list of the objects of an entity.
  func request(using random: inout SeededGenerator) throws -> (
    request: FetchRequest<ManagedObject>, section: SectionKey?
  ) {
    let entity = random.pick(model.entities)
    // What a deleted object led to changes with its deletion, unless that is denied: a list finds out
    // when the save is refused.
    let followed = entity.relationships.filter { inverse(of: $0)?.deleteRule != .deny }
    let toOne = followed.filter { !$0.isToMany }.map(\.name)
    let toMany = followed.filter(\.isToMany).map(\.name)
    let keyPath = random.pick(["number", "text", "day"] + toOne.map { "\($0).number" })
    let comparison = random.pick([FetchSortDescriptor.Comparison.binary, .localized])
    let conditions =
      ["number > 2", "text != NULL", "text CONTAINS[cd] 'é'"]
      + toOne.flatMap { ["\($0).number > 1", "\($0) == NULL"] }
      + toMany.flatMap { ["\($0).@count > 1", "ANY \($0).number > 2"] }
    var request = FetchRequest<ManagedObject>(
      entityName: entity.name,
      predicate: random.chance(oneIn: 2)
        ? try FetchPredicate(format: random.pick(conditions)) : nil,
      sortDescriptors: [
        FetchSortDescriptor(
          keyPath, ascending: random.chance(oneIn: 2),
          comparison: keyPath == "text" ? comparison : .binary),
        FetchSortDescriptor("tag"),
      ])
    request.includesSubentities = !random.chance(oneIn: 5)
    if random.chance(oneIn: 6) { request.fetchLimit = Int.random(in: 1...5, using: &random) }
    guard random.chance(oneIn: 2) else { return (request, nil) }
    return (request, SectionKey(keyPath))
  }
}
