import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// `f` finds without hiding rows, `+` and `-` narrow to a value.
@MainActor @Suite struct FindingTests {
  private func find(_ text: String, on stage: Stage) {
    stage.type("f\(text)")
    stage.press(.enter)
  }

  @Test func `f goes to the next row with the words in any shown column, and wraps`() throws {
    let stage = try Stage()
    find("nordic", on: stage)
    #expect(stage.title.contains("20 objects"))
    #expect(stage.cursorLine.contains("Abe"))
    #expect(stage.status.contains("match 1 of 7"))
    stage.type("n")
    #expect(stage.cursorLine.contains("Horváth"))
    stage.type("NN")
    #expect(stage.cursorLine.contains("Øster"))
    #expect(stage.status.contains("match 7 of 7, from the end again"))
    stage.type("n")
    #expect(stage.status.contains("match 1 of 7, from the top again"))
    stage.type("3n")
    #expect(stage.status.contains("match 4 of 7"))
  }

  @Test func `what is not there is said, and the cursor stays`() throws {
    let stage = try Stage()
    stage.type("3j")
    let before = stage.cursorLine
    find("qqq", on: stage)
    #expect(stage.status.contains("No row matches “qqq”"))
    #expect(stage.cursorLine == before)
    let other = try Stage()
    other.type("n")
    #expect(other.status.contains("Nothing was looked for yet"))
  }

  @Test func `a match near the cursor is gone to before all are found`() throws {
    let stage = try Stage()
    stage.gate.isOpen = false
    stage.gate.letsPartsPass = true
    find("nordic", on: stage)
    #expect(stage.cursorLine.contains("Abe"))
    #expect(stage.status.contains("match; all are being counted"))
    stage.type("n")
    #expect(stage.cursorLine.contains("Horváth"))
    stage.type("N")
    #expect(stage.cursorLine.contains("Abe"))
    stage.type("n")
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.cursorLine.contains("Horváth"))
    #expect(stage.status.contains("match 2 of 7"))
  }

  @Test func `without a match near the cursor the search goes on`() throws {
    let stage = try Stage()
    find("nordic", on: stage)
    stage.type("N")
    #expect(stage.cursorLine.contains("Øster"))
    stage.gate.isOpen = false
    stage.gate.letsPartsPass = true
    find("abe", on: stage)
    #expect(stage.cursorLine.contains("Øster"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.cursorLine.contains("Abe"))
    #expect(stage.status.contains("from the top again"))
  }

  @Test func `what is looked for while a filter is being removed is found in all rows`() throws {
    let stage = try Stage()
    stage.type("/abe")
    stage.press(.enter)
    stage.gate.isOpen = false
    stage.press(.escape)
    #expect(stage.lines[0].contains("filter") || stage.lines[2...].joined().contains("Abe"))
    find("nordic", on: stage)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.cursorLine.contains("Horváth"))
    #expect(stage.status.contains("match 2 of 7"))
  }

  @Test func `what was looked for is looked for anew in other rows`() throws {
    let stage = try Stage()
    stage.type("/abe")
    stage.press(.enter)
    find("nordic", on: stage)
    #expect(stage.status.contains("match 1 of 1"))
    stage.press(.escape)
    stage.type("n")
    stage.settle()
    #expect(stage.cursorLine.contains("Horváth"))
    #expect(stage.status.contains("match 2 of 7"))
  }

  @Test func `matches are highlighted, and the column of the match is marked`() throws {
    let stage = try Stage(width: 160)
    find("zurich", on: stage)
    let canvas = stage.draw()
    let y = try #require(canvas.lines.firstIndex { $0.contains("Zürich") })
    let x = try #require((0..<160).first { canvas[$0, y].character == "Z" })
    let match = canvas.theme.match.attributes
    #expect(canvas[x, y].style.attributes.isSuperset(of: match))
    #expect(canvas[x + 5, y].style.attributes.isSuperset(of: match))
    #expect(!canvas[x + 6, y].style.attributes.isSuperset(of: match))
    #expect(canvas[x, 1].style.attributes.contains(.underline))
  }

  @Test func `matches follow unsaved changes`() throws {
    let stage = try Stage()
    find("oslo", on: stage)
    #expect(stage.status.contains("match 1 of 1"))
    let kim = try #require(stage.person("Kim, José"))
    stage.app.session.context.object(with: kim)["city"] = "Oslo"
    stage.app.session.context.processPendingChanges()
    stage.type("n")
    #expect(stage.cursorLine.contains("Kim, José"))
    #expect(stage.status.contains("match 2 of 2"))
  }

  @Test func `plus and minus show the objects with and without the marked value`() throws {
    let stage = try Stage()
    stage.type("/viktor")
    stage.press(.enter, .escape)
    stage.press(.tab, .tab, .tab)
    stage.type("gjjjjj+")
    #expect(stage.title.contains("filter: city == \"東京\""))
    #expect(stage.title.contains("2 of 20"))
    stage.press(.escape)
    #expect(stage.title.contains("20 objects"))
    stage.type("-")
    #expect(stage.title.contains("18 of 20"))
    stage.press(.tab)
    stage.type("g+")
    #expect(stage.title.contains("filter: city != \"東京\" AND email == NULL"))
    #expect(stage.title.contains("2 of 20"))
  }

  @Test(arguments: [
    ("name", "name == \"4711\"", 1), ("city", "city == \"Köln\"", 1),
    ("born", "born == 1792-10-08", 1), ("email", "email == NULL", 2),
    ("employer", "employer == NULL", 13),
  ])
  func `a value is written as a person would`(_ column: String, _ text: String, _ count: Int) throws
  {
    let stage = try Stage(options: AppOptions(columns: ["name", column]))
    if column != "name" { stage.press(.tab) }
    stage.type("+")
    #expect(stage.title.contains("filter: \(text)"))
    #expect(stage.title.contains("\(count) of 20"))
  }

  @Test func `a related object is compared by its name, and a number chooses the column`() throws {
    let stage = try Stage(width: 120, options: AppOptions(columns: ["name", "employer", "photo"]))
    stage.type("j2+")
    #expect(stage.title.contains("filter: employer.name == \"Nordic Fish ehf.\""))
    #expect(stage.title.contains("7 of 20"))
    stage.type("3+")
    #expect(stage.status.contains("Values of photo cannot be compared"))
    stage.type("7+")
    #expect(stage.status.contains("The screen has 3 columns"))
  }

  @Test func `words are found in related objects, dates and numbers of the shown columns`() throws {
    let stage = try Stage()
    stage.type("/nordic 1954")
    stage.press(.enter)
    #expect(stage.title.contains("1 of 20"))
    #expect(stage.cursorLine.contains("Horváth"))
  }

  @Test func `while a condition is typed the rows stay, and Enter shows that there are none`()
    throws
  {
    let stage = try Stage()
    for character in "/city == \"Oslo\"" {
      stage.type(String(character))
      #expect(!stage.text.contains("No Person matches"), "\(stage.text)")
    }
    #expect(stage.title.contains("1 of 20"))
    stage.type("x")
    stage.press(.enter)
    stage.press(.escape, .escape)
    stage.type("/qqq")
    #expect(stage.title.contains("nothing matches"))
    // The rows of "q", the last text that something matched.
    #expect(stage.text.contains("Kowalski, Quentin"))
    stage.press(.enter)
    #expect(stage.text.contains("No Person matches"))
  }
}
