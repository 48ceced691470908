import Foundation
import ObjectModel
import Testing

@testable import RESTStore

struct DatasetteTests {
  private static let database = """
    {"database":"my db","tables":[
     {"name":"people","columns":["id","name","boss_id","pay","photo"],"primary_keys":["id"],
      "hidden":false,"foreign_keys":{"incoming":[],"outgoing":[
       {"other_table":"people","column":"boss_id","other_column":"id"}]}},
     {"name":"tag list","columns":["a","b"],"primary_keys":["a","b"],"hidden":false,
      "foreign_keys":{"incoming":[],"outgoing":[]}},
     {"name":"notes","columns":["text"],"primary_keys":[],"hidden":false},
     {"name":"people_fts","columns":["x"],"primary_keys":[],"hidden":true}],
     "views":[{"name":"totals"}]}
    """
  private static let columns = """
    [{"t":"people","c":"id","k":"INTEGER","n":1},{"t":"people","c":"name","k":"TEXT","n":1},
     {"t":"people","c":"boss_id","k":"INTEGER","n":0},{"t":"people","c":"pay","k":"NUMERIC","n":0},
     {"t":"people","c":"photo","k":"BLOB","n":0},{"t":"tag list","c":"a","k":"TEXT","n":0},
     {"t":"tag list","c":"b","k":"TEXT","n":0}]
    """
  private let base = "https://data.example/x"

  /// A Datasette that answers what it is asked when it is looked at.
  private func client(version: String = "1.0", canWrite: Bool = true, at address: String? = nil)
    throws -> DatasetteClient?
  {
    let url = try #require(URL(string: address ?? base))
    return try DatasetteProbe(url, canWrite: canWrite) {
      request throws(StoreError) -> HTTPResponse in
      let query = request.url.query ?? ""
      let bodies = [
        "/x/-/versions.json": #"{"datasette":{"version":"\#(version)"}}"#,
        "/x/-/databases.json": #"[{"name":"my db"},{"name":"_memory"}]"#,
        "/x/my~20db.json": query.contains("sql=") ? Self.columns : Self.database,
        "/x/my~20db/-/query.json": Self.columns,
      ]
      guard let body = bodies[request.url.path] else { return HTTPResponse(status: 404) }
      return HTTPResponse(status: 200, body: Data(body.utf8))
    }.client()
  }

  private func plan(
    _ client: RESTClient, _ entity: String, _ format: String? = nil,
    _ order: [FetchSortDescriptor] = []
  ) throws -> FetchPlan {
    FetchPlan(
      entityName: entity,
      predicate: try format.map {
        try FetchPredicate(format: $0).validated(forEntity: entity, in: client.model)
      }, sortDescriptors: order)
  }

  @Test func `tables become entities, and foreign keys relationships`() throws {
    let client = try #require(try client())
    let picture = client.model.entities.map { entity in
      let attributes = entity.attributes.map { "\($0.name) \($0.type)\($0.isReadOnly ? "!" : "")" }
      let relationships = entity.relationships.map { "\($0.name)>\($0.inverseName ?? "-")" }
      return "\(entity.name) \(entity.keyAttributes) \(attributes) \(relationships)"
    }
    #expect(
      picture == [
        #"people ["id"] ["id integer64", "name string", "boss_id integer64!", "pay decimal", "#
          + #""photo binaryData"] ["boss>people", "people>boss"]"#,
        #"tag list ["a", "b"] ["a string", "b string"] []"#, #"notes [] ["text undefined"] []"#,
      ])
    #expect(client.notes == ["totals of my db is a view without keys"])
    let capabilities = client.capabilities(of: try client.entity("tag list"))
    #expect(capabilities.contains([.textKeys, .create]) && !capabilities.contains(.batch))
  }

  @Test func `an address of a database is known, and one of something else is not`() throws {
    #expect(try client(at: "\(base)/my%20db")?.model.entities.count == 3)
    #expect(try client(at: "https://data.example/other") == nil)
  }

  @Test(arguments: [("0.65.5", true), ("1.0", false)])
  func `what only shows its rows says so`(version: String, canWrite: Bool) throws {
    let client = try #require(try client(version: version, canWrite: canWrite))
    let entity = try client.entity("people")
    #expect(entity.readOnlyReason == "the service only shows them")
    #expect(!client.capabilities(of: entity).contains(.update))
    #expect(entity.attribute(named: "pay")?.type == .decimal)
  }

  @Test(arguments: [
    ("name == 'O''x'", "name__exact=O%27x", true), ("pay > 1.5", "pay__gt=1.5", true),
    ("boss_id == NULL AND pay <= 7", "boss_id__isnull=1&pay__lte=7", true),
    ("id IN {1, 2}", "id__in=1%2C2", true), ("name CONTAINS 'a%'", "name__contains=a%25", false),
    ("name BEGINSWITH[c] 'bo'", "name__startswith=bo", false),
    ("name CONTAINS[c] 'k'", "", false), ("name CONTAINS[d] 'a'", "", false),
    ("name != 'a'", "", false), ("name < 'a'", "", false), ("NOT id == 1", "", false),
    ("id == 1 OR id == 2", "", false), ("boss.name == 'a'", "", false),
  ]) func `filters of columns are sent`(format: String, query: String, isExact: Bool) throws {
    let client = try #require(try client())
    let plan = try plan(client, "people", format.replacingOccurrences(of: "''", with: "\\'"))
    let fetch = try client.request(forFetch: plan)
    let prefix =
      "\(base)/my~20db/people.json?_shape=objects&_nofacet=1&_nosuggest=1&_nocount=1&_size=max"
    #expect(
      fetch.request.url.absoluteString == prefix + (query.isEmpty ? "" : "&\(query)"))
    #expect(fetch.parts.contains(.predicate) == !query.isEmpty)
    #expect(try (client.request(forCount: plan) != nil) == isExact)
  }

  @Test func `rows are read with their keys, page by page`() throws {
    let client = try #require(try client())
    let people = try client.entity("people")
    let request = try client.request(
      forFetch: plan(client, "people", nil, [FetchSortDescriptor("pay", ascending: false)])
    ).request
    #expect(request.url.absoluteString.hasSuffix("_size=max&_sort_desc=pay"))
    let answer = RESTAnswer(
      to: request, entity: people, response: HTTPResponse(status: 200),
      json: try JSONParser.parse(
        Data(
          """
          {"ok":true,"next":"5,7","next_url":"http://wrong.example/","rows":[
          {"id":7,"name":"Zoë","boss_id":3,"pay":12.50,
           "photo":{"$base64":true,"encoded":"/w=="}},
          {"id":8,"name":"x","boss_id":null,"pay":null,"photo":null}]}
          """.utf8)))
    let rows = try client.representations(in: answer)
    #expect(rows.map { client.identifier(of: $0, in: people) } == [.integer(7), .integer(8)])
    #expect(
      try client.attributes(of: rows[0], in: people) == [
        "id": 7, "name": "Zoë", "boss_id": 3, "pay": .decimal(Decimal(125) / 10),
        "photo": .data(Data([0xFF])),
      ])
    #expect(
      try client.relationships(of: rows[0], in: people)
        == ["boss": [RESTReference("people", .integer(3))]])
    #expect(try client.relationships(of: rows[1], in: people) == ["boss": []])
    let next = try #require(client.nextPage(after: answer))
    #expect(next.url.absoluteString == request.url.absoluteString + "&_next=5%2C7")
    let tag = try client.entity("tag list")
    let key = client.identifier(of: ["a": "x/y", "b": "é,"], in: tag)
    #expect(key == .text("x~2Fy,~C3~A9~2C"))
    #expect(
      client.request(forObject: try #require(key), of: tag).url.absoluteString
        == "\(base)/my~20db/tag~20list/x~2Fy,~C3~A9~2C.json?_shape=objects")
    let damaged: JSONValue = ["id": 7, "pay": "much"]
    #expect(throws: StoreError.self) { try client.attributes(of: damaged, in: people) }
  }

  @Test func `rows are written with the API of version 1`() throws {
    let client = try #require(try client())
    let people = try client.entity("people")
    let boss = ObjectID(storeIdentifier: "S", entityName: "people", key: .integer(3))
    func change(_ kind: RESTChange.Kind) -> RESTChange {
      RESTChange(
        kind: kind, id: boss, entity: people, key: kind == .create ? nil : .integer(7),
        version: nil, values: ["name": "N", "pay": .null, "photo": .data(Data([255]))],
        toOne: ["boss": boss], added: [:], removed: [:], idempotencyKey: "k")
    }
    let keys = RESTKeys(keys: [boss: .integer(3)])
    func text(_ kind: RESTChange.Kind) throws -> String {
      let request = try client.request(forSave: [change(kind)], keys: keys)
      return "\(request) \(String(decoding: request.body ?? Data(), as: UTF8.self))"
    }
    let photo = #""photo":{"$base64":true,"encoded":"/w=="}"#
    #expect(
      try text(.create)
        == "POST \(base)/my~20db/people/-/insert "
        + #"{"return":true,"row":{"boss_id":3,"name":"N",\#(photo)}}"#)
    #expect(
      try text(.update)
        == "POST \(base)/my~20db/people/7/-/update "
        + #"{"return":true,"update":{"boss_id":3,"name":"N","pay":null,\#(photo)}}"#)
    #expect(try text(.delete) == "POST \(base)/my~20db/people/7/-/delete {}")
    func outcomes(_ status: Int, _ json: String) throws -> [RESTOutcome] {
      try client.outcomes(
        of: [change(.create)],
        in: RESTAnswer(
          to: HTTPRequest(client.baseURL), entity: people, response: HTTPResponse(status: status),
          json: try JSONParser.parse(Data(json.utf8))))
    }
    guard case .saved(let row?) = try outcomes(201, #"{"ok":true,"rows":[{"id":9}]}"#)[0],
      case .refused(let reasons) = try outcomes(
        400, #"{"ok":false,"errors":["NOT NULL constraint failed: people.name"]}"#)[0]
    else {
      Issue.record("another outcome")
      return
    }
    #expect(row == ["id": 9])
    #expect(reasons.map(\.message) == ["NOT NULL constraint failed: people.name"])
  }
}
