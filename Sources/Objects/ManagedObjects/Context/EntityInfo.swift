import ObjectModel

/// Facts about an entity that a context often needs, computed once.
final class EntityInfo: Sendable {
  let entity: EntityDescription
  /// Whether the model has the entity.
  let isInModel: Bool
  let isAbstract: Bool
  /// Why its objects cannot be changed; nil if they can.
  let readOnlyReason: String?
  let attributeNames: [String]
  /// The name of each attribute as a set, which the changes of many objects share.
  private let onlyNames: [Set<String>]
  /// How the attributes are stored, and their indexes: values are read by them alone, because the
  /// compiler copies a whole description for each call of one of its methods.
  let encodings: [ValueEncoding]
  private let attributeIndexes: [String: Int]
  /// The names of the attributes and relationships.
  let propertyNames: Set<String>
  /// Whether the store computes no attribute, so that all values of a row are written.
  let isStoredWhole: Bool
  /// The names of the entity and its superentities, itself first.
  let line: [String]
  let relationships: [String: RelationshipInfo]
  /// The to-one relationships, in the order of the destinations in a snapshot.
  let toOne: [RelationshipInfo]
  /// The indexes of the foreign-key attributes of each to-one relationship, in the same order.
  let foreignKeys: [[Int]]
  /// The to-one relationships that an attribute is a foreign key of, by the attribute's index.
  let references: [Int: [Int]]
  /// Whether a new object's text is stored in an attribute as it is, and nothing else changes with
  /// it, by the attribute's index.
  let takesText: [Bool]
  let keyAttributes: Set<Int>
  /// The indexes of the attributes of which only the store knows the default.
  let storeDefaults: Set<Int>
  /// What the model demands of values.
  let rules: EntityRules
  /// The to-many relationships with a least or greatest number of objects, by name.
  let counted: [RelationshipInfo]
  /// Whether there is anything to validate in a row.
  let isChecked: Bool
  /// Whether a row is valid if the attributes that must have a value have one.
  let needsOnlyValues: Bool
  /// The transient attributes, by name.
  let transients: [String: AttributeDescription]
  /// The derived attributes that can be computed.
  let derived: [DerivedAttribute]
  /// By which of its values a person knows an object.
  let naming: ObjectNaming
  /// What the IDs of new objects have in common.
  let temporaryScope: ObjectIDScope
  private let defaults: Result<[Value], any Error>

  init(_ entity: EntityDescription, in model: ManagedObjectModel) {
    self.entity = entity
    isInModel = model.entity(named: entity.name) != nil
    (isAbstract, readOnlyReason) = (entity.isAbstract, entity.readOnlyReason)
    attributeNames = entity.attributes.map(\.name)
    onlyNames = attributeNames.map { [$0] }
    encodings = entity.attributes.map(\.encoding)
    attributeIndexes = Dictionary(firstOf: zip(attributeNames, attributeNames.indices))
    isStoredWhole = !entity.attributes.contains(where: \.isReadOnly)
    line = model.line(of: entity.name)
    let all = entity.relationships.map { RelationshipInfo($0, of: entity, in: model) }
    relationships = Dictionary(firstOf: all.map { ($0.name, $0) })
    propertyNames = Set(attributeNames).union(relationships.keys)
    toOne = all.filter { !$0.description.isToMany }
    counted = all.filter {
      let details = $0.description.details
      return $0.kind != .toOne && (details.minCount > 0 || details.maxCount > 1)
    }.sorted { $0.name < $1.name }
    foreignKeys = toOne.map { entity.foreignKeyIndexes(of: $0.description) }
    references = foreignKeys.enumerated().reduce(into: [:]) { references, pair in
      for attribute in pair.element { references[attribute, default: []].append(pair.offset) }
    }
    takesText = entity.attributes.indices.map { [references] index in
      let attribute = entity.attributes[index]
      return attribute.type == .string && attribute.encoding == .native && !attribute.isReadOnly
        && references[index] == nil
    }
    transients = Dictionary(firstOf: entity.details.transientAttributes.map { ($0.name, $0) })
    temporaryScope = .of(storeIdentifier: "", entityName: entity.name)
    derived = DerivedAttribute.all(of: entity)
    naming = ObjectNaming(entity)
    defaults = Result {
      try entity.attributes.map {
        $0.defaultValue.isNull ? .null : try $0.encode($0.defaultValue)
      }
    }
    keyAttributes = Set(entity.keyAttributes.compactMap(entity.attributeIndex))
    rules = EntityRules(entity)
    storeDefaults = Set(
      entity.attributes.indices.filter {
        entity.attributes[$0].details.defaultExpression != nil
          && entity.attributes[$0].defaultValue.isNull
      })
    needsOnlyValues = toOne.isEmpty && rules.byAttribute.isEmpty
    isChecked =
      !toOne.isEmpty || !rules.byAttribute.isEmpty
      || rules.required.contains { [keyAttributes] in keyAttributes != [$0] }
  }

  /// The index of an attribute; nil if there is no such attribute.
  func attributeIndex(_ name: String) -> Int? {
    // Comparing a few short names costs less than hashing one.
    attributeNames.count <= 8 ? attributeNames.firstIndex(of: name) : attributeIndexes[name]
  }

  /// The names of the attributes at some indexes; there may be none at an index.
  func names(ofAttributes indexes: [Int]) -> Set<String> {
    if indexes.count == 1, onlyNames.indices.contains(indexes[0]) { return onlyNames[indexes[0]] }
    return Set(indexes.filter(attributeNames.indices.contains).map { attributeNames[$0] })
  }

  /// Whether a foreign key of a row is not known yet, because it is that of a new object.
  func awaitsKey(_ row: RowSnapshot) -> Bool {
    toOne.indices.contains {
      row.destination(at: $0)?.isTemporary == true
        && !toOne[$0].description.foreignKeyAttributes.isEmpty
    }
  }

  /// The index of the attribute that is the whole key, which the store gives if nobody does; nil if
  /// there is none.
  var onlyKey: Int? { keyAttributes.count == 1 ? keyAttributes.first : nil }

  /// The indexes of the attributes of a new row that were not set: those that get a default from
  /// the store, and a key that the store gives.
  func unset(in row: RowSnapshot) -> Set<Int> {
    let keys = keyAttributes.filter(row.isNull)
    let unset = row.unset
    return unset.isEmpty ? keys : unset.union(keys)
  }

  /// The stored values of a new object.
  ///
  /// - Throws: `ModelError` for a default value that its attribute cannot have.
  func defaultValues() throws -> [Value] {
    try defaults.get()
  }

  /// The stored defaults of the foreign key of a to-one relationship.
  func defaultKey(_ index: Int) -> [Value] {
    foreignKeys[index].map { attribute in
      let description = entity.attributes[attribute]
      let stored = Result { try description.encode(description.defaultValue) }
      return (try? stored.get()) ?? .null
    }
  }
}

/// What the objects of one entity in a context have in common.
///
/// An object asks this and not the context, which would be retained for each value that is read.
final class ContextEntity {
  let info: EntityInfo
  /// Leads to the context, which is not retained: its objects need not refer to it each.
  private let reference: ContextReference

  init(_ info: EntityInfo, of context: ManagedObjectContext) {
    self.info = info
    reference = context.reference
  }

  /// The context; nil once it is deallocated.
  var context: ManagedObjectContext? { reference.context }

  /// Whether there is a context, and no unsaved change of an object's row in it.
  func isUnchanged(_ id: ObjectID) -> Bool {
    reference.unretained.read { !$0.isPending(id) } ?? false
  }

  /// Notes that an instance is deallocated.
  func release(_ instance: ManagedObject, of record: ObjectRecord) {
    reference.unretained.read { $0.objects.release(instance, of: record) }
  }
}
