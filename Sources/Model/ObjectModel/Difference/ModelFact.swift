/// A fact about an entity or a property, as two versions of a model are compared by them.
struct ModelFact {
  let label: String
  let text: String

  init(_ label: String, _ text: String) { (self.label, self.text) = (label, text) }

  init(_ label: String, _ texts: some Sequence<String>) {
    self.init(label, texts.joined(separator: ", "))
  }

  /// What changes; all facts that say something if there is one version only.
  static func changes(from old: [ModelFact]?, to new: [ModelFact]?) -> [String] {
    guard let old, let new else {
      return (old ?? new ?? []).filter { !$0.text.isEmpty }.map { "\($0.label): \($0.text)" }
    }
    return zip(old, new).filter { $0.text != $1.text }.map { old, new in
      let texts = [old.text, new.text].map { $0.isEmpty ? "none" : $0 }
      return "\(new.label): \(texts[0]) → \(texts[1])"
    }
  }

  /// A line of what is added, removed or changed.
  static func line(from old: String?, to new: String?, _ changes: [String]) -> String {
    let name =
      switch (old, new) {
      case (let old?, let new?): old == new ? "~ \(new)" : "~ \(new) (was \(old))"
      case (let old?, nil): "- \(old)"
      case (nil, let new): "+ \(new ?? "")"
      }
    return changes.isEmpty ? name : name + "  " + changes.joined(separator: "; ")
  }
}

extension EntityDescription {
  /// The facts, in an order that all entities have.
  ///
  /// - Parameter name: The name of an entity in the version that is compared with.
  /// - Returns: The facts.
  func facts(naming name: (String) -> String) -> [ModelFact] {
    [
      ModelFact("superentity", superentityName.map(name) ?? ""),
      ModelFact("objects", isAbstract ? "abstract" : "own"),
      ModelFact("class", details.className ?? ""),
      ModelFact("unique", uniquenessConstraints.map { $0.joined(separator: " + ") }.sorted()),
      ModelFact("key", keyAttributes),
      ModelFact(
        "indexes",
        details.fetchIndexes.map { "\($0.name)" }.sorted()
          + details.compoundIndexes.map { $0.joined(separator: " + ") }.sorted()),
      ModelFact("hash modifier", details.versionHashModifier ?? ""),
    ]
  }
}

extension PropertyDetails {
  fileprivate var facts: [ModelFact] {
    [
      ModelFact("rules", validations.map(\.predicate)),
      ModelFact("indexed", isIndexed ? "yes" : ""),
      ModelFact("hash modifier", versionHashModifier ?? ""),
    ]
  }
}

extension AttributeDescription {
  var facts: [ModelFact] {
    let derivation = details.derivation
    return [
      ModelFact("type", type.rawValue),
      ModelFact("value", isOptional ? "optional" : "required"),
      ModelFact("default", details.defaultExpression ?? defaultValue.description),
      ModelFact("derived", derivation?.expression ?? ""),
      ModelFact("derived if", derivation?.filter ?? ""),
      ModelFact("transformer", details.valueTransformerName ?? ""),
      ModelFact("external files", details.allowsExternalBinaryDataStorage ? "allowed" : ""),
    ] + details.property.facts
  }

  /// The end of a sentence that says why values of an attribute cannot become values of this one; nil
  /// if they can.
  ///
  /// - Parameter source: The attribute; nil if this one is added.
  /// - Returns: The reason.
  func refusal(after source: AttributeDescription?) -> String? {
    // It is computed.
    if details.derivation != nil { return nil }
    if let source, !type.holdsAll(of: source.type) {
      return "cannot become \(type) without losing values of \(source.type)"
    }
    if !isOptional, source?.isOptional != false, !hasDefault {
      return "is required and has no default"
    }
    return nil
  }
}

extension AttributeType {
  /// Whether each value of another type is one of this type.
  func holdsAll(of other: AttributeType) -> Bool {
    if self == other { return true }
    let wider: [AttributeType: [AttributeType]] = [
      .boolean: [.integer16, .integer32, .integer64, .float, .double, .decimal],
      .integer16: [.integer32, .integer64, .float, .double, .decimal],
      .integer32: [.integer64, .double, .decimal],
      .integer64: [.decimal], .float: [.double],
    ]
    return wider[other]?.contains(self) ?? false
  }
}

extension RelationshipDescription {
  /// The facts, in an order that all relationships have.
  ///
  /// - Parameters:
  ///   - name: The name of an entity in the version that is compared with.
  ///   - inverse: The name of the inverse there; nil if there is none.
  /// - Returns: The facts.
  func facts(naming name: (String) -> String, inverse: String?) -> [ModelFact] {
    [
      ModelFact("to", name(destinationEntityName)),
      ModelFact("count", isToMany ? isOrdered ? "ordered to-many" : "to-many" : "to-one"),
      ModelFact("value", isOptional ? "optional" : "required"),
      ModelFact("inverse", inverse ?? ""), ModelFact("delete rule", deleteRule.rawValue),
      ModelFact("least", details.minCount == 0 ? "" : "\(details.minCount)"),
      ModelFact("most", details.maxCount < 2 ? "" : "\(details.maxCount)"),
    ] + details.property.facts
  }

  /// The end of a sentence that says why a relationship cannot become this one; nil if it can.
  ///
  /// - Parameters:
  ///   - source: The relationship; nil if this one is added.
  ///   - names: The names of entities in both versions.
  /// - Returns: The reason.
  func refusal(after source: RelationshipDescription?, _ names: EntityNames) -> String? {
    guard let source else { return isOptional ? nil : "is required, and no object has one" }
    if source.isToMany, !isToMany { return "may have several objects, and could keep one" }
    let possible = names.source.entityNames(inheritingFrom: source.destinationEntityName)
      .filter { names.source.entity(named: $0)?.isAbstract == false }
    let allowed = Set(names.destination.entityNames(inheritingFrom: destinationEntityName))
    let lost = possible.first { names.destinationName[$0].map { !allowed.contains($0) } ?? false }
    return lost.map { "may lead to \($0), which \(destinationEntityName) does not include" }
  }
}
