import Foundation
import TestSupport
import Testing

struct EntitiesTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  @Test func `json is one object of counts by entity`() throws {
    let outcome = try Program.run("entities", store, "--format", "json")
    #expect(outcome.status == 0)
    let entities = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: [String: Any]])
    #expect(Set(entities.keys) == ["person", "pet", "invoice"])
    let person = try #require(entities["person"])
    #expect(Set(person.keys) == ["count", "own", "abstract", "super"])
    #expect(person["count"] as? Int == 4)
    #expect(person["own"] as? Int == 4)
    #expect(person["abstract"] as? Bool == false)
    #expect(person["super"] is NSNull)
  }

  @Test func `a table that cannot be counted does not prevent counting the others`() throws {
    let store = try folder.database(
      "stale.sqlite",
      """
      CREATE TABLE a (x); INSERT INTO a VALUES (1);
      CREATE VIRTUAL TABLE b USING fts5(title, content='a');
      """)
    let outcome = try Program.run("entities", store, "--format", "json")
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("cardfile: Counting b: "), "\(outcome.errors)")
    let entities = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: [String: Any]])
    #expect(entities["a"]?["count"] as? Int == 1)
    #expect(entities["b"]?["count"] is NSNull)
  }

  @Test func `the table names entities, counts and relationships`() throws {
    let outcome = try Program.run("entities", store)
    #expect(outcome.lines.first?.hasPrefix("Entity") == true)
    #expect(
      outcome.lines.contains { $0.hasPrefix("pet") && $0.contains("3") && $0.contains("owner") })
  }

  @Test func `describe prints attributes, types and delete rules`() throws {
    let outcome = try Program.run("describe", store, "person")
    #expect(outcome.status == 0)
    #expect(outcome.lines.first == "person")
    #expect(outcome.lines.contains { $0.contains("born") && $0.contains("date") })
    #expect(outcome.lines.contains { $0.contains("id") && $0.contains("key") })
    #expect(outcome.lines.contains { $0.contains("pet") && $0.contains("cascade") })
    let all = try Program.run("describe", store)
    #expect(all.lines.first?.hasPrefix("people.sqlite: ") == true)
    #expect(all.lines.contains("invoice"))
  }

  @Test func `a database without tables has no entities`() throws {
    let empty = try folder.database("empty.sqlite", "CREATE TABLE t(a); DROP TABLE t;")
    #expect(try Program.run("entities", empty, "--format", "json").output == "{}\n")
  }

  @Test func `count prints the number of objects`() throws {
    #expect(try Program.run("count", store, "person").output == "4\n")
    #expect(try Program.run("count", store, "person", "--where", "height > 1.6").output == "2\n")
    #expect(
      try Program.run("count", store, "pet", "--where", "owner.name = 'Björn'").output == "2\n")
  }

  @Test func `a store that is named like a command is opened by its path`() throws {
    let store = try folder.database("fetch", Database.people)
    #expect(store.hasSuffix("/fetch"))
    let outcome = try Program.shell("cd '\(folder.url.path)' && $CARDFILE count ./fetch person")
    #expect(outcome.output == "4\n")
  }
}
