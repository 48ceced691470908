import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import RESTStore

/// The client with odatapy, a server that nobody here wrote.
@Suite(.needs(.odatapy), .serialized) struct RealODataTests {
  private let service: RealService
  private let client: ODataClient

  init() throws {
    service = try RealService(.odatapy, pageSize: 500)
    let metadata = try service.send(
      HTTPRequest(service.url.appending(path: "$metadata"), headers: ["Accept": "application/xml"]))
    client = try ODataClient(baseURL: service.url, metadata: metadata.body)
  }

  private func answer(to request: HTTPRequest, of entity: String) throws -> RESTAnswer {
    let response = try service.send(request)
    return RESTAnswer(
      to: request, entity: try client.entity(entity), response: response,
      json: response.body.isEmpty ? .null : try JSONParser.parse(response.body))
  }

  private func objects(_ request: HTTPRequest, of entity: String) throws -> [ReadObject] {
    try ReadObject.all(in: answer(to: request, of: entity), client)
  }

  /// All objects of a fetch, page by page, and the number of pages.
  private func all(_ plan: FetchPlan) throws -> (objects: [ReadObject], pages: Int, RESTAnswer) {
    var next: HTTPRequest? = try client.request(forFetch: plan).request
    var found: ([ReadObject], Int) = ([], 0)
    var last: RESTAnswer?
    while let request = next {
      let answer = try answer(to: request, of: plan.entityName)
      try #require(
        answer.response.isSuccess,
        "\(request): \(String(decoding: answer.response.body, as: UTF8.self))")
      found.0 += try ReadObject.all(in: answer, client)
      found.1 += 1
      last = answer
      next = client.nextPage(after: answer)
    }
    return (found.0, found.1, try #require(last))
  }

  private func plan(_ entity: String, _ node: FetchPredicate? = nil) throws -> FetchPlan {
    FetchPlan(
      entityName: entity, predicate: try node?.validated(forEntity: entity, in: client.model))
  }

  @Test func `every object is read with its references, page by page`() throws {
    let counts = [
      "Album": 100, "Artist": 40, "Customer": 60, "Employee": 8, "Genre": 5, "Invoice": 200,
      "InvoiceLine": 500, "MediaType": 2, "Playlist": 3, "PlaylistTrack": 400, "Track": 1200,
    ]
    #expect(Set(client.model.entities.map(\.name)) == Set(counts.keys))
    for (entity, count) in counts {
      let (objects, pages, _) = try all(plan(entity))
      #expect(objects.count == count, "\(entity)")
      #expect(pages == max(1, (count + 499) / 500), "\(entity)")
      #expect(Set(objects.map(\.key)).count == count, "\(entity)")
      let counted = try #require(try client.request(forCount: plan(entity)))
      #expect(try client.count(in: answer(to: counted, of: entity)) == count)
    }
    let track = try #require(try all(plan("Track")).objects.first)
    #expect(track.values["Name"] == "song (13)" && track.version == "W/\"1\"")
    #expect(track.references["Album"] == [RESTReference("Album", .integer(12))])
    let link = try #require(try all(plan("PlaylistTrack")).objects.first)
    #expect(link.key == .text("PlaylistId=1,TrackId=3"))
  }

  @Test func `orders and groups are the service's`() throws {
    var plan = try plan("Track", PropertyKey("Milliseconds") > 300_000)
    plan.sortDescriptors = [FetchSortDescriptor("Bytes"), FetchSortDescriptor("Name")]
    #expect(try client.request(forFetch: plan).parts == .predicate)
    plan.sortDescriptors = [FetchSortDescriptor("Bytes", ascending: false)]
    #expect(try client.request(forFetch: plan).parts == [.predicate, .order])
    let library = try Library(client.model) { try all(self.plan($0)).objects }
    let expected = try library.objects(of: "Track")
      .filter { try plan.predicate?.matches($0) == true }
      .sorted { a, b in
        let (x, y) = (a.values["Bytes"]?.number ?? -1, b.values["Bytes"]?.number ?? -1)
        return x == y ? a.number < b.number : x > y
      }
    #expect(try all(plan).objects.map(\.key) == expected.map(\.key))
    let request = try #require(try client.request(forGroupsOf: "GenreId", in: plan))
    let found = try #require(
      client.groups(of: "GenreId", in: answer(to: request, of: "Track")))
    let groups = Dictionary(grouping: expected) { $0.values["GenreId"] ?? .null }
    #expect(Dictionary(uniqueKeysWithValues: found) == groups.mapValues(\.count))
  }

  @Test func `a save is done as a whole or not at all, and is news`() throws {
    let (tracks, _, last) = try all(plan("Track"))
    let token = try #require(client.changesToken(in: last))
    let track = try client.entity("Track")
    func id(_ number: Int64) -> ObjectID {
      ObjectID(storeIdentifier: "S", entityName: "Track", key: .integer(number))
    }
    func change(
      _ kind: RESTChange.Kind, _ key: Int64?, _ values: [String: Value],
      _ toOne: [String: ObjectID?] = [:], version: String? = "W/\"1\""
    ) -> RESTChange {
      RESTChange(
        kind: kind,
        id: key.map(id)
          ?? ObjectID(storeIdentifier: "", entityName: "Track", key: .temporary(1)),
        entity: track, key: key.map { .integer($0) }, version: key == nil ? nil : version,
        values: values, toOne: toOne, added: [:], removed: [:], idempotencyKey: "k")
    }
    let album = ObjectID(storeIdentifier: "S", entityName: "Album", key: .integer(7))
    let media = ObjectID(storeIdentifier: "S", entityName: "MediaType", key: .integer(1))
    let keys = RESTKeys(keys: [album: .integer(7), media: .integer(1)])
    var changes = [
      change(
        .create, nil,
        ["Name": "O'New & Söng", "Milliseconds": 5, "UnitPrice": .decimal(Decimal(99) / 100)],
        ["Album": album, "MediaType": media]),
      change(.update, 1, ["Name": "Changed", "Composer": .null], ["Album": album]),
      change(.delete, 2, [:]),
    ]
    func save() throws -> [RESTOutcome] {
      let request = try client.request(forSave: changes, keys: keys)
      return try client.outcomes(of: changes, in: answer(to: request, of: "Track"))
    }
    guard case .saved(let created?) = try save()[0] else {
      Issue.record("it was not created")
      return
    }
    #expect(client.identifier(of: created, in: track) == .integer(1201))
    #expect(try client.attributes(of: created, in: track)["Name"] == "O'New & Söng")
    #expect(
      try client.relationships(of: created, in: track)["Album"]
        == [RESTReference("Album", .integer(7))])
    let news = try answer(
      to: try #require(client.request(forChangesSince: token, of: track)), of: "Track")
    #expect(client.deletedIdentifiers(in: news) == [.integer(2)])
    let changed = try ReadObject.all(in: news, client)
    #expect(Set(changed.map(\.key)) == [.integer(1), .integer(1201)])
    #expect(changed.first { $0.key == .integer(1) }?.version == "W/\"2\"")
    #expect(try all(plan("Track")).objects.count == tracks.count)

    // Somebody else has changed track 1: nothing of the save is done.
    changes = [change(.update, 3, ["Name": "Third"]), change(.update, 1, ["Name": "Again"])]
    let outcomes = try save()
    if case .conflict = outcomes[1] {} else { Issue.record("\(outcomes)") }
    #expect(
      try all(plan("Track", PropertyKey("Name") == "Third")).objects.isEmpty)
    changes = [change(.update, 3, ["Milliseconds": "long"])]
    guard case .refused(let reasons) = try save()[0] else {
      Issue.record("it was not refused")
      return
    }
    #expect(reasons.contains { $0.message.contains("Milliseconds") })
  }

  @Test func `a save in parts is done as a whole or not at all, too`() throws {
    let metadata = try service.send(
      HTTPRequest(service.url.appending(path: "$metadata"), headers: ["Accept": "application/xml"]))
    let text = String(decoding: metadata.body, as: UTF8.self)
      .replacingOccurrences(of: "Version=\"4.01\"", with: "Version=\"4.0\"")
    let old = try ODataClient(baseURL: service.url, metadata: Data(text.utf8))
    #expect(!old.odata.is401)
    let artist = try old.entity("Artist")
    func change(_ kind: RESTChange.Kind, _ key: Int64?, _ name: String, _ version: String?)
      -> RESTChange
    {
      RESTChange(
        kind: kind,
        id: ObjectID(
          storeIdentifier: "", entityName: "Artist",
          key: key.map { .integer($0) } ?? .temporary(1)),
        entity: artist, key: key.map { .integer($0) }, version: version,
        values: ["Name": .string(name)], toOne: [:], added: [:], removed: [:],
        idempotencyKey: "k")
    }
    func save(_ changes: [RESTChange]) throws -> [RESTOutcome] {
      let request = try old.request(forSave: changes, keys: RESTKeys(keys: [:]))
      let response = try service.send(request)
      return try old.outcomes(
        of: changes,
        in: RESTAnswer(to: request, entity: artist, response: response, json: .null))
    }
    let done = try save([
      change(.create, nil, "Ä\r\n--x", nil), change(.update, 1, "One", "W/\"1\""),
    ])
    guard case .saved(let created?) = done[0], case .saved(let updated?) = done[1] else {
      Issue.record("\(done)")
      return
    }
    #expect(created["Name"] == "Ä\r\n--x" && created["ArtistId"] == 41)
    #expect(old.version(of: updated, in: artist) == "W/\"2\"")
    let refused = try save([
      change(.update, 2, "Two", "W/\"1\""), change(.update, 1, "Again", "W/\"1\""),
    ])
    if case .conflict = refused[1] {} else { Issue.record("\(refused)") }
    #expect(try all(plan("Artist", PropertyKey("Name") == "Two")).objects.isEmpty)
  }

  @Test func `several objects are read at once, and one that is gone is told`() throws {
    let track = try client.entity("Track")
    let request = try #require(
      client.request(forObjects: [.integer(3), .integer(9999), .integer(5)], of: track))
    let found = try objects(request, of: "Track")
    #expect(found.map(\.key) == [.integer(3), .integer(5)])
    let one = client.request(forObject: .integer(9999), of: track)
    #expect(try answer(to: one, of: "Track").response.status == 404)
    let link = try client.entity("PlaylistTrack")
    let key = RESTKey.text("PlaylistId=1,TrackId=3")
    let first = try #require(client.request(forObjects: [key], of: link))
    #expect(try objects(first, of: "PlaylistTrack").map(\.key) == [key])
  }
}

extension Value {
  fileprivate var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}
