import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import RESTStore

/// Filters of both clients on servers that nobody here wrote.
@Suite(.serialized) struct RealFilterTests {
  @Test(.needs(.odatapy)) func `an OData service answers with what memory does, or with more`()
    throws
  {
    try compare(.odatapy, exact: 30)
  }

  @Test(.needs(.datasette)) func `a Datasette answers with what memory does, or with more`() throws
  {
    try compare(.datasette, exact: 10)
  }

  /// Compares the answers to random predicates with what memory says of all objects.
  private func compare(_ kind: RealService.Kind, exact least: Int) throws {
    let service = try RealService(kind)
    let client = try service.client()
    func all(_ plan: FetchPlan) throws -> [ReadObject] {
      var next: HTTPRequest? = try client.request(forFetch: plan).request
      var found: [ReadObject] = []
      while let request = next {
        let response = try service.send(request)
        let text = String(decoding: response.body.prefix(500), as: UTF8.self)
        try #require(response.isSuccess, "\(request): \(text)")
        let answer = RESTAnswer(
          to: request, entity: try client.entity(plan.entityName), response: response,
          json: try JSONParser.parse(response.body))
        found += try ReadObject.all(in: answer, client)
        next = client.nextPage(after: answer)
      }
      return found
    }
    let library = try Library(client.model) { try all(FetchPlan(entityName: $0)) }
    var random = ChinookPredicates(seed: 391)
    var counts = (sent: 0, exact: 0, rows: 0)
    while counts.sent < Self.filterCount {
      let (entity, node) = random.predicate()
      guard
        let predicate = try? FetchPredicate(node).validated(forEntity: entity, in: client.model)
      else { continue }
      let plan = FetchPlan(entityName: entity, predicate: predicate)
      let fetch = try client.request(forFetch: plan)
      guard fetch.parts.contains(.predicate) else { continue }
      counts.sent += 1
      let expected = try library.objects(of: entity).filter { try predicate.matches($0) }.map(\.key)
      let found = Set(try all(plan).map(\.key))
      counts.rows += found.count
      #expect(Set(expected).isSubset(of: found), "\(predicate.predicate) → \(fetch.request)")
      if fetch.rest.isEmpty {
        counts.exact += 1
        #expect(Set(expected) == found, "\(predicate.predicate) → \(fetch.request)")
      }
    }
    #expect(counts.exact > least && counts.rows > 1000)
  }

  /// How many filters are sent.
  private static let filterCount =
    ProcessInfo.processInfo.environment["CARDFILE_PREDICATES"].flatMap { Int($0) } ?? 60
}
