import Foundation
import ManagedObjects
import ObjectModel
import RESTStore
import Synchronization
import TestSupport
import Testing

/// What services do wrong: the right words, nothing lost, no second write.
@Suite struct HostileServiceTests {
  /// A service that answers each request as a closure says.
  private final class Scripted: HTTPTransport {
    let requests = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>

    init(_ answer: @escaping @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>) {
      self.answer = answer
    }

    func response(
      to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
    ) throws(HTTPFailure) -> HTTPResponse {
      let number = requests.withLock { requests in
        requests.append(request)
        return requests.count
      }
      return try answer(request, number).get()
    }
  }

  private static func text(_ text: String, status: Int = 200, _ headers: [String: String] = [:])
    -> Result<HTTPResponse, HTTPFailure>
  { .success(HTTPResponse(status: status, headers: headers, body: Data(text.utf8))) }

  /// A store with one person in its cache, whose service does something else from then on.
  private func store(
    _ change: (inout RESTOptions) -> Void = { _ in },
    _ answer: @escaping @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>
  ) throws -> (store: RESTStore, service: Scripted) {
    let service = Scripted { request, number in
      number == 1 ? Self.text(#"[{"id": 1, "name": "Ada"}]"#) : answer(request, number)
    }
    var options = RESTOptions()
    (options.updatesBehind, options.patience) = (false, 2)
    change(&options)
    let store = try RESTStore(
      RESTClient(baseURL: TestService.url, model: TestService.model), over: service,
      cache: InMemoryStore(model: RESTStore.cacheModel(for: TestService.model)), options: options)
    try store.update(for: FetchPlan(entityName: "Person"))
    return (store, service)
  }

  private func update(_ store: RESTStore) -> String {
    do {
      try store.update(for: FetchPlan(entityName: "Person"))
      return ""
    } catch { return error.description }
  }

  private func count(_ store: RESTStore) throws -> Int {
    try store.fetch(FetchPlan(entityName: "Person"), control: nil).ids.count
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: String
    /// How many requests are sent; those that only read are repeated twice.
    var requestCount = 1
    /// Whether one more may have been sent: the next page is asked for while one is taken.
    var asksAhead = false
    let answer: @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>
  }

  static let cases = [
    Case(testDescription: "slow", words: "no answer within 30 seconds", requestCount: 3) { _, _ in
      .failure(HTTPFailure(.timedOut))
    },
    Case(
      testDescription: "cut", words: "the connection ended before the answer did", requestCount: 3
    ) { _, _ in .failure(HTTPFailure(.lost)) },
    Case(testDescription: "too large", words: "more than 67,108,864 bytes and was cut") { _, _ in
      .failure(HTTPFailure(.tooLarge))
    },
    Case(testDescription: "certificate", words: "its certificate is not valid") { _, _ in
      .failure(HTTPFailure(.insecure))
    },
    Case(testDescription: "no network", words: "the service cannot be reached") { _, _ in
      .failure(HTTPFailure(.unreachable))
    },
    Case(testDescription: "500", words: "500 Internal Server Error", requestCount: 3) { _, _ in
      text("<html>", status: 500)
    },
    Case(testDescription: "401", words: "give a token") { _, _ in text("", status: 401) },
    Case(testDescription: "no JSON", words: "the answer is no JSON: a value is expected at byte 1")
    {
      _, _ in text("<html>")
    },
    Case(testDescription: "cut JSON", words: "it ends too early") { _, _ in
      text(#"[{"id": 1, "name": "A"#)
    },
    Case(testDescription: "deep JSON", words: "nested too deeply") { _, _ in
      text(String(repeating: "[", count: 100_000))
    },
    Case(testDescription: "other type", words: "age is a text, \"old\", and no integer64") { _, _ in
      text(#"[{"id": 1, "name": "Ada", "age": "old"}]"#)
    },
    Case(testDescription: "no key", words: "an object has no key") { _, _ in
      text(#"[{"name": "Ada"}]"#)
    },
    Case(testDescription: "text key", words: "declare .textKeys") { _, _ in
      text(#"[{"id": "x", "name": "Ada"}]"#)
    },
    Case(testDescription: "page repeats", words: "the page repeats") { _, _ in
      text(#"{"items": [{"id": 2, "name": "Bob"}], "next": "people"}"#)
    },
    Case(testDescription: "pages repeat", words: "three after another", requestCount: 4) {
      _, number in
      text(#"{"items": [{"id": 2, "name": "Bob"}], "next": "people?page=\#(number)"}"#)
    },
    Case(
      testDescription: "endless pages", words: "the pages do not end", requestCount: 11,
      asksAhead: true
    ) { _, number in
      text(#"{"items": [{"id": \#(number), "name": "Bob"}], "next": "people?page=\#(number)"}"#)
    },
    Case(testDescription: "redirect to another host", words: "leads to another host") { _, _ in
      text("", status: 302, ["Location": "https://evil.example/people"])
    },
    Case(testDescription: "redirect to http", words: "leads to another host") { _, _ in
      text("", status: 302, ["Location": "http://people.example/api/people"])
    },
    Case(testDescription: "redirects for ever", words: "redirects again and again", requestCount: 6)
    {
      _, number in text("", status: 302, ["Location": "/api/people?\(number)"])
    },
    Case(testDescription: "next page on another host", words: "leads to another host") { _, _ in
      text(#"{"items": [], "next": "https://evil.example/people"}"#)
    },
    Case(testDescription: "429 for long", words: "429 Too Many Requests: slow down") { _, _ in
      text(#"{"message": "slow down"}"#, status: 429, ["Retry-After": "3600"])
    },
  ]

  @Test(arguments: cases)
  func `an answer that cannot be used says why, and loses nothing`(_ case: Case) throws {
    let (store, service) = try store({ $0.objectLimit = 10 }, `case`.answer)
    let before = service.requests.withLock { $0.count }
    let words = update(store)
    #expect(words.contains(`case`.words), "\(words)")
    let count = service.requests.withLock { $0.count } - before
    #expect(count == `case`.requestCount || `case`.asksAhead && count == `case`.requestCount + 1)
    #expect(try store.rows(of: [ObjectID(store, 1)]) != [nil])
  }

  @Test(arguments: [("Retry-After", "0"), ("Retry-After", "Sun, 06 Nov 1994 08:49:38 GMT")])
  func `a service that puts off is asked again, by its own clock`(_ header: (String, String)) throws
  {
    let (store, service) = try store { _, number in
      number == 2
        ? Self.text(
          "", status: 429, [header.0: header.1, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        : Self.text(#"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]"#)
    }
    #expect(update(store) == "")
    #expect(try count(store) == 2)
    #expect(service.requests.withLock { $0.count } == 3)
  }

  @Test func `an answer that has not changed need not come again`() throws {
    let (store, service) = try store { request, _ in
      request.headers["If-None-Match"] == "v1"
        ? Self.text("", status: 304)
        : Self.text(#"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]"#, ["ETag": "v1"])
    }
    for _ in 0..<3 { #expect(update(store) == "") }
    #expect(try count(store) == 2)
    let versions = service.requests.withLock { $0.map { $0.headers["If-None-Match"] } }
    #expect(versions == [nil, nil, "v1", "v1"])
  }

  @Test func `the token goes to the service's own host only, and into no words`() throws {
    let service = Scripted { request, _ in
      request.url.host == "people.example"
        ? Self.text("", status: 302, ["Location": "https://other.example/people"])
        : Self.text("no", status: 500)
    }
    let client = RESTClient(baseURL: TestService.url, model: TestService.model)
    client.token = { "s3cret" }
    var options = RESTOptions()
    (options.updatesBehind, options.followsToOtherHosts) = (false, true)
    let store = try RESTStore(
      client, over: service,
      cache: InMemoryStore(model: RESTStore.cacheModel(for: TestService.model)), options: options)
    let words = update(store)
    #expect(words.contains("500") && !words.contains("s3cret"))
    let requests = service.requests.withLock { $0 }
    #expect(requests.first?.headers["Authorization"] == "Bearer s3cret")
    #expect(requests.dropFirst().allSatisfy { $0.headers["Authorization"] == nil })
    #expect(requests.allSatisfy { !$0.description.contains("s3cret") })
  }

  @Test(arguments: ["http://127.0.0.1:1/", "http://localhost/", "http://people.example/"])
  func `http is for this machine only`(_ address: String) throws {
    let service = Scripted { _, _ in Self.text("[]") }
    let url = try #require(URL(string: address))
    func ask(_ options: RESTOptions) throws {
      _ = try RESTConnection(to: url, over: service, options: options).response(
        to: HTTPRequest(url))
    }
    let isOwn = url.host != "people.example"
    if isOwn {
      try ask(RESTOptions())
    } else {
      #expect(throws: StoreError.self) { try ask(RESTOptions()) }
    }
    var options = RESTOptions()
    options.isInsecure = true
    try ask(options)
  }

  // MARK: Saving

  enum Reply: CaseIterable, Sendable { case conflict409, precondition412, gone }

  @Test(arguments: Reply.allCases)
  func `what somebody else has changed or deleted is a conflict`(_ reply: Reply) throws {
    let (store, service) = try store { request, _ in
      if reply == .gone { return Self.text("", status: 404) }
      if request.method == "GET" { return Self.text(#"{"id": 1, "name": "Eve"}"#, ["ETag": "2"]) }
      return Self.text("", status: reply == .conflict409 ? 409 : 412)
    }
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try context.object(with: ObjectID(store, 1)).setValue("Ada L.", forKey: "name")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .conflict)
    #expect(context.hasChanges)
    #expect(service.requests.withLock { $0.filter { $0.method != "GET" }.count } <= 1)
    let rows = try store.rows(of: [ObjectID(store, 1)])
    #expect(rows.compactMap { $0?.values.first } == (reply == .gone ? [] : ["Eve"]))
  }

  @Test(arguments: [0, 1, 2])
  func `an answer that never comes leaves the object unsaved, and the next save looks first`(
    _ lostCount: Int
  ) throws {
    // The service creates Bob at the first POST, and does not answer for long.
    let state = Mutex((created: 0, isBack: false))
    let (store, _) = try store { request, _ in
      state.withLock { state in
        if request.method == "POST" {
          state.created += 1
          return .failure(HTTPFailure(.lost))
        }
        guard state.isBack else { return .failure(HTTPFailure(.unreachable)) }
        return Self.text(#"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]"#)
      }
    }
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let bob = try context.insert(entityName: "Person")
    try bob.setValue("Bob", forKey: "name")
    for _ in 0...lostCount {
      let error = #expect(throws: ManagedObjectError.self) { try context.save() }
      #expect(error?.description.contains("it is not known whether it was saved there") == true)
    }
    state.withLock { $0.isBack = true }
    try context.save()
    #expect(state.withLock { $0.created } == 1)
    #expect(bob.objectID == ObjectID(store, 2))
  }
}

extension ObjectID {
  fileprivate init(_ store: RESTStore, _ key: Int64) {
    self.init(storeIdentifier: store.identifier, entityName: "Person", key: .integer(key))
  }
}
