import ObjectModel

/// How an OData service is asked for a fetch.
struct ODataQuery {
  /// The path of the set.
  let path: String
  /// `$filter` and `$orderby`, without escapes.
  ///
  /// Not `$top`: what is read is kept as all objects that there are.
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
    if let order = order(plan.sortDescriptors, entity) {
      options.append(("$orderby", order.text))
      // Keys that are no whole numbers have other numbers here.
      if order.isTrusted, ODataKeys(entity: entity).areIntegers { parts.insert(.order) }
    }
    sections = sections(of: plan, entity)
  }

  /// The order with the key at its end, and whether it is ours; nil if the service cannot order so.
  ///
  /// A service may order texts in another way, but what it sends first is near to what is shown
  /// first.
  private func order(_ descriptors: [FetchSortDescriptor], _ entity: ODataModel.Entity)
    -> (text: String, isTrusted: Bool)?
  {
    guard entity.capabilities.isSortable else { return nil }
    var texts: [String] = []
    var names: Set<String> = []
    var isTrusted = true
    for descriptor in descriptors {
      guard let property = entity.properties[descriptor.keyPath],
        !entity.capabilities.nonSortable.contains(property.text)
      else { return nil }
      switch property.kind {
      case .json: return nil
      case .enumeration: isTrusted = false
      case .primitive(let type, _):
        if [.string, .guid, .binary, .duration, .timeOfDay].contains(type) { isTrusted = false }
      }
      names.insert(descriptor.keyPath)
      texts.append(property.text + (descriptor.ascending ? "" : " desc"))
    }
    texts += entity.key.filter { !names.contains($0) }.compactMap { entity.properties[$0]?.text }
    return texts.isEmpty ? nil : (texts.joined(separator: ","), isTrusted)
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
