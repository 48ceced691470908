import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// What cannot be saved is said before it is offered.
@MainActor @Suite struct InvalidSaveTests {
  private static let model = ManagedObjectModel {
    Entity("Album") {
      Attribute("title", .string, isOptional: false)
      Attribute("year", .integer64)
      ToOne("artist", "Artist", inverse: "albums", isOptional: false)
    }
    Entity("Artist") {
      Attribute("name", .string)
      ToMany("albums", "Album", inverse: "artist", deleteRule: .nullify)
    }
  }

  private static func store(albums: Int = 1) throws -> InMemoryStore {
    let store = InMemoryStore(model: model, identifier: "A1B2", name: "music.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let artist = try context.insert(entityName: "Artist")
    artist["name"] = "AC/DC"
    for number in 1...albums {
      let album = try context.insert(entityName: "Album")
      album["title"] = .string("Album \(number)")
      try album.setObject(artist, forKey: "artist")
    }
    try context.save()
    return store
  }

  @Test(arguments: [Size(width: 80, height: 24), Size(width: 40, height: 12)])
  func `a save that validation refuses names object, property and reason, and offers no y`(
    size: Size
  ) throws {
    let stage = try Stage(
      "Album", width: size.width, height: size.height, store: try Self.store())
    let album = try #require(stage.keys(of: "Album").first)
    stage.app.session.context.object(with: album)["title"] = .null
    stage.type("W")
    let words = stage.text.split { $0.isWhitespace || "│".contains($0) }.joined(separator: " ")
    #expect(words.contains("title is required"), "\(stage.text)")
    let question = try #require(stage.app.overlays.last as? QuestionOverlay)
    #expect(question.dialog.buttons.map(\.key) == ["g", "n"])
    stage.type("y")
    #expect(stage.app.session.context.hasChanges && stage.app.overlays.count == 1)
    stage.type("g")
    #expect(stage.status.contains("title is required"), "\(stage.text)")
    #expect(stage.app.screen is DetailScreen)
  }

  @Test
  func `a deletion that leaves a required relationship empty is refused before it is asked for`()
    throws
  {
    let stage = try Stage("Artist", store: try Self.store(albums: 30))
    stage.type("dW")
    #expect(stage.text.contains("! Album 1: artist is required"), "\(stage.text)")
    #expect(stage.text.contains("and 10 more values that are not valid"))
    #expect(!stage.text.contains("y save") && !stage.text.contains("Type 1"))
    stage.press(.enter)
    #expect(stage.keys(of: "Artist").count == 1)
  }

  @Test func `with save after edit it is said too`() throws {
    let stage = try Stage(
      "Artist", options: AppOptions(saveAfterEdit: true), store: try Self.store())
    stage.type("d")
    #expect(stage.text.contains("Album 1: artist is required"), "\(stage.text)")
    stage.type("y")
    #expect(stage.keys(of: "Artist").count == 1)
  }

  @Test func `the last statement of v can be read at 20 columns`() throws {
    let stage = try Stage("Album", width: 20, height: 5, store: try Self.store())
    let text = String(repeating: "word ", count: 40) + "end"
    stage.app.present(TextOverlay("Statements", lines: ["first", text]))
    #expect(stage.text.contains("▼"))
    stage.press(.end)
    #expect(stage.text.contains("end") && stage.text.contains("▲"), "\(stage.text)")
  }
}
