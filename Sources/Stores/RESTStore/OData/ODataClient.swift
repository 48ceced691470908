package import Foundation
package import ObjectModel

/// A client of any OData 4 service, which takes everything that it needs to know from the service's
/// metadata.
package final class ODataClient: RESTClient {
  let odata: ODataModel
  /// The entities whose objects came with an ETag.
  private var versioned: Set<String> = []
  /// The entities that came with a link to their changes.
  private var tracked: Set<String> = []

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: The address of the service, in front of `$metadata`.
  ///   - metadata: What the service answers there, CSDL as XML.
  /// - Throws: `StoreError` if that is no metadata of OData 4.
  package convenience init(baseURL: URL, metadata: Data) throws(StoreError) {
    self.init(baseURL: baseURL, try ODataModel(CSDLReader.document(of: metadata)))
  }

  init(baseURL: URL, _ odata: ODataModel) {
    self.odata = odata
    super.init(baseURL: baseURL, model: odata.model)
    headers = [
      "Accept": "application/json;odata.metadata=minimal",
      "OData-MaxVersion": odata.is401 ? "4.01" : "4.0",
    ]
  }

  /// What of the service is not shown, one sentence each.
  package var notes: [String] { odata.notes }

  // MARK: Entities

  func keys(of entity: EntityDescription) -> ODataKeys? {
    odata.entities[entity.name].map(ODataKeys.init)
  }

  package override func capabilities(of entity: EntityDescription) -> RESTCapabilities {
    guard let own = odata.entities[entity.name], let keys = keys(of: entity) else { return [] }
    let can = own.capabilities
    var capabilities: RESTCapabilities = []
    if can.isFilterable { capabilities.formUnion([.filter, .batch]) }
    if can.isSortable { capabilities.insert(.order) }
    if can.hasCount { capabilities.insert(.count) }
    if can.hasVersions || versioned.contains(entity.name) { capabilities.insert(.versions) }
    if can.tracksChanges || tracked.contains(entity.name) { capabilities.insert(.changes) }
    if own.setName != nil {
      if can.isInsertable { capabilities.insert(.create) }
      if can.isUpdatable { capabilities.insert(.update) }
      if can.isDeletable { capabilities.insert(.delete) }
    }
    if !keys.areIntegers { capabilities.insert(.textKeys) }
    return capabilities
  }

  package override func path(of entity: EntityDescription) -> String {
    odata.entities[entity.name]?.path ?? entity.name
  }

  /// The path of an object: that of its set, with its key.
  func path(of key: RESTKey, _ entity: EntityDescription) -> String {
    let set = odata.entities[entity.name]?.setName ?? entity.name
    return "\(set)(\(ODataText.encoded(key.text).replacingOccurrences(of: "/", with: "%2F")))"
  }

  package override func name(of property: String, in entity: EntityDescription) -> String {
    odata.entities[entity.name]?.properties[property]?.text ?? property
  }

  // MARK: Requests that read

  func request(_ path: String, options: [(String, String)], prefer: [String] = []) -> HTTPRequest {
    var request = request(path)
    let query = options.map { "\($0)=\(ODataText.encoded($1))" }.joined(separator: "&")
    if !query.isEmpty, var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) {
      parts.percentEncodedQuery = query
      request.url = parts.url ?? request.url
    }
    if !prefer.isEmpty { request.headers["Prefer"] = prefer.joined(separator: ",") }
    return request
  }

  package override func request(forFetch plan: FetchPlan) throws(StoreError) -> RESTFetch {
    let query = try query(for: plan)
    var options = query.options
    if let expand = query.expand { options.append(("$expand", expand)) }
    if odata.entities[plan.entityName]?.capabilities.hasCount == true, plan.predicate == nil {
      options.append(("$count", "true"))
    }
    var prefer = pageSize.map { ["odata.maxpagesize=\($0)"] } ?? []
    if plan.predicate == nil { prefer.append("odata.track-changes") }
    var fetch = RESTFetch(
      request(query.path, options: options, prefer: prefer), parts: query.parts)
    fetch.rest = query.rest
    fetch.hasPrefetched = odata.entities[plan.entityName]?.capabilities.isExpandable == true
    return fetch
  }

  /// How the service is asked for a fetch.
  ///
  /// - Throws: `StoreError` if no set has objects of its entity.
  func query(for plan: FetchPlan) throws(StoreError) -> ODataQuery {
    guard let query = ODataQuery(plan, odata) else {
      throw StoreError(
        .unsupported, doing: "fetching", subject: plan.entityName,
        detail: "no set of the service has them", remedy: "reach them by a relationship")
    }
    return query
  }

  /// The option that makes keys of to-one relationships come with an object.
  private func expand(_ entity: EntityDescription) -> [(String, String)] {
    ODataQuery.expand(entity, odata).map { [("$expand", $0)] } ?? []
  }

  package override func request(forObject key: RESTKey, of entity: EntityDescription)
    -> HTTPRequest
  {
    request(path(of: key, entity), options: expand(entity))
  }

  package override var batchSize: Int { 40 }

  package override func request(forObjects keys: [RESTKey], of entity: EntityDescription)
    -> HTTPRequest?
  {
    guard let own = self.keys(of: entity), own.entity.capabilities.isFilterable,
      own.entity.path != nil
    else { return nil }
    let conditions = keys.map { own.condition($0) }
    let filter =
      conditions.count == 1
      ? conditions[0]
      : conditions.map { $0.contains(" and ") ? "(\($0))" : $0 }.joined(separator: " or ")
    return request(path(of: entity), options: [("$filter", filter)] + expand(entity))
  }

  /// Those of links between many and many, and of relationships that only lead one way.
  package override func request(
    forRelationship relationship: RelationshipDescription, of key: RESTKey,
    in entity: EntityDescription
  ) -> HTTPRequest? {
    guard relationship.isToMany,
      let destination = model.entity(named: relationship.destinationEntityName)
    else { return nil }
    let inverse = relationship.inverseName.flatMap { destination.relationship(named: $0) }
    guard inverse?.isToMany ?? true else { return nil }
    return request(
      "\(path(of: key, entity))/\(relationship.name)", options: expand(destination))
  }

  package override func request(forCount plan: FetchPlan) throws(StoreError) -> HTTPRequest? {
    let query = try query(for: plan)
    guard query.isExact, odata.entities[plan.entityName]?.capabilities.hasCount == true else {
      return nil
    }
    var request = request(
      "\(query.path)/$count", options: query.options.filter { $0.0 == "$filter" })
    // A number alone is JSON, too.
    request.headers["Accept"] = "text/plain"
    return request
  }

  package override func request(forChangesSince token: String, of entity: EntityDescription)
    -> HTTPRequest?
  {
    URL(string: token).map { HTTPRequest($0, headers: headers) }
  }

  override func request(forGroupsOf attribute: String, in plan: FetchPlan) throws(StoreError)
    -> HTTPRequest?
  {
    let query = try query(for: plan)
    return query.groups(of: attribute).map { request(query.path, options: [("$apply", $0)]) }
  }

  // MARK: Answers

  package override func representations(in answer: RESTAnswer) throws(StoreError) -> [JSONValue] {
    if answer.json == .null { return [] }
    if let list = answer.json["value"]?.array {
      return list.filter { !$0.isRemoved && !$0.isLink }
    }
    if answer.json.object != nil, identifier(of: answer.json, in: answer.entity) != nil {
      return [answer.json]
    }
    throw StoreError(
      .other, doing: "reading", subject: answer.entity.name,
      detail: "the service answers \(answer.json.phrase) without objects in it",
      remedy: "check that the address is that of the service's root")
  }

  package override func nextPage(after answer: RESTAnswer) -> HTTPRequest? {
    guard let link = answer.json.control("nextLink")?.string,
      let url = URL(string: link, relativeTo: answer.request.url)
    else { return nil }
    var next = HTTPRequest(url.absoluteURL, headers: headers)
    next.headers["Prefer"] = answer.request.headers["Prefer"]
    return next
  }

  package override func count(in answer: RESTAnswer) -> Int? {
    (answer.json.control("count")?.integer ?? answer.json.integer).map(Int.init(clamping:))
  }

  override func groups(of attribute: String, in answer: RESTAnswer) -> [(Value, Int)]? {
    guard let property = odata.entities[answer.entity.name]?.properties[attribute],
      let groups = answer.json["value"]?.array
    else { return nil }
    let found = groups.compactMap { group -> (Value, Int)? in
      guard let count = group["Rows"]?.integer,
        let value = ODataValue(property.kind).value(group.member(at: property.path) ?? .null)
      else { return nil }
      return (value, Int(clamping: count))
    }
    return found.count == groups.count ? found : nil
  }

  package override func changesToken(in answer: RESTAnswer) -> String? {
    guard let link = answer.json.control("deltaLink")?.string,
      let url = URL(string: link, relativeTo: answer.request.url)
    else { return nil }
    tracked.insert(answer.entity.name)
    return url.absoluteString
  }

  package override func deletedIdentifiers(in answer: RESTAnswer) -> [RESTKey] {
    let keys = keys(of: answer.entity)
    return (answer.json["value"]?.array ?? []).filter(\.isRemoved).compactMap { keys?.key(of: $0) }
  }

  // MARK: Objects

  package override func entityName(of representation: JSONValue, in entity: EntityDescription)
    -> String
  {
    guard let type = representation.control("type")?.string, let mark = type.lastIndex(of: "#")
    else { return entity.name }
    return odata.names[String(type[type.index(after: mark)...])] ?? entity.name
  }

  package override func identifier(of representation: JSONValue, in entity: EntityDescription)
    -> RESTKey?
  {
    keys(of: entity)?.key(of: representation)
  }

  package override func version(of representation: JSONValue, in entity: EntityDescription)
    -> String?
  {
    guard let etag = representation.control("etag")?.string else { return nil }
    versioned.insert(entity.name)
    return etag
  }

  package override func attributes(of representation: JSONValue, in entity: EntityDescription)
    throws(StoreError) -> [String: Value]
  {
    var values: [String: Value] = [:]
    for (name, property) in odata.entities[entity.name]?.properties ?? [:] {
      guard let json = representation.member(at: property.path) else { continue }
      guard let value = ODataValue(property.kind).value(json) else {
        let key = identifier(of: representation, in: entity)?.text ?? ""
        let text = String(decoding: json.bytes.prefix(40), as: UTF8.self)
        throw StoreError(
          .other, doing: "reading", subject: "\(entity.name) \(key)",
          detail: "\(name) is \(json.phrase), \(text), and none of its type in the metadata")
      }
      values[name] = value
    }
    return values
  }

  package override func relationships(of representation: JSONValue, in entity: EntityDescription)
    throws(StoreError) -> [String: [RESTReference]]
  {
    var found: [String: [RESTReference]] = [:]
    for relationship in entity.relationships {
      guard let destination = model.entity(named: relationship.destinationEntityName) else {
        continue
      }
      if let json = representation[relationship.name] {
        // A page of a collection does not say what is not in it.
        guard representation.control("nextLink", of: relationship.name) == nil else { continue }
        found[relationship.name] = references(in: json, to: destination)
      } else {
        found[relationship.name] = foreignKey(
          of: relationship, in: representation, entity, destination)
      }
    }
    return found
  }

  private func references(in json: JSONValue, to destination: EntityDescription) -> [RESTReference]?
  {
    let members = json.array ?? (json == .null ? [] : [json])
    let references = members.compactMap { member -> RESTReference? in
      guard let key = identifier(of: member, in: destination) else { return nil }
      let name = entityName(of: member, in: destination)
      let names = odata.entities[name]?.properties.values.map { $0.path[0] } ?? []
      // With its key alone it is a reference and not the object.
      let isWhole = names.allSatisfy { member[$0] != nil }
      return RESTReference(name, key, representation: isWhole ? member : nil)
    }
    return references.count == members.count ? references : nil
  }

  /// Where a relationship leads by the key that an object has of its destination; nil if it does not
  /// have it.
  private func foreignKey(
    of relationship: RelationshipDescription, in representation: JSONValue,
    _ entity: EntityDescription, _ destination: EntityDescription
  ) -> [RESTReference]? {
    guard let own = odata.entities[entity.name], let names = own.foreignKeys[relationship.name]
    else { return nil }
    let values = names.compactMap { name -> Value? in
      guard let property = own.properties[name] else { return nil }
      return representation.member(at: property.path)
        .flatMap { ODataValue(property.kind).value($0) }
    }
    guard values.count == names.count else { return nil }
    if values.contains(where: \.isNull) { return [] }
    return keys(of: destination)?.key(values).map { [RESTReference(destination.name, $0)] }
  }

  // MARK: Saving

  package override func batches(of changes: [RESTChange]) -> [[RESTChange]] {
    odata.hasBatch ? [changes] : super.batches(of: changes)
  }

  package override func request(forSave changes: [RESTChange], keys: RESTKeys) throws(StoreError)
    -> HTTPRequest
  {
    if odata.hasBatch { return try batch(changes, keys: keys) }
    guard let change = changes.first, changes.count == 1 else {
      return try super.request(forSave: changes, keys: keys)
    }
    return try single(change, keys: keys)
  }

  package override func outcomes(of changes: [RESTChange], in answer: RESTAnswer)
    throws(StoreError) -> [RESTOutcome]
  {
    guard odata.hasBatch, answer.response.isSuccess else {
      return try super.outcomes(of: changes, in: answer)
    }
    return try outcomes(ofBatch: changes, in: answer)
  }
}

extension JSONValue {
  /// Whether an entry of an answer about changes is an object that was deleted.
  fileprivate var isRemoved: Bool {
    control("removed") != nil || contextEnds("/$deletedEntity")
  }

  /// Whether an entry of an answer about changes is a link.
  fileprivate var isLink: Bool { contextEnds("/$link") || contextEnds("/$deletedLink") }

  private func contextEnds(_ text: String) -> Bool {
    control("context")?.string?.hasSuffix(text) == true
  }
}
