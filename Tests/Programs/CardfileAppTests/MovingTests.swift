import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

@MainActor @Suite struct MovingTests {
  @Test(arguments: [
    ("7j", "Ito, 太郎"), ("G", "Zappa"), ("3G", "Éluard"), ("50%", "Jensen, Viktor"),
    ("Gg", "4711"), ("5G[[", "Éluard"), ("]]]", "Hansen"), ("2]", "Éluard"),
  ])
  func `digits repeat a motion`(_ keys: String, _ name: String) throws {
    let stage = try Stage()
    stage.type(keys)
    #expect(stage.cursorLine.contains(name))
  }

  @Test func `a quote and letters go to a section, two quotes go back`() throws {
    let stage = try Stage()
    stage.type("'k")
    #expect(stage.cursorLine.contains("Kim, José"))
    stage.type("'e")
    #expect(stage.cursorLine.contains("Éluard"))
    stage.type("''")
    #expect(stage.cursorLine.contains("Kim, José"))
  }

  @Test func `the list is filtered while typing, and Esc restores it`() throws {
    let stage = try Stage()
    stage.type("8j")
    let before = stage.text
    stage.type("/lar")
    #expect(stage.title.contains("2 of 20"))
    stage.press(.escape)
    #expect(stage.text == before)
  }

  @Test func `an invalid filter keeps the last valid list, and Tab corrects the name`() throws {
    let stage = try Stage()
    stage.type("/city contains \"o\" and nme")
    #expect(stage.title.contains("filter not applied"))
    stage.type(" contains \"K\"")
    #expect(stage.text.contains("Tab: name"))
    stage.press(.tab, .enter)
    #expect(stage.title.contains("filter: city contains \"o\" and name conta"))
    #expect(stage.title.hasSuffix("2 of 20"))
  }

  @Test func `the filter history has former filters`() throws {
    let stage = try Stage()
    stage.type("/kim")
    stage.press(.enter, .escape)
    #expect(stage.title.contains("20 objects"))
    stage.type("/")
    stage.press(.up, .enter)
    #expect(stage.title.contains("filter: kim"))
  }

  @Test func `Tab completes names in the filter`() throws {
    let stage = try Stage()
    stage.type("/ema")
    stage.press(.tab)
    #expect(stage.lines.contains { $0.hasPrefix(" / email") })
    stage.type(" == nil and employer.na")
    stage.press(.tab)
    #expect(stage.lines.contains { $0.hasPrefix(" / email == nil and employer.name") })
  }

  @Test func `sorting keeps a cursor that was moved on its object, and sections follow`() throws {
    let stage = try Stage()
    stage.type("5j")
    let name = stage.cursorLine
    stage.type("sborn")
    stage.press(.enter)
    #expect(stage.title.contains("by born ↑"))
    #expect(stage.cursorLine.prefix(20) == name.prefix(20))
    #expect(!stage.text.contains("── "), "most years of birth would be of one person")
    stage.type("S")
    #expect(stage.title.contains("by born ↓"))
    #expect(stage.cursorLine.contains("Łuczak, Ruth"), "the list goes to the top")
  }

  @Test func `a dash in the sort menu sorts descending, s by the marked column, letters by order`()
    throws
  {
    let stage = try Stage()
    stage.type("sbrn-")
    #expect(stage.title.contains("by born ↓"))
    stage.press(.tab, .tab, .tab)
    stage.type("ss")
    #expect(stage.title.contains("by city ↑"))
    stage.type("ss")
    #expect(stage.title.contains("by city ↓"))
  }

  @Test func `Tab marks columns, and the list scrolls sideways to them`() throws {
    let stage = try Stage(width: 60)
    let first = stage.lines[1]
    #expect(!first.contains("notes"))
    #expect(first.hasSuffix("+3 ▸"))
    stage.press(.backTab)
    #expect(stage.lines[1].hasPrefix("   name ↑"))
    #expect(stage.lines[1].contains("notes"))
    #expect(stage.lines[1].contains("◂ +"))
    stage.press(.tab)
    #expect(stage.lines[1] == first)
  }

  @Test func `Enter follows a relationship, and back returns to the object`() throws {
    let stage = try Stage()
    stage.type("/kim")
    stage.press(.enter, .enter)
    #expect(stage.title.contains("Person › Kim, José"))
    stage.type("7j")
    stage.press(.enter)
    #expect(stage.title.contains("Kim, José › pets"))
    #expect(stage.title.contains("5 objects"))
    stage.type("j")
    stage.press(.enter)
    #expect(stage.title.contains("pets › Bo"))
    stage.press(.left)
    #expect(stage.cursorLine.contains("Bo"))
    stage.type("qq")
    #expect(stage.cursorLine.contains("Kim, José"))
  }

  @Test func `J shows the next object of the list`() throws {
    let stage = try Stage()
    stage.press(.enter)
    stage.type("JJ")
    #expect(stage.title.contains("Éluard, Paul"))
    #expect(stage.title.contains("3 of 20"))
    stage.type("K")
    #expect(stage.title.contains("2 of 20"))
    stage.press(.left)
    #expect(stage.cursorLine.contains("Abe"))
  }

  @Test func `Enter in the help performs the chosen key's action`() throws {
    let stage = try Stage()
    stage.type("?/sort")
    stage.press(.enter)
    #expect(stage.text.contains("Sort by"))
  }

  @Test func `entities are counted and opened`() throws {
    let stage = try Stage(nil)
    #expect(stage.lines.contains { $0.contains("Tag") && $0.contains("38") })
    stage.type("/pet")
    stage.press(.enter, .enter)
    #expect(stage.title.contains("› Pet"))
    stage.type("E")
    #expect(stage.app.screens.count == 1)
  }

  @Test func `the mouse moves the cursor, goes to sections and opens`() throws {
    let stage = try Stage()
    stage.click(x: 10, y: 5)
    #expect(stage.cursorLine.contains("Abe"))
    stage.click(x: 79, y: 5)
    #expect(stage.cursorLine.contains("Hansen"))
    stage.click(x: 10, y: 9, .wheelDown)
    let row = try #require(stage.lines.firstIndex { $0.hasPrefix("▌") })
    stage.click(x: 10, y: row, .doublePress)
    #expect(stage.app.screens.count == 2)
  }

  @Test func `rows show the changes of other processes`() throws {
    let stage = try Stage()
    stage.type("'k")
    let (hansen, sian) = try (
      #require(stage.person("Hansen, Ingrid")), #require(stage.person("Larsen, Siân"))
    )
    try stage.changeOutside { context in
      try context.insert(entityName: "Person")["name"] = "Aaa, New"
      context.object(with: sian)["name"] = "Kaa, Siân"
      try context.delete([hansen])
    }
    #expect(stage.cursorLine.contains("Kim, José"))
    #expect(stage.title.contains("20 objects"))
    #expect(stage.status.contains("removed outside"))
    stage.press(.escape)
    stage.type("g")
    #expect(stage.text.contains("Aaa, New"))
    stage.type("'k")
    #expect(stage.cursorLine.contains("Kaa, Siân"))
  }

  @Test
  func `the page of an object deleted by another process says so, and the object cannot be marked`()
    throws
  {
    let stage = try Stage()
    stage.type("'k")
    stage.press(.enter)
    let kim = try #require(stage.person("Kim, José"))
    try stage.changeOutside { try $0.delete([kim]) }
    #expect(stage.text.contains("It was deleted from the store"))
    #expect(!stage.text.contains("∅"))
    stage.type("d")
    #expect(stage.app.session.marks.isEmpty)
  }

  @Test(arguments: [
    ("#C4501B", ColorSupport.palette, true), ("#FFFFFF", .palette, true),
    ("C4501B", .palette, false), ("#C4501B", .none, false),
  ])
  func `a hex colour has a swatch where the terminal has colours`(
    _ text: String, _ support: ColorSupport, isShown: Bool
  ) throws {
    let stage = try Stage(capabilities: TerminalCapabilities(colorSupport: support))
    let id = try #require(stage.person("4711"))
    try stage.changeOutside { $0.object(with: id)["city"] = .string(text) }
    let canvas = stage.draw()
    let y = try #require(canvas.lines.firstIndex { $0.contains("4711") })
    let x = try #require((0..<80).first { canvas[$0, y].character == text.first })
    #expect((canvas[x - 3, y].style.background == Color(hex: text)) == isShown)
    #expect(canvas.lines[y].contains(text))
  }
}
