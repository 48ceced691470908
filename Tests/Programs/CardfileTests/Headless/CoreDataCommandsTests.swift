import Foundation
import TestSupport
import Testing

/// The commands on real stores of Core Data.
@Suite(.needsRealStores)
struct CoreDataCommandsTests {
  private let folder: TemporaryFolder
  private let stores: URL

  init() throws {
    folder = try TemporaryFolder()
    let chinook = try RealStores.file("plain/chinook.sqlite")
    stores = chinook.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("coredata")
  }

  private func store(_ name: String) -> String { stores.appendingPathComponent(name).path }

  @Test func `sub-entities are listed below their entity, and abstract entities are labelled`()
    throws
  {
    let lines = try Program.run("entities", store("moody-v1.moody")).lines
    let names = lines.dropFirst(2).map { $0.prefix { $0 != "(" }.description }
    #expect(
      lines.first?.split(whereSeparator: \.isWhitespace).prefix(3) == ["Entity", "Objects", "Own"])
    #expect(names.contains { $0.hasPrefix("GeographicRegion ") })
    #expect(names.contains { $0.hasPrefix("  Continent ") })
    #expect(lines.contains { $0.hasPrefix("GeographicRegion (abstract) ") })
  }

  @Test func `describe prints the framework that wrote the store and its journal mode`() throws {
    let outcome = try Program.run("describe", store("bookmarks-v5.sqlite"))
    #expect(outcome.lines.first?.contains("written by macOS") == true)
    #expect(outcome.lines.first?.contains("write-ahead log") == true)
  }

  @Test func `describe prints a version of a model file`() throws {
    let model = try RealStores.file("models/Sample.momd").path
    let outcome = try Program.run("describe", model, "--version", "SampleModel")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("ExpensiveSportCar"))
    let unknown = try Program.run("describe", model, "--version", "Simple")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("SampleModel2"))
  }

  @Test func `the json of describe can be read as a model`() throws {
    let json = try Program.run("describe", store("sample-v1.sqlite"), "--format", "json")
    #expect(json.status == 0, "\(json.errors)")
    try Data(json.output.utf8).write(to: folder.url("model.json"))
    let again = try Program.run("describe", folder.path("model.json"), "--format", "json")
    #expect(again.output == json.output, "\(again.errors)")
    let one = try Program.run("describe", store("sample-v1.sqlite"), "Car", "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [String: Any]
    #expect((object?["entities"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Car"])
  }

  @Test func `a store without a model prints a note to standard error`() throws {
    let outcome = try Program.run("entities", store("recipes-2010.sqlite"), "--format", "json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("cardfile: note: The store holds no model"))
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }
  }

  @Test func `history prints date, author and changes of transactions`() throws {
    let path = store("library-history.sqlite")
    let all = try Program.run("history", path, "--format", "json")
    let transactions = try all.lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let stored = try Database.strings(
      folder.copy(of: URL(fileURLWithPath: path)), "SELECT CAST(count(*) AS TEXT) FROM ACHANGE")
    let changes = transactions.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
    #expect(stored == ["\(changes.count)"])
    #expect(transactions.first?["bundle"] as? String == "com.apple.dt.xctest.tool")
    #expect(changes.first?["objectID"] as? String != nil)
    #expect(try Program.run("history", path, "--since", "2099-01-01").lines.count == 2)
    #expect(try Program.run("history", path, "--since", "yesterday").status == 2)
    #expect(try Program.run("history", store("sample-v1.sqlite")).status == 1)
  }

  @Test func `check finds no errors in real stores`() throws {
    for name in ["library-history.sqlite", "photos.sqlite", "cart-swiftdata.sqlite"] {
      let outcome = try Program.run("check", store(name))
      #expect(outcome.status == 0, "\(name): \(outcome.output)")
    }
  }

  @Test func `check fails where an object is missing`() throws {
    let path = try folder.copy(of: URL(fileURLWithPath: store("library-history.sqlite")))
    try Database.write(path, "DELETE FROM ZWRITER")
    let outcome = try Program.run("check", path)
    #expect(outcome.status == 1)
    #expect(outcome.lines.contains { $0.hasPrefix("error: ") }, "\(outcome.output)")
  }

  @Test func `csv has the values that json has`() throws {
    let outcome = try Program.run(
      "fetch", store("library-history.sqlite"), "Book", "--columns", "entity,price,publishedAt",
      "--format", "csv", "--limit", "1")
    #expect(
      outcome.lines == [
        "entity,price,publishedAt", "Book,3.3333333332999993,2024-05-10T18:14:11.670Z",
      ])
  }

  @Test(arguments: ["plain", "coredata"])
  func `a created store passes its check`(layout: String) throws {
    let model = try RealStores.file("models/Sample.momd").path
    let made = try Program.run(
      "create", folder.path("new.sqlite"), "--model", model, "--layout", layout)
    #expect(made.status == 0, "\(made.errors)")
    let entities = try Program.run("entities", folder.path("new.sqlite"), "--format", "json")
    let names = try #require(
      JSONSerialization.jsonObject(with: Data(entities.output.utf8)) as? [String: Any])
    #expect(names.keys.contains("SportCar"))
    #expect(try Program.run("check", folder.path("new.sqlite")).status == 0)
    let kind = try #require(try Program.run("describe", folder.path("new.sqlite")).lines.first)
    #expect(kind.contains("Core Data store") == (layout == "coredata"))
    #expect(try Program.run("create", folder.path("new.sqlite"), "--model", model).status != 0)
  }

  @Test func `generate does not overwrite the files for own code`() throws {
    let model = try RealStores.file("models/Sample.momd").path
    let output = folder.path("classes")
    let first = try Program.run("generate", model, "--output", output, "--prefix", "XY")
    #expect(first.status == 0, "\(first.errors)")
    let own = try #require(first.lines.first { $0.contains("+") })
    try Data("// mine".utf8).write(to: URL(fileURLWithPath: output + "/" + own))
    let again = try Program.run("generate", model, "--output", output, "--prefix", "XY")
    #expect(!again.lines.contains(own))
    #expect(again.lines.contains { $0.hasPrefix("XY") })
    #expect(try String(contentsOfFile: output + "/" + own, encoding: .utf8) == "// mine")
  }

  @Test func `delete backs up the store first and prints the path`() throws {
    let path = try folder.copy(of: URL(fileURLWithPath: store("library-history.sqlite")))
    let outcome = try Program.run(
      "delete", path, "Feedback", "--where", "TRUEPREDICATE", "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let line = try #require(
      outcome.errors.split(separator: "\n").first { $0.contains("as it was before") })
    let backup = String(line.split(separator: " ").last ?? "")
    #expect(try Program.run("count", path, "Feedback").output == "0\n")
    #expect(try Program.run("count", backup, "Feedback").output != "0\n")
    #expect(try Program.run("check", path).status == 0)
    let last = try Program.run("history", path, "--format", "json").lines.last ?? ""
    #expect(last.contains("\"kind\":\"delete\""))
  }
}
