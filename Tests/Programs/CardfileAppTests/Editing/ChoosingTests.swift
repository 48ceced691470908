import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Changing relationships.
@MainActor @Suite struct ChoosingTests {
  private func page(_ person: String, _ property: String) throws -> Stage {
    let stage = try Stage()
    stage.type("/\(person)")
    stage.press(.enter, .enter)
    stage.move(to: property)
    return stage
  }

  private func object(_ name: String, _ stage: Stage) throws -> ManagedObject {
    stage.app.session.context.object(with: try #require(stage.person(name)))
  }

  @Test func `e on a to-one shows the list of its entity, and Enter chooses`() throws {
    let stage = try page("kim", "employer")
    stage.type("e")
    #expect(stage.title.contains("choose employer of Kim, José"))
    #expect(stage.lines.last?.contains("C-n NULL") == true)
    stage.press(.enter)
    #expect(stage.title.contains("Person › Kim, José"))
    #expect(stage.text.contains("employer  * → Company   Nordic Fish ehf."))
    #expect(stage.status.contains("employer of Kim, José: Nordic Fish ehf."))
    stage.type("u")
    #expect(try object("Kim, José", stage).objectID(forKey: "employer") == nil)
  }

  @Test func `the cursor begins on the present object, C-n sets NULL, Esc changes nothing`() throws
  {
    let stage = try page("horv", "employer")
    stage.type("e")
    #expect(stage.cursorLine.contains("Nordic Fish"))
    stage.press(.escape)
    #expect(stage.status.contains("employer is unchanged"))
    #expect(!stage.app.session.context.hasChanges)
    stage.type("e")
    stage.press(.control("n"))
    #expect(try object("Horváth, Noah", stage).objectID(forKey: "employer") == nil)
    #expect(stage.status.contains("employer of Horváth, Noah: NULL"))
  }

  @Test func `the list to choose from can be filtered, and no key changes objects in it`() throws {
    let stage = try Stage("Pet")
    stage.press(.enter)
    stage.move(to: "owner")
    stage.type("e")
    stage.type("dxoOW")
    #expect(stage.app.session.marks.isEmpty && stage.app.overlays.isEmpty)
    stage.type("/jensen")
    stage.press(.enter)
    stage.type("j")
    stage.press(.enter)
    #expect(stage.status.contains("owner of Ace: Jensen, Viktor"))
  }

  @Test func `a adds several objects to a to-many, and says which left another owner`() throws {
    let stage = try page("þór", "pets")
    stage.type("a")
    #expect(stage.title.contains("add to pets of Jónsdóttir, Þór"))
    #expect(!stage.text.contains("Rex"))
    stage.type("  ")
    stage.press(.enter)
    #expect(try object("Jónsdóttir, Þór", stage).count(forKey: "pets") == 4)
    #expect(stage.status.contains("2 Pet added to pets of Jónsdóttir, Þór"))
    #expect(stage.app.message?.text.contains("2 left another owner") == true)
    stage.type("u")
    #expect(try object("Jónsdóttir, Þór", stage).count(forKey: "pets") == 2)
  }

  @Test func `x removes from the relationship and d deletes`() throws {
    let stage = try page("þór", "pets")
    stage.press(.enter)
    stage.type("x")
    #expect(
      stage.app.message?.text.contains("removed from pets of Jónsdóttir, Þór, not deleted")
        == true)
    #expect(try object("Jónsdóttir, Þór", stage).count(forKey: "pets") == 1)
    #expect(stage.app.session.marks.isEmpty)
    stage.type("d")
    #expect(stage.app.session.marks.count == 1)
    stage.type("kx")
    #expect(stage.app.session.marks.isEmpty)
    #expect(try object("Jónsdóttir, Þór", stage).count(forKey: "pets") == 1)
    stage.type("W")
    #expect(stage.keys(of: "Pet").count == 7)
  }

  @Test func `x takes a to-one off, and says what keeps it where it cannot`() throws {
    let stage = try page("horv", "employer")
    stage.type("x")
    #expect(
      stage.status.contains("Nordic Fish ehf. removed from employer of Horváth, Noah, not deleted"))
    #expect(try object("Horváth, Noah", stage).objectID(forKey: "employer") == nil)
    stage.type("x")
    #expect(stage.status.contains("employer is NULL: there is no link to take off"))
    stage.move(to: "pets")
    stage.type("x")
    #expect(stage.status.contains("pets has 0 links — ⏎ lists its objects, x there takes one off"))
    stage.type("u")
    #expect(try object("Horváth, Noah", stage).objectID(forKey: "employer") != nil)
    // The mark goes first.
    stage.type("d")
    stage.move(to: "employer")
    stage.type("x")
    #expect(stage.app.session.marks.isEmpty && !stage.app.session.context.hasChanges)
  }

  @Test func `x leaves a required link, and clears a foreign key that leads nowhere`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("links.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE place(country TEXT, code INTEGER, name TEXT, PRIMARY KEY(country, code));
          CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE visit(id INTEGER PRIMARY KEY, title TEXT, country TEXT, code INTEGER,
            host_id INTEGER NOT NULL REFERENCES host, FOREIGN KEY(country, code) REFERENCES place);
          INSERT INTO host VALUES(1, 'Ann'); INSERT INTO visit VALUES(1, 'First', 'NO', 47, 1);
          """)
    }
    try queue.close()
    let stage = try Stage(
      "visit", options: AppOptions(columns: ["title", "place"]),
      opened: SQLiteStore.open(path: path))
    #expect(stage.cursorLine.contains("place NO, 47"))
    stage.press(.enter)
    #expect(stage.text.contains("place NO, 47  (missing)"))
    stage.move(to: "host")
    stage.type("x")
    #expect(stage.status.contains("Ann stays: host is required — e chooses another"))
    stage.move(to: "place")
    stage.press(.enter)
    #expect(stage.status.contains("place leads to an object that does not exist"))
    stage.type("x")
    #expect(stage.status.contains("place NO, 47 removed from place of First"))
    let visit = try #require(stage.app.session.context.updatedObjects.first)
    #expect(visit["country"].isNull && visit["code"].isNull)
  }
}
