import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
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
}
