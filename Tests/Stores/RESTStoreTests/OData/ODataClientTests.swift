import Foundation
import ObjectModel
import Testing

@testable import RESTStore

struct ODataClientTests {
  let client: ODataClient
  private let base = "https://host.example/library"

  init() throws {
    client = try ODataClient(
      baseURL: #require(URL(string: "https://host.example/library/")),
      metadata: Data(ODataSample.metadata.utf8))
  }

  private func entity(_ name: String) throws -> EntityDescription { try client.entity(name) }

  private func answer(_ json: String, _ entityName: String, headers: [String: String] = [:]) throws
    -> RESTAnswer
  {
    RESTAnswer(
      to: HTTPRequest(try #require(URL(string: "\(base)/Books?$top=1"))),
      entity: try entity(entityName), response: HTTPResponse(status: 200, headers: headers),
      json: try JSONParser.parse(Data(json.utf8)))
  }

  private func plan(
    _ entity: String, _ format: String? = nil, _ order: [FetchSortDescriptor] = []
  ) throws -> FetchPlan {
    FetchPlan(
      entityName: entity,
      predicate: try format.map {
        try FetchPredicate(format: $0).validated(forEntity: entity, in: client.model)
      }, sortDescriptors: order)
  }

  @Test func `a fetch is one address`() throws {
    let first = try client.request(
      forFetch: plan(
        "Person", "Age > 5 AND Name CONTAINS \"a&b\"",
        [FetchSortDescriptor("Age", ascending: false)]
      ))
    #expect(
      first.request.url.absoluteString
        == "\(base)/People?$filter=Age%20gt%205%20and%20contains(Name,'a%26b')"
        + "&$orderby=Age%20desc,ID&$expand=Mentor($select=ID)")
    #expect(first.parts == [.predicate, .order])
    #expect(first.rest.isEmpty && first.request.headers["Prefer"] == nil)
    let part = try client.request(forFetch: plan("Person", "Age > 5 AND Name MATCHES 'a+'"))
    #expect(part.parts.contains(.predicate) && part.rest == ["Name MATCHES \"a+\""])
    let text = try client.request(forFetch: plan("Author", nil, [FetchSortDescriptor("Name")]))
    #expect(
      text.request.url.absoluteString
        == "\(base)/People/Library.Model.Author?$orderby=Name,ID&$expand=Mentor($select=ID)"
        + "&$count=true")
    #expect(text.parts == .predicate, "the service may order texts in another way")
    #expect(text.request.headers["Prefer"] == "odata.track-changes")
  }

  @Test func `objects at the ends of paths come with the others`() throws {
    func expanded(_ entity: String, _ paths: [String]) throws -> String? {
      var plan = try plan(entity, "Age > 5")
      plan.prefetchedPaths = paths
      let fetch = try client.request(forFetch: plan)
      let query = fetch.request.url.query?.removingPercentEncoding
      return query?.components(separatedBy: "&$expand=").last
    }
    #expect(try expanded("Person", ["Mentor"]) == "Mentor($expand=Mentor($select=ID))")
    #expect(
      try expanded("Person", ["Mentor.Mentor", "Mentor"])
        == "Mentor($expand=Mentor($expand=Mentor($select=ID)))")
    #expect(try expanded("Person", ["Nothing"]) == "Mentor($select=ID)")
  }

  @Test func `pages, objects, counts and groups are asked for`() throws {
    client.pageSize = 50
    let fetch = try client.request(forFetch: plan("Book"))
    #expect(fetch.request.headers["Prefer"] == "odata.maxpagesize=50,odata.track-changes")
    #expect(
      client.request(forObject: .text("Shelf='A/1',Number=7"), of: try entity("Book")).url
        .absoluteString == "\(base)/Books(Shelf='A%2F1',Number=7)")
    #expect(
      client.request(forObjects: [.integer(1), .integer(2)], of: try entity("Person"))?.url
        .absoluteString
        == "\(base)/People?$filter=ID%20eq%201%20or%20ID%20eq%202&$expand=Mentor($select=ID)")
    #expect(
      client.request(
        forObjects: [.text("Shelf='A',Number=7"), .text("Shelf='B',Number=8")],
        of: try entity("Book"))?.url.query?.removingPercentEncoding
        == "$filter=(Shelf eq 'A' and Number eq 7) or (Shelf eq 'B' and Number eq 8)")
    #expect(
      try client.request(forCount: plan("Person", "Age > 5"))?.url.absoluteString
        == "\(base)/People/$count?$filter=Age%20gt%205")
    #expect(try client.request(forCount: plan("Person", "Name LIKE \"a*b\"")) == nil)
    let groups = try client.request(forGroupsOf: "Genre", in: plan("Book", "Pages > 5"))
    let apply = "filter(Pages gt 5)/groupby((Genre),aggregate($count as Rows))"
    #expect(groups?.url.query?.removingPercentEncoding == "$apply=\(apply)")
    #expect(ODataGrammar().accepts("$apply=\(apply)", as: "queryOptions"))
    let counts = client.groups(
      of: "Genre",
      in: try answer(#"{"value":[{"Genre":"Poem","Rows":3},{"Genre":null,"Rows":1}]}"#, "Book"))
    #expect(counts?.map(\.0) == [.string("Poem"), .null] && counts?.map(\.1) == [3, 1])
    let book = try entity("Book")
    let tags = try #require(book.relationship(named: "Tags"))
    #expect(
      client.request(forRelationship: tags, of: .text("Shelf='A',Number=7"), in: book)?.url
        .absoluteString == "\(base)/Books(Shelf='A',Number=7)/Tags")
    let author = try #require(book.relationship(named: "Author"))
    #expect(client.request(forRelationship: author, of: .text("1"), in: book) == nil)
  }

  @Test func `an object is read with its key, its version and its references`() throws {
    let json = """
      {"@odata.context":"x","@odata.nextLink":"Books?$skiptoken=2","@odata.count":2,"value":[
       {"@odata.etag":"W/\\"1\\"","Shelf":"A'1","Number":"7","Title":"Zoë","Pages":12.0,
        "Genre":"Poem","AuthorID":5,"Scan":"_-8"},
       {"Shelf":"B","Number":9007199254740993,"Title":null,"Pages":null,"Genre":null,
        "AuthorID":null,"Scan":null,"Tags":[{"Label":"x/y"}]}]}
      """
    let answer = try answer(json, "Book")
    let book = answer.entity
    let found = try client.representations(in: answer)
    #expect(
      found.map { client.identifier(of: $0, in: book)?.text } == [
        "Shelf='A''1',Number=7", "Shelf='B',Number=9007199254740993",
      ])
    #expect(client.version(of: found[0], in: book) == "W/\"1\"")
    #expect(client.capabilities(of: book).contains(.versions))
    #expect(
      try client.attributes(of: found[0], in: book) == [
        "Shelf": "A'1", "Number": 7, "Title": "Zoë", "Pages": 12, "Genre": "Poem", "AuthorID": 5,
        "Scan": .data(Data([0xFF, 0xEF])),
      ])
    #expect(
      try client.relationships(of: found[0], in: book)
        == ["Author": [RESTReference("Author", .integer(5))]])
    #expect(
      try client.relationships(of: found[1], in: book) == [
        "Author": [],
        "Tags": [
          RESTReference("Tag", .text("'x/y'"), representation: ["Label": "x/y"])
        ],
      ])
    #expect(client.count(in: answer) == 2)
    #expect(client.nextPage(after: answer)?.url.absoluteString == "\(base)/Books?$skiptoken=2")
  }

  @Test func `values of every type are read, and what is none is an error`() throws {
    let person = try entity("Person")
    let answer = try answer(
      """
      {"@odata.type":"#Library.Model.Author","ID":1,"Name":"A","Born":"2024-05-01",
      "Seen":"2024-05-01T12:00:00.5+02:00","Active":false,"Score":"INF","Fee":1234567890123456.75,
      "Guid":"6f9619ff-8b86-d011-b42d-00c04fc964ff","Pause":"PT1H","Mails":["a@b"],
      "Home":{"Street":"S","Place":null},"Mentor":{"ID":3}}
      """, "Person")
    #expect(client.entityName(of: answer.json, in: person) == "Author")
    let author = try entity("Author")
    let values = try client.attributes(of: answer.json, in: author)
    #expect(values["Seen"] == .date(Date(timeIntervalSince1970: 1_714_557_600.5)))
    #expect(values["Fee"] == .decimal(try #require(Decimal(string: "1234567890123456.75"))))
    #expect(values["Score"] == .double(.infinity) && values["Mails"] == "[\"a@b\"]")
    #expect(values["Home.Street"] == "S" && values["Home.Place.City"] == .null)
    #expect(values["Age"] == nil)
    // With its key alone an object is a reference.
    #expect(
      try client.relationships(of: answer.json, in: author)
        == ["Mentor": [RESTReference("Author", .integer(3))]])
    for damaged in [#"{"ID":1,"Age":"old"}"#, #"{"ID":1,"Name":5}"#, #"{"ID":1,"Born":"soon"}"#] {
      let json = try JSONParser.parse(Data(damaged.utf8))
      #expect(throws: StoreError.self) { try client.attributes(of: json, in: person) }
    }
  }

  @Test func `news are changed objects and the keys of deleted ones`() throws {
    let answer = try answer(
      """
      {"@odata.context":"\(base)/$metadata#Books/$delta","@odata.deltaLink":"Books?$deltatoken=9",
      "value":[{"Shelf":"A","Number":1,"Title":"new"},
      {"@removed":{"reason":"deleted"},"@id":"\(base)/Books(Shelf='(B)',Number=2)"},
      {"@odata.context":"$metadata#Books/$deletedEntity","id":"Books(Number=3,Shelf='C''%2F')"},
      {"@odata.context":"$metadata#Books/$link","source":"Books(1)","target":"Tags('a')"}]}
      """, "Book")
    #expect(try client.representations(in: answer).count == 1)
    #expect(
      client.deletedIdentifiers(in: answer).map(\.text) == [
        "Shelf='(B)',Number=2", "Shelf='C''/',Number=3",
      ])
    let token = try #require(client.changesToken(in: answer))
    #expect(
      client.request(forChangesSince: token, of: answer.entity)?.url.absoluteString
        == "\(base)/Books?$deltatoken=9")
  }

  @Test func `damaged answers are read or refused`() throws {
    let whole = """
      {"@odata.context":"x","@odata.nextLink":"Books?a","value":[{"@odata.etag":"1","Shelf":"A",
      "Number":7,"Pages":12.0,"Genre":"Poem","AuthorID":5,"Scan":"_-8","Tags":[{"Label":"x"}]},
      {"@removed":{"reason":"deleted"},"@id":"Books(Shelf='(B)',Number=2)"}]}
      """
    var state: UInt64 = 39
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let signs = Array("{}[]\"',:()=-0aA@/".utf8)
    var read = 0
    for _ in 0..<2000 {
      var bytes = Array(whole.utf8)
      for _ in 0...next(3) { bytes[next(bytes.count)] = signs[next(signs.count)] }
      guard let answer = try? answer(String(decoding: bytes, as: UTF8.self), "Book") else {
        continue
      }
      read += 1
      _ = client.nextPage(after: answer)
      _ = client.deletedIdentifiers(in: answer)
      for object in (try? client.representations(in: answer)) ?? [] {
        _ = client.identifier(of: object, in: answer.entity)
        _ = try? client.attributes(of: object, in: answer.entity)
        _ = try? client.relationships(of: object, in: answer.entity)
      }
    }
    #expect(read > 100)
  }

  // MARK: Saving

  private func id(_ entity: String, _ number: Int64) -> ObjectID {
    ObjectID(storeIdentifier: "S", entityName: entity, key: .integer(number))
  }

  private func changes() throws -> ([RESTChange], RESTKeys) {
    let new = ObjectID(storeIdentifier: "", entityName: "Author", key: .temporary(1))
    let book = id("Book", 1)
    let changes = [
      RESTChange(
        kind: .create, id: new, entity: try entity("Author"), key: nil, version: nil,
        values: ["Name": "Ada", "Home.Place.City": "Ulm", "Age": .null], toOne: [:], added: [:],
        removed: [:], idempotencyKey: "k1"),
      RESTChange(
        kind: .update, id: book, entity: try entity("Book"), key: .text("Shelf='A',Number=7"),
        version: "W/\"1\"", values: ["Title": "T", "Scan": .data(Data([255]))],
        toOne: ["Author": new], added: ["Tags": [id("Tag", 3)]], removed: ["Tags": [id("Tag", 4)]],
        idempotencyKey: "k2"),
      RESTChange(
        kind: .update, id: id("Person", 9), entity: try entity("Author"), key: .integer(9),
        version: nil, values: [:], toOne: ["Mentor": nil], added: [:], removed: [:],
        idempotencyKey: "k3"),
      RESTChange(
        kind: .delete, id: id("Person", 8), entity: try entity("Author"), key: .integer(8),
        version: nil, values: [:], toOne: [:], added: [:], removed: [:], idempotencyKey: "k4"),
    ]
    let keys: [ObjectID: RESTKey] = [
      book: .text("Shelf='A',Number=7"), id("Tag", 3): .text("'x'"), id("Tag", 4): .text("'y'"),
    ]
    return (changes, RESTKeys(keys: keys))
  }

  @Test func `a save is one batch with references to what it creates`() throws {
    let (changes, keys) = try changes()
    #expect(client.batches(of: changes) == [changes])
    let request = try client.request(forSave: changes, keys: keys)
    #expect(request.method == "POST" && request.url.absoluteString == "\(base)/$batch")
    let json = try JSONParser.parse(try #require(request.body))
    let requests = try #require(json["requests"]?.array)
    let lines = requests.map { request in
      "\(request["id"]?.string ?? "") \(request["method"]?.string ?? "") "
        + "\(request["url"]?.string ?? "") "
        + String(decoding: (request["body"] ?? .null).bytes, as: UTF8.self)
        + " \((request["dependsOn"]?.array ?? []).compactMap(\.string))"
        + " \(request["headers"]?["If-Match"]?.string ?? "-")"
    }
    let tag = "https%3A%2F%2Fhost.example%2Flibrary%2FTags%28%27y%27%29"
    #expect(
      lines == [
        "c0 POST People {\"@odata.type\":\"#Library.Model.Author\",\"Home\":{\"Place\":"
          + "{\"City\":\"Ulm\"}},\"Name\":\"Ada\"} [] -",
        "c1 PATCH Books(Shelf='A',Number=7) {\"Author@odata.bind\":\"$c0\",\"Scan\":\"_w\","
          + "\"Title\":\"T\"} [\"c0\"] W/\"1\"",
        "c1.1 POST Books(Shelf='A',Number=7)/Tags/$ref "
          + "{\"@odata.id\":\"\(base)/Tags('x')\"} [] -",
        "c1.2 DELETE Books(Shelf='A',Number=7)/Tags/$ref?$id=\(tag) null [] -",
        "c2.1 DELETE People(9)/Mentor/$ref null [] -", "c3 DELETE People(8) null [] *",
      ])
    #expect(Set(requests.map { $0["atomicityGroup"]?.string }) == ["save"])
  }

  @Test func `foreign keys are set with their relationship`() throws {
    let change = RESTChange(
      kind: .update, id: id("Book", 1), entity: try entity("Book"),
      key: .text("Shelf='A',Number=7"), version: nil, values: [:],
      toOne: ["Author": id("Author", 5)],
      added: [:], removed: [:], idempotencyKey: "k")
    var keys = RESTKeys(keys: [id("Author", 5): .integer(5)])
    func body(_ change: RESTChange) throws -> JSONValue {
      .object(try ODataOperations(client: client, changes: [change], keys: keys).body(of: change).0)
    }
    #expect(try body(change) == ["Author@odata.bind": "People(5)", "AuthorID": 5])
    var other = change
    other.toOne = ["Author": nil]
    #expect(try body(other) == ["AuthorID": .null])
    keys = RESTKeys(keys: [:])
    #expect(throws: StoreError.self) { try body(change) }
  }

  @Test func `the answers of a batch are those of its changes`() throws {
    let (changes, _) = try changes()
    let said = try answer(
      """
      {"responses":[{"id":"c1","status":200,"body":{"Shelf":"A"}},{"id":"c0","status":201,
      "body":{"ID":77}},{"id":"c1.1","status":204},{"id":"c3","status":204}]}
      """, "Book")
    let outcomes = try client.outcomes(of: changes, in: said)
    #expect(outcomes.map(Self.text) == ["saved 77", "saved", "saved", "saved"])
    let refused = try answer(
      """
      {"responses":[{"id":"c0","status":400,"body":{"error":{"code":"x","message":"no",
      "details":[{"code":"y","target":"Name","message":"is too long"}]}}}]}
      """, "Book")
    #expect(
      try client.outcomes(of: changes, in: refused).map(Self.text)
        == ["refused Name: is too long", "refused", "refused", "refused"])
    let conflict = try answer(#"{"responses":[{"id":"c1","status":412}]}"#, "Book")
    #expect(
      try client.outcomes(of: changes, in: conflict).map(Self.text)
        == ["refused", "conflict", "refused", "refused"])
    #expect(throws: StoreError.self) {
      try client.outcomes(of: changes, in: answer("{}", "Book"))
    }
  }

  @Test func `a service of 4.0 gets and gives parts`() throws {
    let metadata = ODataSample.metadata.replacingOccurrences(of: "4.01", with: "4.0")
    let client = try ODataClient(baseURL: client.baseURL, metadata: Data(metadata.utf8))
    let (changes, keys) = try changes()
    let request = try client.request(forSave: changes, keys: keys)
    let body = String(decoding: try #require(request.body), as: UTF8.self)
    #expect(request.headers["Content-Type"] == "multipart/mixed; boundary=cardfile_batch")
    #expect(body.contains("Content-ID: c1\r\n\r\nPATCH Books(Shelf='A',Number=7) HTTP/1.1\r\n"))
    #expect(body.contains("\r\n\r\n{\"Author@odata.bind\":\"$c0\""))
    #expect(body.hasSuffix("--cardfile_batch_save--\r\n--cardfile_batch--\r\n"))
    let parts = """
      --b\r\nContent-Type: multipart/mixed; boundary="c"\r\n\r\n--c\r\nContent-Type: application/http
      Content-ID: c0\r\n\r\nHTTP/1.1 201 Created\r\nContent-Type: application/json\r
      OData-Version: 4.0\r\n\r\n{"ID":5}\r\n--c\r\nContent-Type: application/http\r\nContent-ID: c1\r
      \r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--c--\r\n--b--\r\n
      """
    let response = HTTPResponse(
      status: 200, headers: ["Content-Type": "multipart/mixed; boundary=b"], body: Data(parts.utf8))
    let answer = RESTAnswer(
      to: request, entity: try entity("Book"), response: response, json: .null)
    #expect(
      try client.outcomes(of: Array(changes.prefix(2)), in: answer).map(Self.text)
        == ["saved 5", "saved"])
  }

  private static func text(_ outcome: RESTOutcome) -> String {
    switch outcome {
    case .saved(let json): "saved" + (json?["ID"]?.integer.map { " \($0)" } ?? "")
    case .refused(let reasons):
      "refused" + reasons.map { " \($0.property): \($0.message)" }.joined()
    case .conflict: "conflict"
    }
  }
}
