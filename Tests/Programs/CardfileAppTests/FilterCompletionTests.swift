import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Tab in the filter bar never destroys what was typed.
@MainActor
struct FilterCompletionTests {
  private static let card = EntityDescription(
    name: "Card", attributes: ["odd name", "title"].map { AttributeDescription($0, .string) },
    relationships: [
      RelationshipDescription("boss", to: "Card"),
      RelationshipDescription("cards", to: "Card", isToMany: true),
    ])
  private static let model = ManagedObjectModel(entities: [card])

  private func typing(_ text: String, knownTexts: [String] = []) -> FilterTyping {
    let typing = FilterTyping(
      .filter,
      .init(
        entity: Self.card, model: Self.model, wordAttributes: ["title"],
        knownTexts: { attribute, entity, _ in
          #expect(attribute.name == "title" && entity.name == "Card")
          return knownTexts
        }), history: [])
    typing.paste(text)
    return typing
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
    ("boss.`odd", "boss.`odd name`"), ("title beg", "title BEGINSWITH"), ("title ", "title "),
    ("title == 'x' o", "title == 'x' OR"), ("enti", "entity"), ("SUBQ", "SUBQUERY("),
    ("cards.@c", "cards.@count"), ("@c", "@count"),
    ("SUBQUERY(cards, $x, $x.tit", "SUBQUERY(cards, $x, $x.title"),
    ("SUBQUERY(cards, $card, $c", "SUBQUERY(cards, $card, $card"),
    ("title == 'x' ", "title == 'x' "), ("title CONTAINS[c", "title CONTAINS[c"),
    ("cards[fi", "cards[FIRST"), ("title == low", "title == lowercase("),
    ("nothing.x.y", "nothing.x.y"), ("(title == 'x') a", "(title == 'x') AND"),
  ])
  func `Tab completes or mends one name`(typed: String, completed: String) {
    let typing = typing(typed)
    _ = typing.handle(.tab)
    #expect(typing.bar.text == completed)
  }

  @Test(
    arguments: [
      ("title ", ["==", "!=", "IN", "<", "<=", ">", ">=", "BETWEEN"], "BEGINSWITH"),
      ("boss ", ["==", "!=", "IN"], nil), ("title == 'x' ", ["AND", "OR"], nil),
      ("cards.@", ["@count", "@sum", "@min"], "@distinctUnionOfObjects"),
      ("cards.", ["odd name", "title", "boss"], "@count"),
      ("title ==", ["odd name", "title", "boss"], nil),
      ("title == 'x", [], nil), ("SUBQUERY(cards, ", [], nil),
      ("now(", ["odd name", "title"], nil),
      ("SUBQUERY(cards, $x, $x.", ["odd name", "title"], nil),
      ("title CONTAINS[", ["c", "d", "cd"], nil), ("title IN {'a', ", ["odd name", "title"], nil),
      ("boss.title.", [], nil), ("$", [], nil), ("title == 12", [], nil),
      ("title == 'a' AND NOT boss.", ["odd name", "title"], nil),
      ("TRUEPREDICATE ", ["AND", "OR"], nil), ("cards.@count ", ["==", "!=", "IN", "<"], nil),
    ] as [(String, [String], String?)])
  func `what can follow is offered`(typed: String, first: [String], other: String?) {
    let found = PredicateCompletion(before: typed, for: Self.card, in: Self.model)
    #expect(Array(found.candidates.prefix(first.count)) == first)
    #expect(first.isEmpty == found.candidates.isEmpty)
    if let other { #expect(found.candidates.contains(other)) }
    #expect(found.completion == nil || typed == "cards.@c")
  }

  /// Whatever is typed, Tab only adds to it, or writes it in another case or with quotes.
  @Test(arguments: 0..<20)
  func `a completion keeps what was typed`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "title", "tit", "boss", ".", "cards", "@", "@c", " ", " ", "==", "'", "'x'", "`", "`odd",
      "odd name", "$x", "$", "SUBQUERY(", ",", ")", "(", "[", "]", "{", "AND", "beg", "an", "#",
      "é",
      "\"", "12", "%", "🙂", "n", "NOT", "SELF",
    ]
    for _ in 0..<300 {
      let typed = (0..<Int.random(in: 1...9, using: &random)).map { _ in random.pick(parts) }
        .joined()
      let found = PredicateCompletion(before: typed, for: Self.card, in: Self.model)
      guard let completion = found.completion else { continue }
      let replaced = typed.suffix(found.typedCount)
      let letters = replaced.lowercased().filter { !"`#".contains($0) }
      #expect(completion.lowercased().filter { $0 != "`" }.hasPrefix(letters), "\(typed)")
    }
  }

  @Test(arguments: [
    ("title == 'Ja", "title == 'Jazz'"), ("title == \"roc", "title == \"Rock"),
    ("title == Ja", "title == \"Jazz\""), ("title IN {'Jazz', 'Blu", "title IN {'Jazz', 'Blues'"),
    ("boss.title != 'k", "boss.title != \"Köln \\\"am Rhein\\\"\""),
    ("title == 'x", "title == 'x"),
    ("title == \"kol", "title == \"Köln \\\"am Rhein\\\"\""),
    ("boss == 'Ja", "boss == 'Ja"),
    ("title == 'Jazz' AND 'Ja", "title == 'Jazz' AND 'Ja"), ("'Ja", "'Ja"),
    ("title == ro", "title == \"Rock"), ("title CONTAINS 'al\\", "title CONTAINS 'al\\"),
  ])
  func `Tab completes a text by those of the store`(typed: String, completed: String) {
    let all = ["Jazz", "Rock", "Rock And Roll", "Blues", "Köln \"am Rhein\""]
    let typing = typing(typed, knownTexts: all)
    _ = typing.handle(.tab)
    #expect(typing.bar.text == completed)
  }

  @Test func `the texts of a related object are offered where they can stand`() throws {
    let stage = try Stage()
    stage.type("/employer.name == ")
    stage.press(.tab)
    #expect(stage.draw().lines.contains { $0.contains("Nordic Fish ehf.") })
    stage.type("\"nor")
    stage.press(.tab)
    #expect(stage.draw().lines.contains { $0.contains("employer.name == \"Nordic Fish ehf.\"") })
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
