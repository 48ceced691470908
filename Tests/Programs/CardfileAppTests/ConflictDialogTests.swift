import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// Conflicts with another program are decided property by property, with all values in sight.
@MainActor @Suite struct ConflictDialogTests {
  /// A stage on which Kim has moved, changed the address and got notes, while another program has
  /// moved Kim and changed the address too.
  private func stage(width: Int = 80, height: Int = 24) throws -> Stage {
    let stage = try Stage(width: width, height: height)
    let kim = try #require(stage.person("Kim, José"))
    let object = stage.app.session.context.object(with: kim)
    object["city"] = "Berlin"
    object["email"] = "mine@example.org"
    object["notes"] = "only mine"
    try stage.changeOutside {
      $0.object(with: kim)["city"] = "Paris"
      $0.object(with: kim)["email"] = "theirs@example.org"
    }
    return stage
  }

  private func saved(_ stage: Stage) throws -> [String] {
    let kim = try #require(stage.person("Kim, José"))
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: stage.store))
    return ["city", "email", "notes"].map { context.object(with: kim)[$0].description }
  }

  /// The words of the dialog, without the list behind it.
  private func words(_ stage: Stage) -> String {
    var canvas = Canvas(size: stage.draw().size, look: stage.app.session.look)
    _ = stage.app.overlays.last?.draw(in: &canvas)
    return canvas.text.split { $0.isWhitespace || "│".contains($0) }.joined(separator: " ")
  }

  @Test func `each property is shown with what it was, theirs and mine, and chosen by itself`()
    throws
  {
    let stage = try stage()
    stage.type("W")
    #expect(stage.text.contains("Changed here and elsewhere (1 of 2)"), "\(stage.text)")
    #expect(words(stage).contains("city of Kim, José"))
    #expect(words(stage).contains("before Boston theirs Paris mine Berlin"))
    stage.type("k")
    #expect(words(stage).contains("email of Kim, José before jose.kim@example.org"))
    stage.type("t")
    #expect(try saved(stage) == ["Berlin", "theirs@example.org", "only mine"])
    #expect(!stage.app.session.hasUnsavedChanges)
  }

  @Test(arguments: [
    ("K", ["Berlin", "mine@example.org", "only mine"]),
    ("T", ["Paris", "theirs@example.org", "only mine"]),
    ("tk", ["Paris", "mine@example.org", "only mine"]),
  ])
  func `all mine and all theirs choose for the rest`(keys: String, expected: [String]) throws {
    let stage = try stage()
    stage.type("W\(keys)")
    #expect(try saved(stage) == expected)
  }

  @Test func `Esc at any choice leaves everything as it was`() throws {
    for keys in ["W", "Wk", "Wt"] {
      let stage = try stage()
      stage.type(keys)
      stage.press(.escape)
      #expect(try saved(stage) == ["Paris", "theirs@example.org", ""])
      #expect(stage.app.session.context.conflicts.count == 1)
      stage.type("W")
      #expect(stage.text.contains("1 of 2"))
    }
  }

  @Test(arguments: [Size(width: 40, height: 12), Size(width: 20, height: 5)])
  func `all values can be read on a small screen`(size: Size) throws {
    let stage = try stage(width: size.width, height: size.height)
    stage.type("Wk")
    var seen = ""
    for _ in 0..<12 {
      seen += words(stage) + " "
      stage.press(.down)
    }
    for text in ["before", "jose.kim@", "theirs", "theirs@", "mine", "mine@"] {
      #expect(seen.contains(text), "\(text) in \(seen)")
    }
  }

  @Test func `an object deleted by another program is shown with my values`() throws {
    let stage = try Stage()
    let kim = try #require(stage.person("Kim, José"))
    stage.app.session.context.object(with: kim)["city"] = "Berlin"
    try stage.changeOutside { try $0.delete([kim]) }
    stage.type("W")
    #expect(
      words(stage).contains("theirs deleted by another program mine changed here"), "\(stage.text)")
    #expect(words(stage).contains("city before Boston mine Berlin"))
    stage.type("t")
    #expect(!stage.app.session.hasUnsavedChanges && stage.person("Kim, José") == nil)
  }

  @Test func `a conflict that the save meets is shown in the same way`() throws {
    let stage = try Stage()
    let kim = try #require(stage.person("Kim, José"))
    stage.app.session.context.object(with: kim)["city"] = "Berlin"
    let other = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: stage.store))
    other.object(with: kim)["city"] = "Paris"
    try other.save()
    stage.type("W")
    #expect(words(stage).contains("before Boston theirs Paris mine Berlin"), "\(stage.text)")
    stage.type("k")
    #expect(try saved(stage)[0] == "Berlin")
  }
}
