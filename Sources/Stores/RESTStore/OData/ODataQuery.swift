import ObjectModel

/// How an OData service is asked for a fetch.
struct ODataQuery {
  /// The path of the set.
  let path: String
  /// `$filter`, `$orderby`, `$top` and `$skip`, without escapes.
  private(set) var options: [(String, String)] = []
  /// What of the fetch the service does.
  private(set) var parts: PartialFetch.Parts = []
  /// Whether the service returns exactly the objects that meet the predicate.
  private(set) var isExact = true
  /// What of the predicate is evaluated here, as predicate formats.
  private(set) var rest: [String] = []
  /// `$expand`; nil if nothing needs it.
  let expand: String?
  /// `$apply` for the sections with their counts; nil if the service cannot say them.
  private(set) var sections: String?

  /// Writes a fetch; nil if no set has objects of its entity.
  init?(_ plan: FetchPlan, _ model: ODataModel) {
    guard let entity = model.entities[plan.entityName], let path = entity.path,
      let description = model.model.entity(named: plan.entityName)
    else { return nil }
    self.path = path
    expand = Self.expand(description, model)
    if let predicate = plan.predicate {
      // Whole numbers are keys in the service, too.
      let filter = ODataFilter(model, entityName: plan.entityName) { id in
        guard let entity = model.entities[id.entityName], ODataKeys(entity: entity).areIntegers
        else { return nil }
        return id.keyValues
      }
      let answer = filter.answer(to: predicate.predicate)
      (isExact, rest) = (answer.isExact, answer.rest)
      if let text = answer.text {
        options.append(("$filter", text))
        parts.insert(.predicate)
      }
    } else {
      parts.insert(.predicate)
    }
    let hasIntegers = ODataKeys(entity: entity).areIntegers
    if let order = order(plan.sortDescriptors, entity) {
      options.append(("$orderby", order))
      // Other keys have other numbers here.
      if hasIntegers || plan.sortDescriptors.isEmpty { parts.insert(.order) }
    }
    addWindow(plan, entity, isOrdered: hasIntegers && parts.contains(.order))
    sections = sections(of: plan, entity)
  }

  /// The order with the key at its end; nil if the service may order in another way, as texts.
  private func order(_ descriptors: [FetchSortDescriptor], _ entity: ODataModel.Entity) -> String? {
    guard entity.capabilities.isSortable else { return nil }
    var texts: [String] = []
    var names: Set<String> = []
    for descriptor in descriptors {
      guard let property = entity.properties[descriptor.keyPath],
        !entity.capabilities.nonSortable.contains(property.text),
        case .primitive(let type, _) = property.kind
      else { return nil }
      switch type {
      case .string, .guid, .binary, .duration, .timeOfDay: return nil
      default: break
      }
      names.insert(descriptor.keyPath)
      texts.append(property.text + (descriptor.ascending ? "" : " desc"))
    }
    texts += entity.key.filter { !names.contains($0) }.compactMap { entity.properties[$0]?.text }
    return texts.isEmpty ? nil : texts.joined(separator: ",")
  }

  private mutating func addWindow(
    _ plan: FetchPlan, _ entity: ODataModel.Entity, isOrdered: Bool
  ) {
    guard isOrdered, isExact, !plan.isFromEnd, plan.sectionKey == nil,
      plan.limit != nil || plan.offset > 0, plan.limit == nil || entity.capabilities.hasTop,
      plan.offset == 0 || entity.capabilities.hasSkip
    else { return }
    if let limit = plan.limit { options.append(("$top", "\(max(0, limit))")) }
    if plan.offset > 0 { options.append(("$skip", "\(plan.offset)")) }
    parts.insert(.window)
  }

  private func sections(of plan: FetchPlan, _ entity: ODataModel.Entity) -> String? {
    guard isExact, let key = plan.sectionKey, key.transform == .value,
      let property = entity.properties[key.keyPath], property.kind != .json
    else { return nil }
    let filter = options.first { $0.0 == "$filter" }.map { "filter(\($0.1))/" } ?? ""
    return "\(filter)groupby((\(property.text)),aggregate($count as Rows))"
  }

  /// What makes the keys of to-one relationships come with an object, of those that it does not have
  /// in properties; nil if there are none.
  static func expand(_ entity: EntityDescription, _ model: ODataModel) -> String? {
    guard let own = model.entities[entity.name], own.capabilities.isExpandable else { return nil }
    let texts = entity.toOneRelationships.compactMap { relationship -> String? in
      guard own.foreignKeys[relationship.name] == nil,
        let destination = model.entities[relationship.destinationEntityName],
        !destination.key.isEmpty
      else { return nil }
      let keys = destination.key.compactMap { destination.properties[$0]?.text }
      return "\(relationship.name)($select=\(keys.joined(separator: ",")))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: ",")
  }
}
