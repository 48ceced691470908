import Foundation
import ManagedObjects
import ObjectModel

/// An object that is being made: what was asked for so far, and what is still to be asked.
///
/// Nothing is inserted before all was answered, so leaving it leaves nothing behind.
struct ObjectDraft {
  /// A property to ask for.
  enum Step: Hashable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
    }
  }

  let entity: EntityDescription
  /// The object that this is a copy of; nil for a new one.
  let original: ObjectID?
  /// The relationship that it is added to; nil for none.
  let source: RelationshipSource?
  /// The answers: values of attributes.
  var values: [String: Value] = [:]
  /// The answers: objects of to-one relationships.
  var destinations: [String: ObjectID] = [:]
  /// The answers: objects of to-many relationships.
  var members: [String: [ObjectID]] = [:]
  /// What is still to be asked, the next first.
  var steps: [Step] = []
  /// How many steps there are in all.
  private(set) var stepCount = 0

  /// Begins a new object.
  init(of entity: EntityDescription, in source: RelationshipSource?, model: ManagedObjectModel) {
    (self.entity, self.source, original) = (entity, source, nil)
    if let source, let inverse = model.inverse(of: source.relationship), !inverse.isToMany {
      destinations[inverse.name] = source.objectID
    }
    let display = entity.displayAttributeName
    let unique = Set(entity.uniquenessConstraints.joined())
    let asked = entity.attributes.filter { attribute in
      entity.canAsk(attribute)
        && (attribute.name == display && ![.binaryData, .transformable].contains(attribute.type)
          || entity.keyAttributes.contains(attribute.name)
          || attribute.type == .uuid && unique.contains(attribute.name)
          || !attribute.isOptional && !attribute.hasDefault)
    }
    let first = asked.filter { $0.name == display } + asked.filter { $0.name != display }
    ask(first)
    ask(
      entity.relationships.filter {
        $0.leastCount > 0 && $0.name != source?.relationship.inverseName
          && model.inverse(of: $0)?.isToMany != false
      })
  }

  /// Begins a copy of an object; what must be unique is asked.
  init(
    copying object: ManagedObject, in source: RelationshipSource?, model: ManagedObjectModel
  ) {
    entity = object.entity
    (self.source, original) = (source, object.objectID)
    for relationship in entity.toOneRelationships
    where model.inverse(of: relationship)?.isToMany ?? true {
      destinations[relationship.name] = object.objectID(forKey: relationship.name)
    }
    let unique = Set(entity.uniquenessConstraints.joined()).union(entity.keyAttributes)
    let asked = entity.attributes.filter { attribute in
      unique.contains(attribute.name) && entity.canAsk(attribute)
        && !object.truncatedValue(forKey: attribute.name).isNull
    }
    ask(asked)
    // The members of other relationships are copied.
    ask(entity.relationships.filter { $0.leastCount > 0 && model.inverse(of: $0) == nil })
  }

  /// Takes the next steps: attributes, then the relationships that are required.
  ///
  /// A UUID is not asked for but made.
  private mutating func ask(_ attributes: [AttributeDescription]) {
    for attribute in attributes where attribute.type == .uuid {
      values[attribute.name] = .uuid(UUID())
    }
    steps =
      attributes.filter { $0.type != .uuid }.map { .attribute($0) } + requiredRelationships
    stepCount = steps.count
  }

  /// Takes the last steps: to-many relationships that need objects, which others may have too.
  ///
  /// Objects that can have only one owner are not taken from another: they are made afterwards.
  private mutating func ask(_ needing: [RelationshipDescription]) {
    steps += needing.map { .relationship($0) }
    stepCount = steps.count
  }

  private var requiredRelationships: [Step] {
    entity.toOneRelationships
      .filter { entity.requires($0) && destinations[$0.name] == nil }
      .map { .relationship($0) }
  }

  /// "2 of 3", the next step among all; empty for a single one.
  var place: String {
    stepCount > 1 ? " (\(stepCount - steps.count + 1) of \(stepCount))" : ""
  }

  /// What is wrong with the next step's answer by the uniqueness constraints that are complete with
  /// it; nil if no other object has these values.
  func uniquenessProblem(_ values: [String: Value], in context: ManagedObjectContext) throws
    -> String?
  {
    let later = Set(steps.dropFirst().map(\.name))
    return try Uniqueness.problem(
      self.values.merging(values) { $1 }, in: entity, context: context,
      other: { name in
        guard !later.contains(name) else { return .null }
        return original.map { context.object(with: $0)[name] }
          ?? entity.attribute(named: name)?.defaultValue ?? .null
      },
      destination: { later.contains($0) ? nil : destinations[$0] }, excluding: nil)
  }
}

extension RelationshipDescription {
  /// How many objects a to-many relationship needs at least; 0 for a to-one.
  var leastCount: Int { isToMany ? details.minCount : 0 }
}

extension EntityDescription {
  /// Whether a new object's attribute is asked for by itself: not if the database computes it, it
  /// is a key that the database chooses, or a relationship sets it.
  func canAsk(_ attribute: AttributeDescription) -> Bool {
    let isChosen =
      keyAttributes == [attribute.name]
      && [.integer16, .integer32, .integer64].contains(attribute.type)
    let isForeignKey = toOneRelationships.contains {
      $0.foreignKeyAttributes.contains(attribute.name)
    }
    return !attribute.isReadOnly && !isChosen && !isForeignKey
  }
}
