import Foundation
import ObjectModel
import RESTStore
import Synchronization

/// A service in memory, as a transport: people and their discs, with what services do wrong.
final class TestService: HTTPTransport {
  /// What goes wrong with one request.
  enum Fault: Sendable {
    /// The connection ends before the request is read.
    case lostBefore
    /// The request is carried out, and the connection ends before the answer.
    case lostAfter
    /// The request is carried out, and the answer is a status.
    case statusAfter(Int)
    /// The request is carried out, and whoever waits for the answer stops waiting.
    case stoppedAfter
    /// Nothing is carried out, and this is the answer.
    case answer(HTTPResponse)
    /// No connection is made.
    case unreachable
  }

  struct Row: Sendable, Hashable {
    var values: [String: JSONValue]
    var version = 1
    var change = 0
  }

  struct State: Sendable {
    var tables: [String: [Int64: Row]] = ["people": [:], "discs": [:]]
    var lastKey: Int64 = 0
    var changeCount = 0
    /// The keys of deleted rows by table, with the number of the change.
    var deleted: [String: [(key: Int64, change: Int)]] = [:]
    var faults: [(when: @Sendable (HTTPRequest) -> Bool, fault: Fault)] = []
    var requests: [HTTPRequest] = []
    var answersByKey: [String: HTTPResponse] = [:]
    var under = 0
    var mostAtOnce = 0
  }

  static let url = URL(string: "https://people.example/api") ?? URL(filePath: "/")
  static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string, isOptional: false)
      Attribute("age", .integer64)
      Attribute("createdAt", .date)
      ToMany("discs", "Disc", inverse: "owner", deleteRule: .cascade)
    }
    Entity("Disc") {
      Attribute("title", .string)
      ToOne("owner", "Person", inverse: "discs")
    }
  }

  let state = Mutex(State())
  let pageSize: Int
  let hasVersions: Bool
  let hasChanges: Bool
  let isIdempotent: Bool
  /// Whether the answer to what writes has no body.
  let isBlank: Bool

  init(
    pageSize: Int = 1_000, hasVersions: Bool = true, hasChanges: Bool = false,
    isIdempotent: Bool = false, isBlank: Bool = false
  ) {
    (self.pageSize, self.hasVersions, self.hasChanges) = (pageSize, hasVersions, hasChanges)
    (self.isIdempotent, self.isBlank) = (isIdempotent, isBlank)
  }

  // MARK: What tests do with it

  @discardableResult
  func add(_ name: String, age: Int64? = nil) -> Int64 {
    state.withLock { state in
      Self.insert(
        ["name": .string(name), "age": age.map(JSONValue.integer) ?? .null], "people", &state)
    }
  }

  @discardableResult
  func addDisc(_ title: String, of owner: Int64?) -> Int64 {
    state.withLock { state in
      Self.insert(
        ["title": .string(title), "owner_id": owner.map(JSONValue.integer) ?? .null], "discs",
        &state)
    }
  }

  func set(_ key: Int64, _ name: String, _ value: JSONValue, in table: String = "people") {
    state.withLock { Self.update(key, [name: value], table, &$0) }
  }

  func delete(_ key: Int64, from table: String = "people") {
    state.withLock { Self.delete(key, table, &$0) }
  }

  func names() -> [String] {
    state.withLock { ($0.tables["people"] ?? [:]).values.compactMap { $0.values["name"]?.string } }
      .sorted()
  }

  func fail(
    _ fault: Fault, when: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
  ) {
    state.withLock { $0.faults.append((when, fault)) }
  }

  func requests(_ method: String? = nil) -> [HTTPRequest] {
    state.withLock { $0.requests.filter { method == nil || $0.method == method } }
  }

  func forgetRequests() { state.withLock { $0.requests = [] } }

  // MARK: The service

  private static func insert(_ values: [String: JSONValue], _ table: String, _ state: inout State)
    -> Int64
  {
    var values = values
    let wanted = values.removeValue(forKey: "id")?.integer
    if wanted == nil { state.lastKey += 1 }
    state.changeCount += 1
    let key = wanted ?? state.lastKey
    state.tables[table]?[key] = Row(values: values, change: state.changeCount)
    state.deleted[table]?.removeAll { $0.key == key }
    return key
  }

  private static func update(
    _ key: Int64, _ values: [String: JSONValue], _ table: String, _ state: inout State
  ) {
    guard var row = state.tables[table]?[key] else { return }
    state.changeCount += 1
    row.values.merge(values) { $1 }
    row.version += 1
    row.change = state.changeCount
    state.tables[table]?[key] = row
  }

  private static func delete(_ key: Int64, _ table: String, _ state: inout State) {
    state.changeCount += 1
    if state.tables[table]?.removeValue(forKey: key) != nil {
      state.deleted[table, default: []].append((key, state.changeCount))
    }
  }

  func response(
    to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
  ) throws(HTTPFailure) -> HTTPResponse {
    let fault = state.withLock { state -> Fault? in
      state.requests.append(request)
      state.under += 1
      state.mostAtOnce = max(state.mostAtOnce, state.under)
      guard let index = state.faults.firstIndex(where: { $0.when(request) }) else { return nil }
      return state.faults.remove(at: index).fault
    }
    defer { state.withLock { $0.under -= 1 } }
    switch fault {
    case .lostBefore: throw HTTPFailure(.lost)
    case .unreachable: throw HTTPFailure(.unreachable)
    case .answer(let response): return response
    case .lostAfter:
      _ = carryOut(request)
      throw HTTPFailure(.lost)
    case .stoppedAfter:
      _ = carryOut(request)
      control?.cancel()
      throw HTTPFailure(control == nil ? .lost : .cancelled)
    case .statusAfter(let status):
      _ = carryOut(request)
      return HTTPResponse(status: status, body: Data("<html>".utf8))
    case nil: return carryOut(request)
    }
  }

  private func carryOut(_ request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
      let path = (parts?.path ?? "").split(separator: "/").dropFirst().map(String.init)
      var query: [String: String] = [:]
      for item in parts?.queryItems ?? [] { query[item.name] = item.value }
      guard let table = path.first, state.tables[table] != nil else {
        return HTTPResponse(status: 404)
      }
      if let key = request.headers["Idempotency-Key"], isIdempotent,
        let earlier = state.answersByKey[key]
      {
        return earlier
      }
      let response = answer(request, table, path.count > 1 ? Int64(path[1]) : nil, query, &state)
      if let key = request.headers["Idempotency-Key"] { state.answersByKey[key] = response }
      return response
    }
  }

  private func answer(
    _ request: HTTPRequest, _ table: String, _ key: Int64?, _ query: [String: String],
    _ state: inout State
  ) -> HTTPResponse {
    guard let key else {
      guard request.method == "POST" else { return list(table, query, state) }
      let values = (try? body(request)) ?? [:]
      if table == "people", values["name"]?.string?.isEmpty ?? true {
        return json(422, ["errors": ["name": ["must not be blank"]]])
      }
      let key = Self.insert(values, table, &state)
      let location = ["Location": "\(Self.url)/\(table)/\(key)"]
      if isBlank { return HTTPResponse(status: 201, headers: location) }
      return one(201, table, key, state)
    }
    guard let row = state.tables[table]?[key] else { return HTTPResponse(status: 404) }
    if let match = request.headers["If-Match"], match != "\"\(row.version)\"" {
      return HTTPResponse(status: 412)
    }
    switch request.method {
    case "PATCH":
      let values = (try? body(request)) ?? [:]
      if values["name"] == .string("") {
        return json(422, ["errors": [["field": "name", "message": "must not be blank"]]])
      }
      Self.update(key, values, table, &state)
      return isBlank ? HTTPResponse(status: 204) : one(200, table, key, state)
    case "DELETE":
      Self.delete(key, table, &state)
      return HTTPResponse(status: 204)
    default: return one(200, table, key, state)
    }
  }

  private func body(_ request: HTTPRequest) throws -> [String: JSONValue] {
    try JSONValue(parsing: request.body ?? Data()).object ?? [:]
  }

  private func one(_ status: Int, _ table: String, _ key: Int64, _ state: State) -> HTTPResponse {
    guard let row = state.tables[table]?[key] else { return HTTPResponse(status: 404) }
    var response = json(status, representation(key, row))
    if hasVersions { response.headers["etag"] = "\"\(row.version)\"" }
    return response
  }

  private func representation(_ key: Int64, _ row: Row) -> JSONValue {
    var values = row.values
    values["id"] = .integer(key)
    if hasVersions { values["etag"] = .string("\"\(row.version)\"") }
    return .object(values)
  }

  /// Pages by key: rows that come and go meanwhile shift nothing.
  private func list(_ table: String, _ query: [String: String], _ state: State) -> HTTPResponse {
    let rows = state.tables[table] ?? [:]
    if query["limit"] == "0" {
      return json(200, ["items": [], "total": .integer(Int64(rows.count))])
    }
    if let ids = query["ids"] {
      let keys = ids.split(separator: ",").compactMap { Int64($0) }
      return json(200, .array(keys.compactMap { key in rows[key].map { representation(key, $0) } }))
    }
    let since = query["since"].flatMap { Int($0) }
    let after = query["after"].flatMap { Int64($0) } ?? 0
    let keys = rows.filter { $0.key > after && $0.value.change > since ?? 0 }.keys.sorted()
    let page = keys.prefix(pageSize)
    var answer: [String: JSONValue] = [
      "items": .array(page.compactMap { key in rows[key].map { representation(key, $0) } })
    ]
    if keys.count > page.count, let last = page.last {
      let since = since.map { "&since=\($0)" } ?? ""
      answer["next"] = .string("\(Self.url)/\(table)?after=\(last)\(since)")
    } else if hasChanges {
      answer["since"] = .string("\(state.changeCount)")
    }
    if let since {
      let deleted = (state.deleted[table] ?? []).filter { $0.change > since }
      answer["deleted"] = .array(deleted.map { .integer($0.key) })
    }
    return json(200, .object(answer))
  }

  private func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: value.bytes)
  }
}

/// The client of ``TestService``, which says what that can do.
final class PeopleClient: RESTClient {
  private let declared: RESTCapabilities

  init(_ service: TestService, _ more: RESTCapabilities = []) {
    var declared: RESTCapabilities = [.create, .update, .delete]
    if service.hasVersions { declared.insert(.versions) }
    if service.hasChanges { declared.insert(.changes) }
    if service.isIdempotent { declared.insert(.idempotency) }
    self.declared = declared.union(more)
    super.init(baseURL: TestService.url, model: TestService.model)
  }

  override func capabilities(of entity: EntityDescription) -> RESTCapabilities { declared }
}
