import Foundation
import ObjectModel
import RESTStore
import Synchronization
import Testing

// sample
final class LibraryClient: RESTClient {
  override func capabilities(of entity: EntityDescription) -> RESTCapabilities {
    [.writing, .filter, .order, .count, .versions]
  }

  override func path(of entity: EntityDescription) -> String {
    entity.name == "Person" ? "members" : super.path(of: entity)
  }

  override func identifier(of representation: JSONValue, in entity: EntityDescription) -> RESTKey? {
    representation["number"].flatMap { RESTKey($0) }
  }
}

func library(
  at url: URL, _ model: ManagedObjectModel, over transport: any HTTPTransport
) throws -> RESTStore {
  let client = LibraryClient(baseURL: url, model: model)
  client.token = { ProcessInfo.processInfo.environment["LIBRARY_TOKEN"] }
  return try RESTStore(
    client, over: transport,
    cache: InMemoryStore(model: RESTStore.cacheModel(for: model)))
}
// end of sample

@Suite struct ClientSampleTests {
  private final class Members: HTTPTransport {
    let urls = Mutex<[String]>([])

    func response(
      to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?
    ) throws(HTTPFailure) -> HTTPResponse {
      urls.withLock { $0.append(request.url.absoluteString) }
      return HTTPResponse(
        status: 200, body: Data(#"[{"number": 7, "name": "Ada", "age": 3}]"#.utf8))
    }
  }

  @Test func `a subclass says what its service does in another way, and what it can`() throws {
    let members = Members()
    let store = try library(at: TestService.url, TestService.model, over: members)
    let plan = FetchPlan(
      entityName: "Person",
      predicate: try FetchPredicate(format: "name == 'Ada' AND age == 3")
        .validated(forEntity: "Person", in: TestService.model),
      sortDescriptors: [FetchSortDescriptor("createdAt", ascending: false)])
    try store.update(for: plan)
    #expect(
      members.urls.withLock { $0 } == [
        "https://people.example/api/members?name=Ada&age=3&sort=-created_at"
      ])
    #expect(try store.fetch(plan, control: nil).ids.map(\.key) == [.integer(7)])
    #expect(
      try store.explanation(of: plan).dropFirst().first == "the service did: predicate, order")
  }
}
