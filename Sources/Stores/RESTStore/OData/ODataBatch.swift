import Foundation
import ObjectModel

/// One request of a save.
struct ODataOperation {
  /// Its name in the batch: `c3` for the change at index 3, `c3.1` for the first of its links.
  var id: String
  var method: String
  /// The address below the root of the service, or `$c3` for an object that the batch creates.
  var path: String
  var headers: [String: String] = [:]
  var body: JSONValue?
  /// The operations that it refers to.
  var references: [String] = []

  /// The index of the change that it is of.
  static func change(of id: String) -> Int? {
    id.hasPrefix("c") ? Int(id.dropFirst().prefix { $0 != "." }) : nil
  }
}

/// Writes changes as the operations of a save.
///
/// Bodies are those of version 4.0, which services of 4.01 take too.
struct ODataOperations {
  let client: ODataClient
  let changes: [RESTChange]
  let keys: RESTKeys

  private var odata: ODataModel { client.odata }

  /// The operations in order: those of a change, then those of its links.
  ///
  /// - Throws: `StoreError` if the service has no set for an object, or a reference has no key.
  func all() throws(StoreError) -> [ODataOperation] {
    var operations: [ODataOperation] = []
    for (index, change) in changes.enumerated() {
      guard odata.entities[change.entity.name]?.setName != nil else {
        throw StoreError(
          .unsupported, doing: "saving", subject: change.entity.name,
          detail: "no set of the service has them")
      }
      operations += try self.operations(change, "c\(index)")
    }
    return operations
  }

  private func operations(_ change: RESTChange, _ name: String) throws(StoreError)
    -> [ODataOperation]
  {
    var main = ODataOperation(id: name, method: "DELETE", path: try path(of: change))
    if change.kind != .create { main.headers["If-Match"] = change.version ?? "*" }
    guard change.kind != .delete else {
      return [main]
    }
    main.method = change.kind == .create ? "POST" : "PATCH"
    main.headers["Prefer"] = "return=representation"
    let body = try body(of: change)
    (main.body, main.references) = (.object(body.members), body.references)
    let links = try self.links(of: change, name)
    // A change of links alone does not change the object itself.
    return (body.members.isEmpty && change.kind == .update ? [] : [main]) + links
  }

  /// The address of a change: of its set, or of its object.
  private func path(of change: RESTChange) throws(StoreError) -> String {
    if let key = change.key { return client.path(of: key, change.entity) }
    return odata.entities[change.entity.name]?.setName ?? change.entity.name
  }

  /// The address of an object that something refers to, and the operation that creates it.
  private func address(of id: ObjectID, from change: RESTChange, _ relationship: String)
    throws(StoreError) -> (path: String, operation: String?)
  {
    if let key = keys[id] {
      return (client.path(of: key, try client.entity(id.entityName)), nil)
    }
    guard let index = changes.firstIndex(where: { $0.id == id && $0.kind == .create }) else {
      throw StoreError(
        .constraint, doing: "saving", subject: change.id.phrase,
        detail: "\(relationship) refers to \(id.phrase), which the service does not have",
        objectIDs: [change.id, id])
    }
    return ("$c\(index)", "c\(index)")
  }

  func body(of change: RESTChange) throws(StoreError) -> (
    members: [String: JSONValue], references: [String]
  ) {
    var members: [String: JSONValue] = [:]
    var references: [String] = []
    guard let entity = odata.entities[change.entity.name] else { return (members, references) }
    for (name, value) in change.values {
      guard let property = entity.properties[name], property.kind != .json else { continue }
      // The service gives what nobody has set.
      if change.kind == .create, value.isNull { continue }
      members.set(property.path[...], to: ODataValue(property.kind).json(value))
    }
    for (name, destination) in change.toOne {
      let columns = entity.foreignKeys[name]?.compactMap { entity.properties[$0] } ?? []
      guard let destination else {
        for column in columns where change.kind == .update {
          members.set(column.path[...], to: .null)
        }
        continue
      }
      let (path, operation) = try address(of: destination, from: change, name)
      members["\(name)@odata.bind"] = .string(path)
      if let operation { references.append(operation) }
      if let key = keys[destination], let own = odata.entities[destination.entityName],
        let values = ODataKeys(entity: own).values(of: key), values.count == columns.count
      {
        for (column, value) in zip(columns, values) {
          members.set(column.path[...], to: ODataValue(column.kind).json(value))
        }
      }
    }
    // The set may be that of a type that this one extends.
    if change.kind == .create, entity.path != entity.setName {
      members["@odata.type"] = .string("#\(entity.typeName)")
    }
    return (members, references)
  }

  /// The operations that remove a destination, and that change links of to-many relationships.
  private func links(of change: RESTChange, _ name: String) throws(StoreError) -> [ODataOperation] {
    var operations: [ODataOperation] = []
    let source = change.key == nil ? "$\(name)" : try path(of: change)
    let own = change.key == nil ? [name] : []
    func add(_ method: String, _ path: String, _ body: JSONValue? = nil, _ references: [String]) {
      operations.append(
        ODataOperation(
          id: "\(name).\(operations.count + 1)", method: method, path: path, body: body,
          references: own + references))
    }
    let entity = odata.entities[change.entity.name]
    for (relationship, destination) in change.toOne.sorted(by: { $0.key < $1.key })
    where destination == nil && change.kind == .update && entity?.foreignKeys[relationship] == nil {
      add("DELETE", "\(source)/\(relationship)/$ref", nil, [])
    }
    for (relationship, ids) in change.added.sorted(by: { $0.key < $1.key }) {
      for id in ids {
        let (path, operation) = try address(of: id, from: change, relationship)
        add(
          "POST", "\(source)/\(relationship)/$ref", ["@odata.id": .string(absolute(path))],
          operation.map { [$0] } ?? [])
      }
    }
    for (relationship, ids) in change.removed.sorted(by: { $0.key < $1.key }) {
      for id in ids {
        let (path, _) = try address(of: id, from: change, relationship)
        add(
          "DELETE",
          "\(source)/\(relationship)/$ref?$id=\(RESTNames.pathComponent(absolute(path)))", nil, [])
      }
    }
    return operations
  }

  /// An address that does not depend on what it is relative to.
  private func absolute(_ path: String) -> String {
    path.hasPrefix("$")
      ? path : client.baseURL.appending(escaped: path, query: []).absoluteString
  }
}

extension [String: JSONValue] {
  /// Sets the member at a path, in objects that are made on the way.
  fileprivate mutating func set(_ path: ArraySlice<String>, to value: JSONValue) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      self[name] = value
      return
    }
    var inner = self[name]?.object ?? [:]
    inner.set(path.dropFirst(), to: value)
    self[name] = .object(inner)
  }
}

// MARK: - Batches

/// A batch of operations that the service does together or not at all: as JSON in version 4.01, as
/// `multipart/mixed` in 4.0.
enum ODataBatch {
  private static let boundary = "cardfile_batch"

  /// The answer to an operation.
  struct Answer {
    /// The operation; nil if the answer does not say it.
    var id: String?
    var status: Int
    var headers: [String: String]
    var body: JSONValue
  }

  /// The type and the body of a batch as JSON.
  static func json(_ operations: [ODataOperation]) -> (type: String, body: Data) {
    let requests = operations.map { operation -> JSONValue in
      var headers = operation.headers.mapValues { JSONValue.string($0) }
      if operation.body != nil { headers["Content-Type"] = "application/json" }
      var request: [String: JSONValue] = [
        "id": .string(operation.id), "atomicityGroup": "save",
        "method": .string(operation.method), "url": .string(operation.path),
        "headers": .object(headers),
      ]
      if let body = operation.body { request["body"] = body }
      if !operation.references.isEmpty {
        request["dependsOn"] = .array(operation.references.map { .string($0) })
      }
      return .object(request)
    }
    return ("application/json", JSONValue.object(["requests": .array(requests)]).bytes)
  }

  /// The type and the body of a batch in parts.
  static func multipart(_ operations: [ODataOperation]) -> (type: String, body: Data) {
    var text = "--\(boundary)\r\nContent-Type: multipart/mixed; boundary=\(boundary)_save\r\n\r\n"
    for operation in operations {
      text += "--\(boundary)_save\r\nContent-Type: application/http\r\n"
      text += "Content-Transfer-Encoding: binary\r\nContent-ID: \(operation.id)\r\n\r\n"
      text += "\(operation.method) \(operation.path) HTTP/1.1\r\n"
      for (name, value) in operation.headers.sorted(by: { $0.key < $1.key }) {
        text += "\(name): \(value)\r\n"
      }
      let body = operation.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
      if operation.body != nil {
        text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      }
      text += "\r\n\(body)\r\n"
    }
    text += "--\(boundary)_save--\r\n--\(boundary)--\r\n"
    return ("multipart/mixed; boundary=\(boundary)", Data(text.utf8))
  }

  /// Reads the answers to a batch; empty if the response is not the answer to one.
  static func answers(in response: HTTPResponse, json: JSONValue) -> [Answer] {
    if let responses = json["responses"]?.array {
      return responses.compactMap { response in
        guard let status = response["status"]?.integer else { return nil }
        let headers = response["headers"]?.object ?? [:]
        return Answer(
          id: response["id"]?.string, status: Int(clamping: status),
          headers: Dictionary(headers.map { ($0.key.lowercased(), $0.value.string ?? "") }) { $1 },
          body: response["body"] ?? .null)
      }
    }
    guard let boundary = boundary(in: response.headers["content-type"] ?? "") else { return [] }
    return parts(of: String(decoding: response.body, as: UTF8.self), boundary, depth: 0)
  }

  /// The parts of a body, those of change sets among them.
  private static func parts(of text: String, _ boundary: String, depth: Int) -> [Answer] {
    let text = text.replacingOccurrences(of: "\r\n", with: "\n")
    return text.components(separatedBy: "--\(boundary)").dropFirst().flatMap { part -> [Answer] in
      guard !part.hasPrefix("--"), let (headers, body) = message(part) else { return [] }
      let type = headers["content-type"] ?? ""
      if let inner = self.boundary(in: type), depth < 2 {
        return parts(of: body, inner, depth: depth + 1)
      }
      let line = body.drop { $0.isWhitespace }
      let words = line.prefix { $0 != "\n" }.split(separator: " ")
      guard words.count > 1, words[0].hasPrefix("HTTP/"), let status = Int(words[1]),
        let (inner, content) = message("\n" + line.drop { $0 != "\n" }.dropFirst())
      else { return [] }
      let json = try? JSONParser.parse(Data(content.utf8))
      return [
        Answer(
          id: headers["content-id"] ?? inner["content-id"], status: status, headers: inner,
          body: json ?? .null)
      ]
    }
  }

  /// Headers by name in small letters, and what follows them.
  private static func message(_ text: String) -> (headers: [String: String], body: String)? {
    let text = text.hasPrefix("\n") ? text.dropFirst() : text[...]
    // There may be no header.
    if text.hasPrefix("\n") { return ([:], String(text.dropFirst())) }
    let end = text.range(of: "\n\n") ?? text.endIndex..<text.endIndex
    let lines = text[..<end.lowerBound].split(separator: "\n")
    let pairs = lines.compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (
        line[..<colon].lowercased(),
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      )
    }
    return (Dictionary(pairs) { $1 }, String(text[end.upperBound...]))
  }

  private static func boundary(in type: String) -> String? {
    guard type.lowercased().hasPrefix("multipart/"), let range = type.range(of: "boundary=") else {
      return nil
    }
    return type[range.upperBound...].prefix { $0 != ";" }
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
  }
}
