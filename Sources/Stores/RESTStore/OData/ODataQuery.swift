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
  private let entity: ODataModel.Entity

  /// Writes a fetch; nil if no set has objects of its entity.
  init?(_ plan: FetchPlan, _ model: ODataModel) {
    guard let entity = model.entities[plan.entityName], let path = entity.path,
      let description = model.model.entity(named: plan.entityName)
    else { return nil }
    (self.path, self.entity) = (path, entity)
    expand = Self.expand(
      description, model, plan.prefetchedPaths.compactMap { KeyPathText.components(of: $0)?[...] })
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

  /// `$apply` for the values of an attribute, each with its number of objects; nil if the service
  /// cannot say them.
  func groups(of attribute: String) -> String? {
    guard isExact, let property = entity.properties[attribute], property.kind != .json else {
      return nil
    }
    let filter = options.first { $0.0 == "$filter" }.map { "filter(\($0.1))/" } ?? ""
    return "\(filter)groupby((\(property.text)),aggregate($count as Rows))"
  }

  /// `$expand`: what makes objects at the ends of paths come with an object, and the keys of its to-one
  /// relationships, of those that it does not have in properties; nil if there are none.
  static func expand(
    _ entity: EntityDescription, _ model: ODataModel, _ paths: [ArraySlice<String>] = []
  ) -> String? {
    guard let own = model.entities[entity.name], own.capabilities.isExpandable else { return nil }
    let wanted = Dictionary(grouping: paths.filter { !$0.isEmpty }) { $0[$0.startIndex] }
    let texts = entity.relationships.compactMap { relationship -> String? in
      let name = relationship.name
      guard let destination = model.entities[relationship.destinationEntityName] else { return nil }
      if let paths = wanted[name],
        let description = model.model.entity(named: relationship.destinationEntityName)
      {
        let inner = expand(description, model, paths.map { $0.dropFirst() })
        return name + (inner.map { "($expand=\($0))" } ?? "")
      }
      guard !relationship.isToMany, own.foreignKeys[name] == nil, !destination.key.isEmpty else {
        return nil
      }
      let keys = destination.key.compactMap { destination.properties[$0]?.text }
      return "\(name)($select=\(keys.joined(separator: ",")))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: ",")
  }
}
