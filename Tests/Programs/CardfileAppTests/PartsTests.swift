import ObjectModel
import TerminalApplications
import TerminalKit
import Testing

@testable import CardfileApp

@MainActor @Suite struct PartsTests {
  @Test(arguments: ["list", "object", "entities"])
  func `every key of a key table is in its help and its manual`(_ name: String) throws {
    let table = try #require(KeyTable.all.first { $0.name == name })
    let manual = keyManual
    for entry in table.entries {
      #expect(!entry.bindings.isEmpty)
      #expect(manual.contains(entry.help))
      for (key, action) in entry.bindings {
        var performed: Action?
        let commands = table.commands(hinting: []) { action, _ in performed = action }
        let command = try #require(KeyMap(commands)[key])
        command.action(nil)
        #expect(performed == action)
      }
    }
  }

  @Test func `hints and help of a read-only store leave out what changes it`() {
    let changes: Set<Action> = [
      .delete, .unmark, .edit, .insert, .duplicate, .add, .undo, .redo, .save, .discard,
    ]
    for table in KeyTable.all {
      for hinted in [table.hintedActions, table.relationshipActions, Action.allCases] {
        var performed: [Action] = []
        let commands = KeyMap(
          table.commands(hinting: hinted, isReadOnly: true) { action, _ in
            performed.append(action)
          })
        for hint in commands.hints(.unicode) { hint.press.map { commands[$0]?.action(nil) } }
        for command in commands.help(.unicode).commands { command.action(nil) }
        #expect(!performed.isEmpty && changes.isDisjoint(with: performed), "\(table.name)")
      }
    }
  }

  @Test func `text is wrapped between words, or between graphemes in a long word`() {
    func wrap(_ text: String, _ columns: Int, limit: Int = 9) -> [String] {
      TextWrap.lines(text, columns: columns, limit: limit, signs: .unicode)
    }
    #expect(wrap("one two three", 8) == ["one two ", "three"])
    #expect(wrap("東京大阪", 4) == ["東京", "大阪"])
    #expect(wrap("a\nb\n", 8) == ["a", "b", ""])
    #expect(wrap("abcdefgh", 3, limit: 2) == ["abc", "… 8 bytes in all"])
    #expect(wrap("", 8) == [""])
  }

  @Test(
    arguments: [
      ("emp", "employer", []), ("employer.na", "name", []),
      ("n", nil, ["name", "notes", "NOT", "NONE", "now()"]),
      ("zzz", nil, []), ("name == nil or ci", "city", []),
    ] as [(String, String?, [String])])
  func `names are completed along key paths`(
    _ text: String, _ completion: String?, _ candidates: [String]
  ) throws {
    let person = try #require(Contacts.model.entity(named: "Person"))
    let found = PredicateCompletion(before: text, for: person, in: Contacts.model)
    #expect(found.completion == completion)
    #expect(found.candidates == candidates)
  }

  @Test func `letters refine type-ahead, and begin anew after a pause`() {
    var mode = TypeAhead()
    #expect(mode.handle(.character("a"), now: 0) == .typed)
    #expect(mode.handle(.character("d"), now: 700) == .typed)
    #expect(mode.letters == "ad")
    #expect(mode.handle(.character("m"), now: 1_401) == .typed)
    #expect(mode.letters == "m")
    #expect(mode.handle(.down, now: 1_402) == .passOn)
    #expect(mode.handle(.escape, now: 1_402) == .end)
    #expect(mode.handle(.backspace, now: 1_403) == .end)
    #expect(mode.handle(.character("'"), now: 1_404) == .back)
  }

  @Test(arguments: [
    (0, "0 bytes"), (999, "999 bytes"), (4_312, "4.3 kB"), (126_000_000, "126 MB"), (-1, "0 bytes"),
    (Int.max, "9223372 TB"),
  ])
  func `byte counts are formatted with decimal units`(_ count: Int, _ text: String) {
    #expect(ValueText.bytes(count) == text)
  }

  @Test func `the default sections depend on a sample of the values`() throws {
    let store = try Contacts.store(tagCount: 300)
    func key(_ keyPath: String, _ entity: String = "Person") -> SectionKey? {
      Contacts.model.entity(named: entity).flatMap {
        ListDefaults($0, store: store).sectionKey(for: [FetchSortDescriptor(keyPath)])
      }
    }
    #expect(key("name") == SectionKey("name", .initial))
    // Nearly everybody would have a year of their own, and two orders are seen at a glance.
    #expect(key("born") == nil)
    #expect(key("placed", "Order") == nil)
    // There are few companies.
    #expect(key("employer.name") == SectionKey("employer.name", .value))
    #expect(key("photo") == nil)
    #expect(key("number", "Invoice") == nil)
    #expect(key("nothing") == nil)
  }
}
