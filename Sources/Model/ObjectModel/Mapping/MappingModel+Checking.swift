extension MappingModel {
  /// Why the mapping cannot be carried out between two models, a sentence each; empty if it can.
  ///
  /// - Parameters:
  ///   - source: The model of the objects that there are.
  ///   - destination: The model that they are to have.
  /// - Returns: The sentences.
  package func refusals(from source: ManagedObjectModel, to destination: ManagedObjectModel)
    -> [String]
  {
    var refusals: [String] = []
    let names = entityMappings.map(\.name)
    if let twice = Set(names).sorted().first(where: { name in names.count { $0 == name } > 1 }) {
      refusals.append("two mappings are named \(twice)")
    }
    for mapping in entityMappings {
      if let name = mapping.policyName, mapping.policy == nil {
        refusals.append(
          "the mapping \(mapping.name) needs the policy \(name), which is not registered: "
            + "a program registers it as a closure of that name")
      }
      refusals += mapping.refusals(source, destination)
    }
    return refusals
  }
}

extension MappingModel {
  /// Whether all entities and properties that it names are in two models.
  package func namesFit(from source: ManagedObjectModel, to destination: ManagedObjectModel)
    -> Bool
  {
    entityMappings.allSatisfy { mapping in
      let before = mapping.sourceEntityName.map(source.entity(named:))
      let after = mapping.destinationEntityName.map(destination.entity(named:))
      if case .some(nil) = before { return false }
      if case .some(nil) = after { return false }
      guard case .some(let entity?) = after else { return true }
      let keys = mapping.attributeMappings.compactMap(\.copiedKey)
      return mapping.attributeMappings.allSatisfy { entity.attributeIndex($0.name) != nil }
        && mapping.relationshipMappings.allSatisfy { entity.relationship(named: $0.name) != nil }
        && keys.allSatisfy { before??.attributeIndex($0) != nil }
    }
  }
}

extension EntityMapping {
  fileprivate func refusals(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> [String] {
    if let sourceEntityName, source.entity(named: sourceEntityName) == nil {
      return ["\(name) is for \(sourceEntityName), which the store's model does not have"]
    }
    guard let destinationEntityName else { return [] }
    guard let entity = destination.entity(named: destinationEntityName) else {
      return ["\(name) makes \(destinationEntityName), which the new model does not have"]
    }
    if entity.isAbstract, sourceEntityName != nil, policyName == nil {
      let isUsed = source.entity(named: sourceEntityName ?? "").map { !$0.isAbstract } ?? false
      if isUsed { return ["\(name) makes \(destinationEntityName), which is abstract"] }
    }
    var refusals: [String] = []
    for property in attributeMappings where entity.attributeIndex(property.name) == nil {
      refusals.append("\(name) sets \(entity.name).\(property.name), which is no attribute")
    }
    for property in relationshipMappings where entity.relationship(named: property.name) == nil {
      refusals.append("\(name) sets \(entity.name).\(property.name), which is no relationship")
    }
    let known = policy?.functions ?? [:]
    for property in attributeMappings + relationshipMappings {
      guard case .expression(let expression) = property.content else { continue }
      for function in expression.functionNames where known[function] == nil {
        guard PredicateFunction(written: function) == nil,
          MigrationManager.Function(rawValue: function) == nil,
          MigrationMethod(rawValue: function) == nil,
          !PredicateFunction.identities.contains(function)
        else { continue }
        refusals.append("\(entity.name).\(property.name) calls \(function), which is not known")
      }
    }
    return refusals
  }

  /// The attributes and relationships of the source that are read; nil if a closure may read all.
  package var readKeys: Set<String>? {
    guard values == nil, policyName == nil else { return nil }
    var keys: Set<String> = []
    for property in attributeMappings + relationshipMappings {
      guard case .expression(let expression) = property.content else { return nil }
      keys.formUnion(expression.sourceKeys)
    }
    return keys
  }
}

extension FetchPredicate.Expression {
  /// The parts of the expression itself.
  private var parts: [FetchPredicate.Expression] {
    switch self {
    case .function(_, let arguments): arguments
    case .list(let items): items
    case .cast(let inner, _), .element(let inner, _), .subquery(let inner, _, _): [inner]
    case .ternary(_, let yes, let no): [yes, no]
    case .constant, .object, .keyPath, .variable, .selfObject: []
    }
  }

  /// The functions that are called.
  fileprivate var functionNames: [String] {
    let own: [String] = if case .function(let name, _) = self { [name] } else { [] }
    return own + parts.flatMap(\.functionNames)
  }

  /// The first keys of paths from the source.
  fileprivate var sourceKeys: [String] {
    switch self {
    case .variable(MigrationManager.sourceVariable, let keys): Array(keys.prefix(1))
    case .keyPath(let keys): Array(keys.prefix(1))
    default: parts.flatMap(\.sourceKeys)
    }
  }
}

extension MappingModel {
  /// The mappings for a person, a line each: `Person → Contact  by PersonToContact, policy Splitter`.
  package var lines: [String] {
    entityMappings.map { mapping in
      let names = [mapping.sourceEntityName, mapping.destinationEntityName].map { $0 ?? "nothing" }
      return "= \(names[0]) → \(names[1])  by \(mapping.name)"
        + (mapping.policyName.map { ", policy \($0)" } ?? "")
    }
  }
}
