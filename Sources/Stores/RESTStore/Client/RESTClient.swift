public import Foundation
public import ObjectModel

/// What a ``RESTStore`` knows about its service: which requests it takes, and what its answers
/// mean.
///
/// It makes a plain service work as it is: `GET /people`, `GET /people/7`, `POST`, `PATCH` and
/// `DELETE`, JSON arrays or `{"items": […], "next": …}`, names like `created_at` for `createdAt`,
/// dates in ISO 8601. A subclass overrides what its service does in another way. It sends nothing
/// itself, and its store calls it from one thread at a time: it needs no locks.
open class RESTClient {
  /// The address of the service.
  public let baseURL: URL
  /// The model of its objects.
  public let model: ManagedObjectModel
  /// Headers of every request.
  public var headers: [String: String] = ["Accept": "application/json"]
  /// Returns the token of each request, or nil for none; it goes to the service's own host only.
  public var token: (() throws -> String?)?
  /// How many objects a page is asked to have, as `limit`; nil leaves that to the service.
  public var pageSize: Int?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: The address of the service.
  ///   - model: The model of its objects.
  public init(baseURL: URL, model: ManagedObjectModel) {
    (self.baseURL, self.model) = (baseURL, model)
  }

  // MARK: What the service can do

  /// What the service can do with the objects of an entity; by default all writing, and nothing
  /// else.
  open func capabilities(of entity: EntityDescription) -> RESTCapabilities { .writing }

  /// The part of an address that means all objects of an entity: `order-lines` is written here if
  /// it is not `order_lines`.
  open func path(of entity: EntityDescription) -> String {
    let words = RESTNames.snakeCase(entity.name).split(separator: "_").map(String.init)
    return (words.dropLast() + [EnglishNoun.plural(of: words.last ?? "")]).joined(separator: "_")
  }

  /// The name of an attribute or a relationship in the service: `created_at` for `createdAt`.
  ///
  /// In what is read the name of the model is understood, too.
  open func name(of property: String, in entity: EntityDescription) -> String {
    RESTNames.snakeCase(property)
  }

  /// Adds the token to a request, as `Authorization: Bearer`.
  open func authorize(_ request: inout HTTPRequest) throws(StoreError) {
    let text: String?
    do { text = try token?() } catch {
      throw StoreError(.permissionDenied, doing: "asking", subject: baseURL.absoluteString)
    }
    if let text { request.headers["Authorization"] = "Bearer \(text)" }
  }

  // MARK: Requests that read

  /// How a fetch is asked of the service, page by page.
  ///
  /// What the service does not do of it is done here. “Does the predicate” means that it returns at
  /// least the objects that meet it: they are looked at here again.
  ///
  /// - Parameter plan: What to fetch.
  /// - Returns: The request of the first page, and what the service does of the plan.
  /// - Throws: `StoreError` if objects of the entity cannot be listed.
  open func request(forFetch plan: FetchPlan) throws(StoreError) -> RESTFetch {
    let entity = try entity(plan.entityName)
    let capabilities = capabilities(of: entity)
    var query: [(String, String)] = []
    var parts: PartialFetch.Parts = plan.predicate == nil ? [.predicate] : []
    if let predicate = plan.predicate, capabilities.contains(.filter),
      let equalities = equalities(predicate, in: entity)
    {
      query += equalities
      parts.insert(.predicate)
    }
    if capabilities.contains(.order), !plan.sortDescriptors.isEmpty,
      let keys = sortKeys(plan.sortDescriptors, in: entity)
    {
      query.append(("sort", keys))
      parts.insert(.order)
    }
    if let pageSize { query.append(("limit", "\(pageSize)")) }
    return RESTFetch(request(path(of: entity), query: query), parts: parts)
  }

  /// The request that reads one object.
  open func request(forObject key: RESTKey, of entity: EntityDescription) -> HTTPRequest {
    request("\(path(of: entity))/\(RESTNames.pathComponent(key.text))")
  }

  /// The request that reads several objects, at most ``batchSize``; nil if the service has none, as
  /// by default without ``RESTCapabilities/batch``.
  open func request(forObjects keys: [RESTKey], of entity: EntityDescription) -> HTTPRequest? {
    guard capabilities(of: entity).contains(.batch) else { return nil }
    let ids = keys.map(\.text).joined(separator: ",")
    return request(path(of: entity), query: [("ids", ids)])
  }

  /// How many objects are asked for at once.
  open var batchSize: Int { 100 }

  /// The request that reads the objects that a relationship leads to; nil if they come with the
  /// object or refer to it, as by default.
  open func request(
    forRelationship relationship: RelationshipDescription, of key: RESTKey,
    in entity: EntityDescription
  ) -> HTTPRequest? { nil }

  /// The request that counts the objects of a fetch; nil if the service cannot, as by default
  /// without ``RESTCapabilities/count``, or for a predicate that it does not know.
  open func request(forCount plan: FetchPlan) throws(StoreError) -> HTTPRequest? {
    let entity = try entity(plan.entityName)
    guard capabilities(of: entity).contains(.count), plan.predicate == nil else { return nil }
    return request(path(of: entity), query: [("limit", "0")])
  }

  /// The request for the values of an attribute among the objects of a fetch, each with its number
  /// of objects; nil if the service does not group.
  func request(forGroupsOf attribute: String, in plan: FetchPlan) throws(StoreError)
    -> HTTPRequest?
  { nil }

  /// The request for what has changed since an answer; nil if the service cannot tell, as by
  /// default without ``RESTCapabilities/changes``.
  ///
  /// - Parameters:
  ///   - token: What ``changesToken(in:)`` gave.
  ///   - entity: The entity.
  /// - Returns: The request of the first page.
  open func request(forChangesSince token: String, of entity: EntityDescription) -> HTTPRequest? {
    guard capabilities(of: entity).contains(.changes) else { return nil }
    return request(path(of: entity), query: [("since", token)])
  }

  // MARK: Answers

  /// The objects in an answer: an array, the `items`, `results` or `data` of an object, or an
  /// object.
  open func representations(in answer: RESTAnswer) throws(StoreError) -> [JSONValue] {
    if let array = answer.json.array { return array }
    for key in ["items", "results", "data"] {
      if let array = answer.json[key]?.array { return array }
    }
    if identifier(of: answer.json, in: answer.entity) != nil { return [answer.json] }
    if answer.json == .null { return [] }
    throw StoreError(
      .other, doing: "reading", subject: answer.entity.name,
      detail: "the service answers \(answer.json.phrase) without objects in it",
      remedy: "override representations(in:)")
  }

  /// The request of the next page: `next` of the answer, or the header `Link` with `rel="next"`;
  /// nil after the last one.
  open func nextPage(after answer: RESTAnswer) -> HTTPRequest? {
    let link =
      answer.json["next"]?.string ?? answer.response.headers["link"].flatMap(RESTNames.nextLink)
    guard let link, let url = URL(string: link, relativeTo: answer.request.url) else { return nil }
    return HTTPRequest(url.absoluteURL, headers: headers)
  }

  /// How many objects there are in all: `total` or `count` of the answer, or the header
  /// `X-Total-Count`; nil if it does not say.
  open func count(in answer: RESTAnswer) -> Int? {
    let number = answer.json["total"]?.integer ?? answer.json["count"]?.integer
    return number.map(Int.init(clamping:))
      ?? answer.response.headers["x-total-count"].flatMap { Int($0) }
  }

  /// The values of an attribute in an answer to ``request(forGroupsOf:in:)``, each with its number of
  /// objects; nil if the answer has no groups.
  func groups(of attribute: String, in answer: RESTAnswer) -> [(Value, Int)]? { nil }

  /// What to ask for changes with later: `since` of the last page; nil if it does not say.
  open func changesToken(in answer: RESTAnswer) -> String? {
    capabilities(of: answer.entity).contains(.changes) ? answer.json["since"]?.string : nil
  }

  /// The keys of objects of which an answer about changes says that they were deleted: `deleted`.
  open func deletedIdentifiers(in answer: RESTAnswer) -> [RESTKey] {
    (answer.json["deleted"]?.array ?? []).compactMap { RESTKey($0) }
  }

  // MARK: Objects

  /// The name of an object's own entity, which may be a subentity; by default that which was asked
  /// for.
  open func entityName(of representation: JSONValue, in entity: EntityDescription) -> String {
    entity.name
  }

  /// The key of an object: `id`; nil if it has none.
  open func identifier(of representation: JSONValue, in entity: EntityDescription) -> RESTKey? {
    representation["id"].flatMap { RESTKey($0) }
  }

  /// The version of an object, an ETag: `etag`; nil if it does not come with the object.
  ///
  /// That of an answer with one object is in its header.
  open func version(of representation: JSONValue, in entity: EntityDescription) -> String? {
    entity.attribute(named: "etag") == nil ? representation["etag"]?.string : nil
  }

  /// The attributes of an object by name, decoded; those that are missing keep their values.
  ///
  /// - Throws: `StoreError` for a value that is none of the attribute's type.
  open func attributes(of representation: JSONValue, in entity: EntityDescription)
    throws(StoreError) -> [String: Value]
  {
    var values: [String: Value] = [:]
    for attribute in entity.attributes where attribute.type != .transformable {
      guard let json = member(attribute.name, of: representation, in: entity) else { continue }
      guard let value = attribute.value(from: json) else {
        throw unexpected(json, attribute.name, representation, entity, "\(attribute.type)")
      }
      values[attribute.name] = value
    }
    return values
  }

  /// Where the relationships of an object lead; those that are missing stay as they are.
  ///
  /// A key is `owner_id`, or an object or a key in `owner`; a to-many relationship is an array of
  /// them.
  open func relationships(of representation: JSONValue, in entity: EntityDescription)
    throws(StoreError) -> [String: [RESTReference]]
  {
    var found: [String: [RESTReference]] = [:]
    for relationship in entity.relationships {
      let name = relationship.name
      guard let destination = model.entity(named: relationship.destinationEntityName),
        let json = member(name, of: representation, in: entity)
          ?? member(name + "_id", of: representation, in: entity)
      else { continue }
      let members = json == .null ? [] : relationship.isToMany ? json.array : [json]
      var references: [RESTReference] = []
      for json in members ?? [json] {
        let key = json.object == nil ? RESTKey(json) : identifier(of: json, in: destination)
        guard let key else {
          throw unexpected(json, name, representation, entity, "key of \(destination.name)")
        }
        references.append(
          RESTReference(
            entityName(of: json, in: destination), key,
            representation: json.object == nil ? nil : json))
      }
      found[name] = references
    }
    return found
  }

  // MARK: Saving

  /// Divides a save into what goes with one request each, in this order; by default each change by
  /// itself.
  open func batches(of changes: [RESTChange]) -> [[RESTChange]] { changes.map { [$0] } }

  /// The request that makes changes: `POST /people`, `PATCH /people/7` or `DELETE /people/7`, with
  /// `If-Match` and `Idempotency-Key`.
  ///
  /// - Parameters:
  ///   - changes: Those of one of the ``batches(of:)``, of which a new object refers to those
  ///     before it.
  ///   - keys: The keys of the objects that they refer to.
  /// - Returns: The request.
  /// - Throws: `StoreError` if the service cannot do that.
  open func request(forSave changes: [RESTChange], keys: RESTKeys) throws(StoreError)
    -> HTTPRequest
  {
    guard let change = changes.first, changes.count == 1 else {
      throw StoreError(.unsupported, doing: "saving", detail: "the service takes one change a time")
    }
    var path = path(of: change.entity)
    if let key = change.key, change.kind != .create {
      path += "/\(RESTNames.pathComponent(key.text))"
    }
    let method =
      switch change.kind {
      case .create: "POST"
      case .update: "PATCH"
      case .delete: "DELETE"
      }
    var request = request(path, method: method)
    if let version = change.version { request.headers["If-Match"] = version }
    if change.kind == .create { request.headers["Idempotency-Key"] = change.idempotencyKey }
    if change.kind == .delete { return request }
    request.headers["Content-Type"] = "application/json"
    request.body = try body(of: change, keys: keys).bytes
    return request
  }

  /// The body of a request that creates or changes an object: its values, and the keys of its
  /// to-one relationships as `owner_id`.
  ///
  /// - Throws: `StoreError` for links of a to-many relationship, which each service writes its own
  ///   way.
  open func body(of change: RESTChange, keys: RESTKeys) throws(StoreError) -> JSONValue {
    var body: [String: JSONValue] = [:]
    // It was deleted, and is to be the same again.
    if change.kind == .create { body["id"] = change.key.map(JSONValue.init) }
    for (attribute, value) in change.values {
      body[name(of: attribute, in: change.entity)] = JSONValue(value)
    }
    for (relationship, destination) in change.toOne {
      body[name(of: relationship, in: change.entity) + "_id"] =
        destination.flatMap { keys[$0] }.map(JSONValue.init) ?? .null
    }
    if let name = change.added.keys.min() ?? change.removed.keys.min() {
      throw StoreError(
        .unsupported, doing: "saving", subject: "\(change.entity.name).\(name)",
        detail: "how links are written is not known", remedy: "override body(of:keys:)")
    }
    return .object(body)
  }

  /// What the service said to each change of a request.
  ///
  /// By default the answer is one object, or empty; 409 and 412 are conflicts, 404 too; other 4xx
  /// are refusals.
  ///
  /// - Parameters:
  ///   - changes: What the request was for.
  ///   - answer: The answer; a status of 5xx is none, because the service may have done it.
  /// - Returns: An outcome for each change, in their order.
  /// - Throws: `StoreError` if the answer says nothing of the changes, as without permission.
  open func outcomes(of changes: [RESTChange], in answer: RESTAnswer) throws(StoreError)
    -> [RESTOutcome]
  {
    let outcome: RESTOutcome
    switch answer.response.status {
    case 200..<300: outcome = .saved(answer.json.object == nil ? nil : answer.json)
    case 404, 409, 410, 412: outcome = .conflict
    case 401, 403: throw StoreError(answer)
    default: outcome = .refused(refusals(in: answer))
    }
    return changes.map { _ in outcome }
  }

  /// The reasons of a refusal.
  ///
  /// It understands `errors` by property or as a list, RFC 9457, and what OData, Rails, Django and
  /// FastAPI answer.
  open func refusals(in answer: RESTAnswer) -> [RESTRefusal] {
    RESTRefusals(answer) { remote in
      let names = answer.entity.attributes.map(\.name) + answer.entity.relationships.map(\.name)
      return names.first {
        let name = self.name(of: $0, in: answer.entity)
        return [$0, name, name + "_id"].contains(remote)
      }
    }.all
  }
}
