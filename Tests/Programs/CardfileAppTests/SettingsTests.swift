import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

/// The settings and `:set`.
@MainActor @Suite struct SettingsTests {
  private func run(_ line: String, on stage: Stage) {
    stage.type(":" + line)
    stage.press(.enter)
  }

  private func settings(_ values: (String, String)...) throws -> Settings {
    var settings = Settings()
    for (name, value) in values { try settings.set(name, to: value, from: .session) }
    return settings
  }

  @Test func `every setting shows a value that it takes back`() throws {
    let defaults = Settings()
    for setting in Setting.all {
      var changed = defaults
      try changed.set(setting.name, to: setting.text(defaults), from: .session)
      #expect(setting.text(changed) == setting.text(defaults), "\(setting.name)")
      #expect(changed.origin(of: setting.name) == .session)
      #expect(defaults.origin(of: setting.name) == .standard)
    }
  }

  @Test(arguments: [
    ("mouse", "ye", "“ye” is no value of mouse", "yes, no"),
    ("colors", "many", "“many” is no value of colors", "256"),
    ("keys.delete", "d Dle", "“Dle” is not a key", "F5"),
    ("keys.delete", "7", "7 cannot be bound", "counts"),
    ("keys.delete", "u", "u is the key of undo too", "keys.undo"),
  ])
  func `a wrong value says what to write`(
    name: String, value: String, message: String, expected: String
  ) throws {
    let error = #expect(throws: TypedTextError.self) { try self.settings((name, value)) }
    #expect(error?.message == message)
    #expect(error?.expected.contains(expected) == true, "\(error?.expected ?? "")")
  }

  @Test func `the theme follows the terminal, unless a setting says what it is`() throws {
    let stage = try Stage()
    #expect(stage.app.look.theme == Theme(.palette, on: .dark))
    stage.terminal.capabilities.background = .light
    stage.app.handle(.background)
    #expect(stage.app.look.theme == Theme(.palette, on: .light))
    run("set theme dark", on: stage)
    #expect(stage.app.look.theme == Theme(.palette, on: .dark))
    run("set theme auto", on: stage)
    #expect(stage.app.look.theme == Theme(.palette, on: .light))
  }

  @Test func `styles of one's own go before those of the theme`() throws {
    let settings = try settings(("styles.cursor-row", "black on #ffd75f"), ("theme", "light"))
    let stage = try Stage(options: AppOptions(settings: settings))
    var expected = Theme(.palette, on: .light)
    expected.cursorRow = Style(
      foreground: .indexed(0), background: .rgb(red: 255, green: 215, blue: 95))
    #expect(stage.app.look.theme == expected)
    run("set styles.cursor-row theme", on: stage)
    #expect(stage.app.look.theme == Theme(.palette, on: .light))
    run("set styles.error purple", on: stage)
    #expect(stage.text.contains("“purple” is neither a colour nor an attribute"), "\(stage.text)")
  }

  @Test func `an unknown name says what is near`() throws {
    let error = #expect(throws: TypedTextError.self) { try self.settings(("mose", "no")) }
    #expect(error?.suggestions.first == "mouse")
  }

  @Test func `a key is bound anew in every table, with help and hints`() throws {
    let settings = try settings(("keys.delete", "C-x D"), ("keys.undo", "U"))
    let stage = try Stage("Tag", options: AppOptions(settings: settings))
    #expect(stage.lines.last?.contains("C-x delete") == true, "\(stage.lines.last ?? "")")
    stage.type("d")
    #expect(stage.status.contains("d does nothing here"))
    stage.press(.control("x"))
    stage.type("D")
    #expect(stage.status.contains("marked"))
    #expect(stage.app.session.marks.count == 2)
    stage.type("UU")
    #expect(stage.app.session.marks.isEmpty)
    stage.type("?")
    #expect(stage.text.contains("C-x D"))
    stage.press(.escape, .enter)
    stage.press(.control("x"))
    #expect(stage.app.session.marks.count == 1, "on the object's page too")
  }

  @Test func `lists write dates as exactly as wanted, the object page in full`() throws {
    let entity = EntityDescription(
      name: "Moment", attributes: [AttributeDescription("when", .date)])
    let store = InMemoryStore(
      model: ManagedObjectModel(entities: [entity]), identifier: "A0", name: "moments.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for text in ["1999-12-31 23:59:59.25", "2024-05-01 13:45:09", "2024-05-02"] {
      let date = try #require(ISODate(text))
      try context.insert(entityName: "Moment")["when"] =
        .date(Date(timeIntervalSinceReferenceDate: date.referenceSeconds))
    }
    try context.save()
    let stage = try Stage("Moment", store: store)
    #expect(stage.text.contains("when (UTC)"))
    #expect(stage.lines.contains { $0.hasSuffix("  2024-05-01 13:45:09") }, "\(stage.text)")
    run("set dates minutes", on: stage)
    #expect(stage.lines.contains { $0.hasSuffix("  2024-05-01 13:45") }, "\(stage.text)")
    run("set dates days", on: stage)
    #expect(stage.lines.contains("▌  1999-12-31"))
    #expect(!stage.text.contains("13:45") && !stage.text.contains("UTC"))
    stage.press(.enter)
    #expect(stage.text.contains("23:59:59.25"), "\(stage.text)")
  }

  @Test func `keys can be exchanged, and taken away`() throws {
    var settings = Settings()
    let wrong = settings.set([
      .init("keys.delete", to: "u", from: .session), .init("keys.undo", to: "d", from: .session),
      .init("keys.save", to: "none", from: .session),
    ])
    #expect(wrong.isEmpty)
    let stage = try Stage("Tag", options: AppOptions(settings: settings))
    stage.type("u")
    #expect(stage.status.contains("marked"))
    stage.type("d")
    #expect(stage.app.session.marks.isEmpty)
    stage.type("uW")
    #expect(stage.status.contains("W does nothing here"))
  }

  @Test func `:set changes a setting at once and shows it`() throws {
    let stage = try Stage("Tag")
    run("set read-only yes", on: stage)
    #expect(stage.status.contains("read-only: yes"))
    stage.type("d")
    #expect(stage.app.session.marks.isEmpty)
    #expect(stage.title.contains("[RO]"))
    run("set read-only=no", on: stage)
    stage.type("d")
    #expect(stage.app.session.marks.count == 1)
    run("set mouse", on: stage)
    #expect(stage.status.contains("mouse: yes"))
    run("set mouse off", on: stage)
    stage.click(x: 9, y: 9)
    #expect(stage.status.contains("mouse: no"), "the click does nothing")
    run("set keys.delete D", on: stage)
    stage.type("D")
    #expect(stage.status.contains("marked"))
    run("set", on: stage)
    #expect(stage.text.contains("Settings"))
    #expect(stage.text.contains("save-after-edit"))
  }

  @Test func `:set marks what is wrong and completes names and values`() throws {
    let stage = try Stage("Tag", width: 120)
    run("set mose no", on: stage)
    #expect(stage.lines.last?.contains("^^^^ there is no setting “mose”; Tab: mouse") == true)
    stage.press(.tab, .enter)
    #expect(stage.status.contains("mouse: no"))
    run("set colors lots", on: stage)
    #expect(stage.lines.last?.contains("^^^^ “lots” is no value of colors") == true)
    stage.press(.escape)
    stage.type(":set rem")
    stage.press(.tab)
    stage.type("n")
    stage.press(.tab, .enter)
    #expect(stage.status.contains("remember: no"), "\(stage.text)")
  }

  @Test func `colours can be limited`() throws {
    let stage = try Stage("Tag")
    #expect(stage.draw().styleLayer != "")
    run("set colors none", on: stage)
    let canvas = stage.draw().limited(to: stage.app.session.options.settings.colors)
    let styles = (0..<80).map { canvas[$0, 1].style }
    #expect(styles.allSatisfy { $0.foreground == .standard && $0.background == .standard })
    #expect(stage.app.session.look.theme == Look(TerminalCapabilities(colorSupport: .none)).theme)
  }

  @Test func `nothing is remembered when that is turned off`() throws {
    let keeper = MemoryKeeper()
    let stage = try Stage("Tag", keeper: keeper)
    run("set remember no", on: stage)
    stage.type("S")
    #expect(keeper.state.entities["Tag"] == nil)
  }
}
