/// Carries out a ``MappingModel``: makes all objects of the new model, then their relationships.
///
/// Of the new objects IDs and links are in memory, some 250 bytes for each, and values in a temporary
/// file until they are stored. One that is made of a source has its key, unless another object of the
/// same table has it.
public final class MigrationManager {
  static let sourceVariable = "source"
  static let managerVariable = "manager"
  static let policyVariable = "entityPolicy"
  static let doing = "migrating"
  private static let batchCount = 500

  /// What expressions of mapping models call.
  enum Function: String, CaseIterable {
    case mapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    case relationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    case sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    case standard = "defaultValueForKey:propertyMapping:entityMapping:manager:"
    case valueOrStandard = "_nonNilValueOrDefaultValueForAttribute:source:destination:"
  }

  /// What a program keeps between the objects of one migration.
  public var userInfo: [String: Any] = [:]
  /// The objects that were made, in their order.
  public var destinationInstances: [MigrationDestination] {
    (0..<Int32(objects.count)).map { MigrationDestination($0, of: objects) }
  }

  let mapping: MappingModel
  private let destination: ManagedObjectModel
  private let rows: MigrationRows
  private let objects: MigrationObjects
  private var associations = MigrationAssociations()
  private var keys: MigrationKeys
  /// The mapping that is carried out.
  private var current: String?
  private var currentSource: MigrationSource?
  private var completed = 0
  private var total = 0

  package init(
    _ mapping: MappingModel, to destination: ManagedObjectModel, _ reading: any MigrationReading,
    keys: MigrationKeys
  ) {
    (self.mapping, self.destination) = (mapping, destination)
    rows = MigrationRows(reading)
    objects = MigrationObjects(of: destination)
    self.keys = keys
  }

  /// Makes all objects.
  ///
  /// - Returns: The objects, with the highest keys.
  /// - Throws: ``StoreError``; what closures throw.
  package func run() throws -> (objects: MigrationObjects, lastKeys: [String: Int64]) {
    var found: [(EntityMapping, [ObjectID])] = []
    for entityMapping in mapping.entityMappings {
      let ids = try sourceIDs(of: entityMapping)
      total += 2 * ids.count
      found.append((entityMapping, ids))
    }
    for (entityMapping, ids) in found {
      current = entityMapping.name
      let policy = entityMapping.policy
      try policy?.begin?(entityMapping, self)
      for batch in ids.chunks(of: Self.batchCount) {
        try read(Array(batch))
        for id in batch {
          let source = MigrationSource(objectID: id, rows: rows)
          currentSource = source
          if let create = policy?.createDestinationInstances {
            try create(source, entityMapping, self)
          } else {
            try makeInstances(of: source, in: entityMapping)
          }
          if let error = rows.error { throw error }
        }
        try advance(batch.count)
      }
      currentSource = nil
    }
    for entityMapping in mapping.entityMappings { try makeRelationships(in: entityMapping) }
    try checkRequired()
    return (objects, keys.lastKeys)
  }

  /// Makes all objects, for a store that has them in memory.
  ///
  /// - Returns: The rows of the new model, with the highest keys.
  /// - Throws: ``StoreError``; what closures throw.
  package func runInMemory() throws -> (rows: InMemoryRows, lastKeys: [String: Int64]) {
    let (objects, lastKeys) = try run()
    return (
      try objects.inMemoryRows(keys.storeIdentifier, sharesKeys: keys.sharesKeys), lastKeys
    )
  }

  private func sourceIDs(of mapping: EntityMapping) throws -> [ObjectID] {
    guard let source = mapping.sourceEntityName, mapping.destinationEntityName != nil else {
      return []
    }
    var plan = FetchPlan(entityName: source, includesSubentities: false)
    plan.predicate = try mapping.sourcePredicate?.validated(
      forEntity: source, in: rows.reading.model)
    return try rows.reading.ids(plan)
  }

  private func read(_ ids: [ObjectID]) throws(StoreError) {
    try FetchControl.check(doing: Self.doing, completed: completed, total: total)
    try rows.read(ids)
  }

  private func advance(_ count: Int) throws(StoreError) {
    try objects.flush()
    completed += count
    try FetchControl.check(doing: Self.doing, completed: completed, total: total)
  }

  // MARK: Objects

  /// Makes what a mapping makes of an object, with its attributes.
  ///
  /// - Parameters:
  ///   - source: The object.
  ///   - mapping: The mapping.
  /// - Returns: The new object; nil if the mapping makes none.
  /// - Throws: ``StoreError`` if an attribute cannot have its value; what closures throw.
  @discardableResult
  public func makeInstances(of source: MigrationSource, in mapping: EntityMapping) throws
    -> MigrationDestination?
  {
    guard let name = mapping.destinationEntityName else { return nil }
    let values = try mapping.values?(source)
    if mapping.values != nil, values == nil { return nil }
    let object = try makeInstance(ofEntity: name, for: source)
    for property in mapping.attributeMappings where values?[property.name] == nil {
      if copy(property, of: source, to: object) { continue }
      if let value = try value(of: property, source, mapping) {
        try object.setValue(value, forKey: property.name)
      }
    }
    for (key, value) in (values ?? [:]).sorted(by: { $0.key < $1.key }) {
      try object.setValue(value, forKey: key)
    }
    return object
  }

  /// Makes an object without values but its defaults.
  ///
  /// - Parameters:
  ///   - name: Its entity.
  ///   - source: The object that it is made of, by which relationships find it; nil for none.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if there is no such entity, or it is abstract.
  public func makeInstance(ofEntity name: String, for source: MigrationSource? = nil)
    throws(StoreError) -> MigrationDestination
  {
    guard let entity = destination.entity(named: name), !entity.isAbstract else {
      throw StoreError(
        .unknownName, doing: Self.doing, subject: name,
        detail: "the new model has no objects of this entity")
    }
    let number = objects.make(try keys.id(of: entity, from: source?.objectID), entity.name)
    let object = MigrationDestination(number, of: objects)
    if let source { associate(object, with: source) }
    return object
  }

  /// Lets relationships find an object by one that it is made of, in the mapping that is carried out.
  ///
  /// - Parameters:
  ///   - object: The new object.
  ///   - source: The object that it is made of.
  public func associate(_ object: MigrationDestination, with source: MigrationSource) {
    guard let current else { return }
    associations.add(object.number, of: source.objectID, by: current)
  }

  /// The objects that were made of others.
  ///
  /// - Parameters:
  ///   - sources: The others.
  ///   - name: The mapping that made them; nil for all.
  /// - Returns: The objects, in the order of the others.
  public func destinationInstances(of sources: [MigrationSource], mapping name: String? = nil)
    -> [MigrationDestination]
  {
    sources.flatMap { source in
      associations.objects(of: source.objectID, by: name).map {
        MigrationDestination($0, of: objects)
      }
    }
  }

  /// The objects that others were made of.
  ///
  /// - Parameter objects: The others.
  /// - Returns: The objects, in the order of the others.
  public func sourceInstances(of objects: [MigrationDestination]) -> [MigrationSource] {
    objects.flatMap {
      associations.sources(of: $0.number).map { MigrationSource(objectID: $0, rows: rows) }
    }
  }

  /// Takes a value as it is stored, if both attributes store it alike.
  private func copy(
    _ property: PropertyMapping, of source: MigrationSource, to object: MigrationDestination
  ) -> Bool {
    guard let key = property.copiedKey, let row = rows.row(of: source.objectID),
      let before = rows.reading.model.entity(named: source.objectID.entityName),
      let old = before.attributeIndex(key), let new = object.entity.attributeIndex(property.name)
    else { return false }
    let attributes = (before.attributes[old], object.entity.attributes[new])
    guard attributes.0.type == attributes.1.type, attributes.0.encoding == attributes.1.encoding
    else { return false }
    let value = row.value(at: old)
    if !value.isNull || attributes.1.isOptional || !attributes.1.hasDefault {
      object.setStored(value, at: new)
    }
    return true
  }

  // MARK: Relationships

  private func makeRelationships(in mapping: EntityMapping) throws {
    current = mapping.name
    let policy = mapping.policy
    for batch in associations.numbers(of: mapping.name).chunks(of: Self.batchCount) {
      try read(batch.map(associations.source))
      for number in batch {
        let object = MigrationDestination(associations.object(number), of: objects)
        if let create = policy?.createRelationships {
          try create(object, mapping, self)
        } else {
          try makeRelationships(of: object, in: mapping)
        }
        if let error = rows.error { throw error }
      }
      try advance(batch.count)
    }
  }

  /// Gives an object the relationships of a mapping.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - mapping: The mapping.
  /// - Throws: ``StoreError`` if it cannot have them; what closures throw.
  public func makeRelationships(of object: MigrationDestination, in mapping: EntityMapping) throws {
    guard object.entityName == mapping.destinationEntityName,
      let id = associations.sources(of: object.number).first
    else { return }
    let source = MigrationSource(objectID: id, rows: rows)
    for property in mapping.relationshipMappings {
      let allowed = objects.allowedEntities(property.name, of: object.number)
      if allowed.isEmpty { continue }
      let found: [MigrationDestination]
      switch property.content {
      case .objects(let make): found = try make(source, self)
      case .expression, .value:
        found = instances(of: try operand(of: property, source, mapping))
      }
      try object.setObjects(
        found.filter { allowed.contains($0.entityName) }, forKey: property.name)
    }
  }

  /// The new objects that an operand has; what was made of them for objects of the source.
  private func instances(of operand: PredicateOperand) -> [MigrationDestination] {
    operand.members.flatMap { member -> [MigrationDestination] in
      guard case .object(let object) = member else { return [] }
      if let object = object as? MigrationDestination { return [object] }
      return (object as? MigrationSource).map { destinationInstances(of: [$0]) } ?? []
    }
  }

  /// Every object must have what its entity requires, as Core Data checks it.
  private func checkRequired() throws(StoreError) {
    let counts = try objects.missing()
    guard !counts.isEmpty else { return }
    let lines = counts.sorted { $0.key < $1.key }.prefix(5).map { name, count in
      "\(Value.grouped(count)) object\(count == 1 ? " has" : "s have") no \(name)"
    }
    throw StoreError(
      .constraint, doing: Self.doing,
      detail: lines.joined(separator: ", ") + ", which is required",
      remedy: "a mapping that gives it a value")
  }

  // MARK: Expressions

  private func value(
    of property: PropertyMapping, _ source: MigrationSource, _ mapping: EntityMapping
  ) throws -> Value? {
    if case .value(let make) = property.content { return try make(source) }
    let operand = try operand(of: property, source, mapping)
    // The default stays.
    if case .missing = operand { return nil }
    return operand.single
  }

  private func operand(
    of property: PropertyMapping, _ source: MigrationSource, _ mapping: EntityMapping
  ) throws -> PredicateOperand {
    guard case .expression(let expression) = property.content else { return .missing }
    var evaluator = PredicateEvaluator(
      subject: source,
      variables: [
        Self.sourceVariable: .object(source), Self.managerVariable: .missing,
        Self.policyVariable: .missing, "destination": .missing, "entityMapping": .missing,
        "propertyMapping": .missing,
      ])
    let policy = mapping.policy
    evaluator.method = { name, arguments in try self.call(name, arguments, policy) }
    return try evaluator.operand(expression)
  }

  /// Calls a method of the manager, of a policy or of a value; nil if it is a function of the
  /// predicate language.
  private func call(
    _ name: String, _ arguments: [PredicateOperand], _ policy: EntityMigrationPolicy?
  ) throws -> PredicateOperand? {
    if let function = policy?.functions[name] {
      return .value(try function(arguments.dropFirst().map(\.single)))
    }
    guard let function = Function(rawValue: name), arguments.count >= 3 else {
      return MigrationMethod(rawValue: name)?.value(arguments)
    }
    let objects = arguments[2].members.compactMap { member -> (any PredicateSubject)? in
      if case .object(let object) = member { object } else { nil }
    }
    switch function {
    case .mapping, .relationship:
      let mapping = function == .mapping ? arguments[1].single.text : nil
      return .collection(
        destinationInstances(of: objects.compactMap { $0 as? MigrationSource }, mapping: mapping))
    case .sources:
      return .collection(
        sourceInstances(of: objects.compactMap { $0 as? MigrationDestination }))
    case .standard: return .missing
    case .valueOrStandard:
      guard let key = arguments[1].single.text, let source = objects.first else { return .missing }
      let value = source.operand(forKey: key)
      return value.single.isNull ? .missing : value
    }
  }
}
