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
  @Test(arguments: [
    ("list", "list-flags", "A list of people in sections, with the index strip"),
    ("detail", "detail", "One person with attributes and relationships"),
    ("filter-error", "filter-error", "A filter with a misspelled attribute"),
    ("save", "save", "The dialog that shows what a save does"),
  ])
  func `a picture shows what the program draws`(
    _ name: String, state: String, title: String
  ) throws {
    let state = try #require(ScreenState.all.first { $0.name == state })
    let stage = try state.stage()
    try expectGolden(
      stage.draw().svg(title: title), at: "Sources/Cardfile.docc/\(name).svg")
  }

  @Test func `a picture keeps the grid for wide characters, colours and signs of XML`() {
    var canvas = Canvas(size: Size(width: 8, height: 1))
    canvas.put("a<東", x: 0, y: 0)
    canvas.put("b", x: 6, y: 0, style: Style([.reverse, .bold], foreground: .red))
    let picture = canvas.svg(title: "x")
    #expect(picture.contains("<text x=\"0\" y=\"14\" textLength=\"18\""))
    #expect(picture.contains(">a&lt;</text>"))
    #expect(picture.contains("<text x=\"18\" y=\"14\" textLength=\"18\""))
    #expect(
      picture.contains(
        "<rect x=\"54\" y=\"0\" width=\"9\" height=\"18\" fill=\"#cd0000\"/>"))
  }
}
