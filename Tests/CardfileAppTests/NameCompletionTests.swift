import ObjectModel
import TerminalKit
import Testing

@testable import CardfileApp

/// Tab in the filter bar never destroys what was typed.
@MainActor
struct NameCompletionTests {
  private static let card = EntityDescription(
    name: "Card", attributes: ["odd name", "title"].map { AttributeDescription($0, .string) },
    relationships: [RelationshipDescription("boss", to: "Card")])
  private static let model = ManagedObjectModel(entities: [card])

  private func bar(_ text: String) -> FilterBar {
    let bar = FilterBar(
      nil, entity: Self.card, model: Self.model, wordAttributes: ["title"], history: [])
    bar.insert(text)
    _ = try? bar.typed()
    return bar
  }

  @Test(arguments: [
    ("tit", "title"), ("boss.tit", "boss.title"), ("bo", "boss"), ("odd", "`odd name`"),
    ("`odd", "`odd name`"), ("boss.odd", "boss.`odd name`"), ("title == 'tit", "title == 'tit"),
    ("title == \"x\" and tit", "title == \"x\" and title"), ("$x.tit", "$x.tit"),
    ("boss.titl == 'x'", "boss.title == 'x'"), ("titel == 'x'", "titel == 'x'"),
    ("title == 'x' and boss.titl == 'y'", "title == 'x' and boss.title == 'y'"),
    ("title startswith 'x'", "title BEGINSWITH 'x'"),
    ("title IN ('x', 'y')", "title IN {'x', 'y'}"),
    ("title == Bob", "title == 'Bob'"), ("SELF.tit", "SELF.title"),
    ("boss.`odd", "boss.`odd name`"),
  ])
  func `Tab completes or mends one name`(typed: String, completed: String) {
    let bar = bar(typed)
    _ = bar.handle(.tab)
    #expect(bar.text == completed)
  }

  @Test func `mending keeps the cursor where it was`() {
    var prompt = Prompt(label: "/", text: "nmae == 1 and x")
    prompt.replace(0..<4, with: "surname")
    #expect(prompt.text == "surname == 1 and x" && prompt.textBeforeCursor == prompt.text)
    _ = prompt.handle(.home)
    prompt.replace(8..<10, with: "!=")
    #expect(prompt.text == "surname != 1 and x" && prompt.textBeforeCursor.isEmpty)
  }
}
