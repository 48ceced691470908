package import ObjectModel

// What the requests and answers of a plain service are made of; subclasses use it too.
extension RESTClient {
  /// A request of a path below the address of the service.
  ///
  /// - Parameters:
  ///   - path: The path, with its escapes, without a slash before it.
  ///   - method: The method.
  ///   - query: Names and values, without escapes.
  /// - Returns: The request, with the headers of the client.
  public func request(_ path: String, method: String = "GET", query: [(String, String)] = [])
    -> HTTPRequest
  {
    HTTPRequest(
      baseURL.appending(escaped: path, query: query), method: method, headers: headers)
  }

  /// The entity with a name.
  ///
  /// - Throws: `StoreError` if there is none.
  package func entity(_ name: String) throws(StoreError) -> EntityDescription {
    guard let entity = model.entity(named: name) else {
      throw StoreError(.unknownName, doing: "asking", subject: name)
    }
    return entity
  }

  /// The member of a representation for a property: by its name in the service, or in the model.
  package func member(
    _ property: String, of representation: JSONValue, in entity: EntityDescription
  ) -> JSONValue? {
    representation[name(of: property, in: entity)] ?? representation[property]
  }

  func unexpected(
    _ json: JSONValue, _ property: String, _ representation: JSONValue,
    _ entity: EntityDescription, _ type: String
  ) -> StoreError {
    let key = identifier(of: representation, in: entity).map { " \($0.text)" } ?? ""
    let text = String(decoding: json.bytes.prefix(40), as: UTF8.self)
    return StoreError(
      .other, doing: "reading", subject: "\(entity.name)\(key)",
      detail: "\(property) is \(json.phrase), \(text), and no \(type)",
      remedy: "change the model, or override attributes(of:in:)")
  }

  /// A predicate as names and values that must be equal; nil for any other one.
  func equalities(_ predicate: ValidatedPredicate, in entity: EntityDescription)
    -> [(String, String)]?
  {
    var found: [(String, String)] = []
    for (attribute, value) in predicate.equalities ?? [] {
      guard entity.attribute(named: attribute) != nil, !value.isNull else { return nil }
      found.append((name(of: attribute, in: entity), JSONValue(value).queryText))
    }
    return predicate.equalities == nil ? nil : found
  }

  /// An order as `name,-born`; nil if it is not one of attributes.
  func sortKeys(_ descriptors: [FetchSortDescriptor], in entity: EntityDescription)
    -> String?
  {
    var keys: [String] = []
    for descriptor in descriptors {
      guard entity.attribute(named: descriptor.keyPath) != nil else { return nil }
      keys.append((descriptor.ascending ? "" : "-") + name(of: descriptor.keyPath, in: entity))
    }
    return keys.joined(separator: ",")
  }
}
