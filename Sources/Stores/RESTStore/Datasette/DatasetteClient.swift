import Foundation
package import ObjectModel

/// A client of a Datasette: its tables as JSON, page by page by their keys, and from version 1.0 on
/// its write API, if there is a token.
package final class DatasetteClient: RESTClient {
  let datasette: DatasetteModel
  private let isReadOnly: Bool

  init(baseURL: URL, _ datasette: DatasetteModel, isReadOnly: Bool) {
    (self.datasette, self.isReadOnly) = (datasette, isReadOnly)
    super.init(baseURL: baseURL, model: datasette.model)
  }

  /// What of the service is not shown, one sentence each.
  package var notes: [String] { datasette.notes }

  private func table(_ entity: EntityDescription) -> DatasetteModel.Table? {
    datasette.tables[entity.name]
  }

  package override func capabilities(of entity: EntityDescription) -> RESTCapabilities {
    guard let table = table(entity) else { return [] }
    var capabilities: RESTCapabilities = [.filter, .order, .count]
    if !isReadOnly { capabilities.formUnion(.writing) }
    if table.hasIntegerKey { capabilities.insert(.batch) } else { capabilities.insert(.textKeys) }
    return capabilities
  }

  package override func path(of entity: EntityDescription) -> String {
    table(entity)?.path ?? DatasetteText.encoded(entity.name)
  }

  package override func name(of property: String, in entity: EntityDescription) -> String {
    property
  }

  // MARK: Requests that read

  /// The rows of a table, without what takes time in large tables.
  private func rows(of entity: EntityDescription, _ query: [(String, String)]) -> HTTPRequest {
    let options = [
      ("_shape", "objects"), ("_nofacet", "1"), ("_nosuggest", "1"), ("_nocount", "1"),
    ]
    return request("\(path(of: entity)).json", query: options + query)
  }

  private func filter(_ plan: FetchPlan, _ entity: EntityDescription) -> DatasetteFilter? {
    guard let predicate = plan.predicate, let table = table(entity) else { return nil }
    return DatasetteFilter(predicate.predicate, of: entity, table)
  }

  package override func request(forFetch plan: FetchPlan) throws(StoreError) -> RESTFetch {
    let entity = try entity(plan.entityName)
    var query = [("_size", pageSize.map { "\($0)" } ?? "max")]
    var parts: PartialFetch.Parts = plan.predicate == nil ? [.predicate] : []
    let filter = filter(plan, entity)
    if let filter, !filter.query.isEmpty {
      query += filter.query
      parts.insert(.predicate)
    }
    let hasIntegers = table(entity)?.hasIntegerKey == true
    if plan.sortDescriptors.isEmpty {
      if hasIntegers { parts.insert(.order) }
    } else if plan.sortDescriptors.count == 1, let first = plan.sortDescriptors.first,
      entity.attribute(named: first.keyPath)?.type.isNumeric == true
    {
      // Equal ones are ordered by their keys.
      query.append((first.ascending ? "_sort" : "_sort_desc", first.keyPath))
      if hasIntegers { parts.insert(.order) }
    }
    var fetch = RESTFetch(rows(of: entity, query), parts: parts)
    fetch.rest = filter?.rest ?? []
    return fetch
  }

  package override func request(forObject key: RESTKey, of entity: EntityDescription)
    -> HTTPRequest
  {
    request("\(path(of: entity))/\(key.text).json", query: [("_shape", "objects")])
  }

  package override func request(forObjects keys: [RESTKey], of entity: EntityDescription)
    -> HTTPRequest?
  {
    guard let table = table(entity), table.hasIntegerKey else { return nil }
    let list = keys.map(\.text).joined(separator: ",")
    return rows(of: entity, [("_size", "max"), ("\(table.key[0])__in", list)])
  }

  package override func request(forCount plan: FetchPlan) throws(StoreError) -> HTTPRequest? {
    let entity = try entity(plan.entityName)
    let filter = filter(plan, entity)
    guard filter?.rest.isEmpty ?? true else { return nil }
    return request(
      "\(path(of: entity)).json",
      query: [
        ("_shape", "objects"), ("_size", "0"), ("_nofacet", "1"), ("_nosuggest", "1"),
        ("_extra", "count"),
      ] + (filter?.query ?? []))
  }

  // MARK: Answers

  package override func representations(in answer: RESTAnswer) throws(StoreError) -> [JSONValue] {
    if let row = answer.json["row"] { return [row] }
    guard let rows = answer.json["rows"]?.array else {
      throw StoreError(
        .other, doing: "reading", subject: answer.entity.name,
        detail: "the service answers \(answer.json.phrase) without rows in it")
    }
    return rows
  }

  /// The token and not the address: a Datasette behind a proxy may not know its own.
  package override func nextPage(after answer: RESTAnswer) -> HTTPRequest? {
    let token = answer.json["next"]?.string ?? answer.json["next"]?.integer.map { "\($0)" }
    guard let token,
      var parts = URLComponents(url: answer.request.url, resolvingAgainstBaseURL: true)
    else { return nil }
    var query = (parts.percentEncodedQuery ?? "").split(separator: "&")
      .filter { !$0.hasPrefix("_next=") }.map(String.init)
    query.append("_next=\(RESTNames.pathComponent(token))")
    parts.percentEncodedQuery = query.joined(separator: "&")
    return parts.url.map { HTTPRequest($0, headers: headers) }
  }

  package override func count(in answer: RESTAnswer) -> Int? {
    guard answer.json["count_truncated"] != true else { return nil }
    return (answer.json["count"] ?? answer.json["filtered_table_rows_count"])?.integer
      .map(Int.init(clamping:))
  }

  // MARK: Objects

  package override func identifier(of representation: JSONValue, in entity: EntityDescription)
    -> RESTKey?
  {
    guard let table = table(entity) else { return nil }
    let values = table.key.compactMap { representation[$0] }.filter { $0 != .null }
    guard values.count == table.key.count else { return nil }
    if table.hasIntegerKey, let number = values[0].integer { return .integer(number) }
    return .text(
      values.map { value in
        DatasetteText.encoded(value.string ?? String(decoding: value.bytes, as: UTF8.self))
      }.joined(separator: ","))
  }

  package override func attributes(of representation: JSONValue, in entity: EntityDescription)
    throws(StoreError) -> [String: Value]
  {
    var values: [String: Value] = [:]
    for attribute in entity.attributes {
      guard var json = representation[attribute.name] else { continue }
      // Bytes, and labels of foreign keys.
      if json["$base64"] == true, let text = json["encoded"] { json = text }
      if let value = json["value"], json["label"] != nil { json = value }
      if attribute.type == .boolean, let number = json.integer, number == 0 || number == 1 {
        json = .bool(number == 1)
      }
      guard let value = attribute.value(from: json) else {
        let text = String(decoding: json.bytes.prefix(40), as: UTF8.self)
        throw StoreError(
          .other, doing: "reading",
          subject: "\(entity.name) \(identifier(of: representation, in: entity)?.text ?? "")",
          detail: "\(attribute.name) is \(json.phrase), \(text), in a column that is declared "
            + (attribute.declaredType.isEmpty ? "without a type" : attribute.declaredType))
      }
      values[attribute.name] = value
    }
    return values
  }

  package override func relationships(of representation: JSONValue, in entity: EntityDescription)
    throws(StoreError) -> [String: [RESTReference]]
  {
    var found: [String: [RESTReference]] = [:]
    for (name, column) in table(entity)?.foreignKeys ?? [:] {
      guard let json = representation[column],
        let relationship = entity.relationship(named: name),
        let destination = model.entity(named: relationship.destinationEntityName)
      else { continue }
      let value = json["value"] ?? json
      guard value != .null else {
        found[name] = []
        continue
      }
      let isInteger = table(destination)?.hasIntegerKey == true
      let text = value.string ?? String(decoding: value.bytes, as: UTF8.self)
      let key = isInteger ? value.integer.map { RESTKey.integer($0) } : nil
      if let key = key ?? (isInteger ? nil : .text(DatasetteText.encoded(text))) {
        found[name] = [RESTReference(destination.name, key)]
      }
    }
    return found
  }

  // MARK: Saving

  package override func request(forSave changes: [RESTChange], keys: RESTKeys) throws(StoreError)
    -> HTTPRequest
  {
    guard let change = changes.first, changes.count == 1 else {
      return try super.request(forSave: changes, keys: keys)
    }
    let path = path(of: change.entity)
    let body: JSONValue
    var request: HTTPRequest
    switch change.kind {
    case .create:
      request = self.request("\(path)/-/insert", method: "POST")
      body = ["row": try self.body(of: change, keys: keys), "return": true]
    case .update:
      request = self.request("\(path)/\(change.key?.text ?? "")/-/update", method: "POST")
      body = ["update": try self.body(of: change, keys: keys), "return": true]
    case .delete:
      request = self.request("\(path)/\(change.key?.text ?? "")/-/delete", method: "POST")
      body = [:]
    }
    request.headers["Content-Type"] = "application/json"
    request.body = body.bytes
    return request
  }

  package override func body(of change: RESTChange, keys: RESTKeys) throws(StoreError)
    -> JSONValue
  {
    var body: [String: JSONValue] = [:]
    for (name, value) in change.values {
      // SQLite gives what nobody has set.
      if change.kind == .create, value.isNull { continue }
      body[name] =
        switch value {
        case .data(let data):
          ["$base64": true, "encoded": .string(data.base64EncodedString())]
        case .bool(let truth): .integer(truth ? 1 : 0)
        default: JSONValue(value)
        }
    }
    for (name, destination) in change.toOne {
      guard let column = table(change.entity)?.foreignKeys[name] else { continue }
      guard let destination else {
        if change.kind == .update { body[column] = .null }
        continue
      }
      guard let key = keys[destination] else {
        throw StoreError(
          .constraint, doing: "saving", subject: change.id.phrase,
          detail: "\(name) refers to \(destination.phrase), which the service does not have",
          objectIDs: [change.id, destination])
      }
      body[column] = JSONValue(key)
    }
    return .object(body)
  }

  package override func outcomes(of changes: [RESTChange], in answer: RESTAnswer)
    throws(StoreError) -> [RESTOutcome]
  {
    guard answer.response.isSuccess, answer.json["ok"] != false else {
      return try super.outcomes(of: changes, in: answer)
    }
    let row = answer.json["row"] ?? answer.json["rows"]?.array?.first
    return changes.map { _ in .saved(row) }
  }
}
