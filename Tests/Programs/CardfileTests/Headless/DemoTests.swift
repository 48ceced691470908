import Foundation
import TestSupport
import Testing

struct DemoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func demoPath() throws -> String {
    let outcome = try Program.run(
      "demo", "--path", environment: ["XDG_DATA_HOME": folder.path("data")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.lines.first ?? ""
  }

  @Test func `the demo store is created in the data directory once`() throws {
    let path = try demoPath()
    #expect(path == folder.path("data/cardfile/demo/demo.sqlite"))
    try Database.write(path, "DELETE FROM Color WHERE name LIKE 'A%'")
    let count = try Database.strings(path, "SELECT count(*) || '' FROM Color")
    #expect(try demoPath() == path)
    #expect(try Database.strings(path, "SELECT count(*) || '' FROM Color") == count)
  }

  @Test func `the demo store has colours with hex values, and people with their DVDs`() throws {
    let path = try demoPath()
    let colors = try Database.strings(path, "SELECT hex FROM Color")
    #expect(colors.count == 120)
    #expect(colors.allSatisfy { $0.wholeMatch(of: /#[0-9A-F]{6}/) != nil })
    let outcome = try Program.run(
      "count", path, "DVD", "--where", "owner.username = 'aneta' AND purchaseDate < '2010-01-01'")
    #expect(outcome.output == "3\n", "\(outcome.errors)")
    #expect(try Program.run("count", path, "Loan", "--where", "returnedOn = nil").output == "3\n")
    #expect(try Program.run("count", path, "Person", "--where", "dvds.@count = 5").output == "12\n")
    #expect(try Database.rows(path, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `the demo store has notes of a year, each in a colour, and moments`() throws {
    let path = try demoPath()
    let colors = try Database.strings(path, "SELECT color FROM Note")
    #expect(colors.count == 38)
    #expect(colors.allSatisfy { $0.wholeMatch(of: /#[0-9A-F]{6}/) != nil })
    #expect(try Database.strings(path, "SELECT fileName FROM Note").allSatisfy { $0.count > 6 })
    let found = try Program.run("count", path, "Note", "--where", "text contains[cd] 'coffee'")
    #expect(found.output == "5\n")
    #expect(try Program.run("count", path, "Moment").output == "4\n")
  }

  @Test func `deleting a person cascades to their DVDs`() throws {
    let path = try demoPath()
    let outcome = try Program.run("delete", path, "Person", "--where", "username = 'dai'", "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Program.run("count", path, "DVD").output == "55\n")
  }
}
