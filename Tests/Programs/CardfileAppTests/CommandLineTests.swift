import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The command line `:`.
@MainActor @Suite struct CommandLineTests {
  private func run(_ line: String, on stage: Stage) {
    stage.type(":" + line)
    stage.press(.enter)
  }

  @Test func `a number goes to a row, a number with a percent sign to a percentage`() throws {
    let stage = try Stage()
    run("7", on: stage)
    #expect(stage.status.contains(" 7/20"))
    run("50%", on: stage)
    #expect(stage.status.contains(" 10/20") || stage.status.contains(" 11/20"), "\(stage.status)")
    let entities = try Stage(nil)
    run("3", on: entities)
    #expect(entities.cursorLine.contains(Contacts.model.hierarchy[2].entity.name))
  }

  @Test func `columns shows columns in the order in which they are typed`() throws {
    let stage = try Stage()
    run("columns born, name, employer", on: stage)
    let titles = stage.lines[1].split(separator: " ").filter { $0 != "↑" }
    #expect(titles == ["born", "name", "employer"])
    run("columns", on: stage)
    #expect(stage.lines[1].contains("city"))
    run("columns name, brn", on: stage)
    #expect(stage.text.contains("no “brn” in Person; Tab: born"), "\(stage.text)")
  }

  @Test func `sort, sections and where change the list as their options do`() throws {
    let stage = try Stage()
    run("sort city desc, name", on: stage)
    #expect(stage.title.contains("by city ↓"))
    run("sections born:year", on: stage)
    stage.type("g")
    #expect(stage.text.contains("── 1895 ─"), "\(stage.text)")
    run("sections none", on: stage)
    #expect(!stage.text.contains("── 1895 ─"))
    run("where born < 1950-01-01 and city != NULL", on: stage)
    #expect(stage.title.contains("filter: born < 1950-01-01"))
    #expect(stage.title.contains("of 20"))
    run("where", on: stage)
    #expect(stage.title.contains("20 objects"))
    run("sort", on: stage)
    #expect(stage.title.contains("by name ↑"))
  }

  @Test func `a name may be shortened, but not to what several have`() throws {
    let stage = try Stage()
    run("so city", on: stage)
    #expect(stage.title.contains("by city"))
    run("s", on: stage)
    #expect(stage.text.contains("“s” could be sort, sections"), "\(stage.text)")
    #expect(stage.text.contains("Command"), "the line stays to be mended")
    stage.press(.escape)
    #expect(!stage.text.contains("Command"))
  }

  @Test func `an unknown name says what is near, and Tab puts it in place`() throws {
    let stage = try Stage()
    run("srot born", on: stage)
    #expect(stage.text.contains("there is no command “srot”; Tab: sort"), "\(stage.text)")
    stage.press(.tab, .enter)
    #expect(stage.title.contains("by born"))
    run("entity Persn", on: stage)
    #expect(stage.text.contains("no “Persn” in contacts.sqlite; Tab: Person"))
    stage.press(.tab, .enter)
    #expect(stage.app.screens.count == 2)
  }

  @Test(arguments: [
    ("sort nmae", "^^^^", "no “nmae” in Person; Tab: name"),
    ("sort name desc, employer.nmae", "^^^^", "no “nmae” in Company; Tab: name"),
    ("sort pets.name", "^^^^", "Person.pets is a to-many relationship"),
    ("sections born:week", "^^^^^^^^^", "is not a section key"),
    ("where surnme = 1", "^^^^^^", "no attribute “surnme” in Person"),
    ("where born <", "^", "The predicate is incomplete"),
    ("wq now", "^^^", ":wq takes no argument"),
    ("quit", "^^^^", "there is no command “quit”"),
    ("42x", "^^^", "there is no command “42x”"),
  ])
  func `an error stays in the line with carets under it`(line: String, caret: String, note: String)
    throws
  {
    let stage = try Stage(width: 160)
    run(line, on: stage)
    #expect(stage.lines.last?.contains(caret) == true, "\(stage.text)")
    #expect(stage.lines.last?.contains(caret + "^") == false)
    #expect(stage.lines.last?.contains(note) == true, "\(stage.lines.last ?? "")")
    #expect(stage.status.contains(": " + line))
    stage.press(.backspace)
    #expect(stage.lines.last?.contains("^") == false, "a change removes the error")
  }

  @Test func `what works in a list only says so elsewhere`() throws {
    let stage = try Stage(nil)
    run("sort name", on: stage)
    #expect(stage.text.contains(":sort works in a list of objects"))
  }

  @Test func `write, quit and discard do what their keys do`() throws {
    let stage = try Stage("Tag")
    stage.type("d")
    run("w", on: stage)
    #expect(stage.text.contains("Save changes?"))
    stage.type("y")
    #expect(stage.keys(of: "Tag").count == 37)
    stage.type("d")
    run("q", on: stage)
    #expect(stage.text.contains("There are unsaved changes"))
    stage.press(.escape)
    run("discard", on: stage)
    #expect(stage.text.contains("Discard all changes?"))
    stage.press(.escape)
    run("wq", on: stage)
    stage.type("y")
    #expect(stage.app.exitStatus == 0)
    #expect(stage.keys(of: "Tag").count == 36)
  }

  @Test func `q! ends without saving`() throws {
    let stage = try Stage("Tag")
    stage.type("d")
    run("q!", on: stage)
    #expect(stage.app.exitStatus == 0)
    #expect(stage.keys(of: "Tag").count == 38)
  }

  @Test func `Tab completes names, key paths by component, directions and transforms`() throws {
    let stage = try Stage(width: 120)
    func completed(_ text: String) -> String {
      stage.type(":" + text)
      stage.press(.tab)
      defer { stage.press(.escape) }
      return (stage.app.overlays.last as? PromptBar)?.text ?? ""
    }
    #expect(completed("wh") == "where ")
    #expect(completed("so") == "sort ")
    #expect(completed("sort emp") == "sort employer")
    #expect(completed("sort name desc, employer.n") == "sort name desc, employer.name")
    #expect(completed("sort name d") == "sort name desc")
    #expect(completed("columns name, emp") == "columns name, employer")
    #expect(completed("sections born:m") == "sections born:month")
    #expect(completed("sections no") == "sections no", "none and notes begin with it")
    #expect(completed("entity Com") == "entity Company")
    #expect(completed("where surname = emp") != "", "predicates are completed as in the filter")
    #expect(completed("wq x") == "wq x")
    stage.type(":en")
    stage.press(.tab, .tab)
    #expect((stage.app.overlays.last as? PromptBar)?.text == "entity ")
  }

  @Test func `former lines come back with the arrow, in the next run too`() throws {
    let keeper = MemoryKeeper()
    let first = try Stage(keeper: keeper)
    run("sort born", on: first)
    run("nonsense", on: first)
    #expect(keeper.state.commandHistory == ["sort born"], "what did not run is not kept")
    let second = try Stage(keeper: keeper)
    second.type(":")
    second.press(.up, .enter)
    #expect(second.title.contains("by born"))
  }

  @Test func `Esc, an empty line and Backspace in it leave the command line`() throws {
    let stage = try Stage()
    for keys in [[Key.escape], [.enter], [.backspace], [.character("x"), .backspace, .backspace]] {
      stage.type(":")
      #expect(stage.text.contains("Command"))
      for key in keys { stage.press(key) }
      #expect(stage.app.overlays.isEmpty)
    }
    stage.type(":")
    stage.paste("sort\nborn")
    stage.press(.enter)
    #expect(stage.title.contains("by born"))
  }

  @Test func `Tab goes through the completions, and S-Tab back`() throws {
    let stage = try Stage()
    stage.type(":entity P")
    stage.press(.tab)
    #expect(stage.text.contains(" : entity Pe\n"))
    for (key, name) in [(Key.tab, "Person"), (.tab, "Pet"), (.tab, "Person"), (.backTab, "Pet")] {
      stage.press(key)
      #expect(stage.text.contains(" : entity \(name)\n"), "\(stage.text)")
    }
    stage.press(.enter)
    #expect(stage.title.contains("› Pet"))
  }

  @Test func `Tab goes through values, which are written in quotes`() throws {
    let stage = try Stage()
    stage.type("/city == \"B")
    stage.press(.tab, .tab)
    let first = stage.lines.first { $0.contains("/ city ==") }
    #expect(first?.contains("\"B") == true && first?.hasSuffix("\"") == true, "\(stage.text)")
    stage.press(.tab)
    #expect(stage.lines.first { $0.contains("/ city ==") } != first)
  }

  @Test(arguments: [(40, 12), (30, 10), (80, 24)])
  func `an error of the command line is never cut at its advice`(_ width: Int, _ height: Int) throws
  {
    let stage = try Stage(width: width, height: height)
    stage.type(":sections city:weekday of the moon")
    stage.press(.enter)
    let text = stage.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(":year, or none"), "\(stage.text)")
  }

  @Test func `sorting by a relationship sorts by the title of its object`() throws {
    let stage = try Stage()
    stage.type(":sort employer desc")
    stage.press(.enter)
    #expect(stage.title.contains("by employer.name ↓"), "\(stage.text)")
    stage.type(":sections employer")
    stage.press(.enter)
    #expect(stage.title.contains("by employer.name"), "\(stage.text)")
  }
}
