import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The pictures of the README and of the articles: what the program draws today, 80 columns by 24
/// lines.
///
/// `make pictures` draws them anew.
@MainActor @Suite struct PictureTests {
  struct Picture: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let title: String
    let entity: String
    let steps: @MainActor @Sendable (Stage) throws -> Void
  }

  @Test(arguments: [
    Picture(
      testDescription: "list", title: "A list of discs in sections, with the index strip",
      entity: "Disc"
    ) { stage in
      stage.type("4jdd")
      stage.type("j")
      let list = try #require(stage.app.screen as? ListScreen)
      let disc = stage.app.session.context.object(with: try #require(list.cursorID))
      disc["price"] = .decimal(9.5)
      stage.app.session.context.processPendingChanges()
      stage.type("j ")
    },
    Picture(
      testDescription: "detail", title: "One person with attributes and relationships",
      entity: "Person"
    ) { stage in
      stage.type("3j")
      let list = try #require(stage.app.screen as? ListScreen)
      stage.app.session.context.object(with: try #require(list.cursorID))["city"] = "Osaka"
      stage.app.session.context.processPendingChanges()
      stage.press(.enter)
      stage.type("j")
    },
    Picture(
      testDescription: "filter-error", title: "A filter with a misspelled attribute",
      entity: "Disc"
    ) { $0.type("/bought > 2020-01-01 and tilte contains[cd] \"lake\"") },
    Picture(
      testDescription: "save", title: "The dialog that shows what a save does", entity: "Person"
    ) { $0.type("jdW") },
  ])
  func `a picture shows what the program draws`(_ picture: Picture) throws {
    let stage = try Stage(picture.entity, store: try DiscCollection.store())
    try picture.steps(stage)
    try expectGolden(
      stage.draw().svg(title: picture.title),
      at: "Sources/Cardfile.docc/\(picture.testDescription).svg")
  }

  @Test
  func `a picture places every word by its cell, for wide characters, colours and signs of XML`() {
    var canvas = Canvas(size: Size(width: 16, height: 1))
    canvas.put("a< b", x: 0, y: 0)
    canvas.put("∅x", x: 5, y: 0)
    canvas.put("東京", x: 8, y: 0)
    canvas.put("b", x: 13, y: 0, style: Style([.reverse, .bold], foreground: .red))
    let texts = canvas.svg(title: "x").split(separator: "\n").filter { $0.hasPrefix("<text") }
      .map { line in
        line.replacing(" y=\"14\"", with: "")
          .replacing(" lengthAdjust=\"spacingAndGlyphs\"", with: "")
      }
    #expect(
      texts == [
        "<text x=\"0\" textLength=\"18\">a&lt;</text>", "<text x=\"27\" textLength=\"9\">b</text>",
        "<text x=\"45\" textLength=\"9\">∅</text>", "<text x=\"54\" textLength=\"9\">x</text>",
        "<text x=\"72\" textLength=\"18\">東</text>", "<text x=\"90\" textLength=\"18\">京</text>",
        "<text x=\"117\" textLength=\"9\" fill=\"#20242c\" font-weight=\"bold\">b</text>",
      ])
    #expect(
      canvas.svg(title: "x").contains(
        "<rect x=\"117\" y=\"0\" width=\"9\" height=\"18\" fill=\"#cd0000\"/>"))
  }
}
