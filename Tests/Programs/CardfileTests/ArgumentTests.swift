import CardfileApp
import ObjectModel
import Testing

@testable import cardfile

struct ArgumentTests {
  private let names = NameResolver(
    model: ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("born", .date),
          AttributeDescription("born desc", .string), AttributeDescription("a.b", .integer64),
        ],
        relationships: [
          RelationshipDescription("boss", to: "Person", inverse: "team"),
          RelationshipDescription("team", to: "Person", inverse: "boss", isToMany: true),
        ])
    ]), storeName: "people.sqlite")

  private func descriptors(_ text: String) throws -> [FetchSortDescriptor] {
    try SortText.descriptors(text, for: names.entity("Person"), in: names)
  }

  @Test func `--sort has key paths and directions, and sorts text by the localized order`() throws {
    #expect(
      try descriptors("born desc, name") == [
        FetchSortDescriptor("born", ascending: false),
        FetchSortDescriptor("name", comparison: .localized),
      ])
    #expect(try descriptors("boss.born ASC") == [FetchSortDescriptor("boss.born")])
    // A relationship means the title of its object.
    #expect(try descriptors("boss") == [FetchSortDescriptor("boss.name", comparison: .localized)])
    // A key path names an attribute with a point in backquotes.
    #expect(try descriptors("a.b") == [FetchSortDescriptor("`a.b`")])
    #expect(
      try descriptors("\"born desc\" desc") == [
        FetchSortDescriptor("born desc", ascending: false, comparison: .localized)
      ])
  }

  @Test(arguments: ["", ",", "nobody", "team.name", "boss.", ".name", "name down"])
  func `an invalid --sort is rejected`(text: String) {
    #expect(throws: Failure.self) { try descriptors(text) }
  }

  @Test func `--section has a transform or none`() throws {
    let person = try names.entity("Person")
    #expect(try SectionText.key("none", for: person, in: names) == nil)
    #expect(try SectionText.key("born:month", for: person, in: names) == SectionKey("born", .month))
    #expect(try SectionText.key("boss.name", for: person, in: names) == SectionKey("boss.name"))
    #expect(throws: Failure.self) { try SectionText.key("nmae:initial", for: person, in: names) }
    #expect(throws: Failure.self) { try SectionText.key("born:week", for: person, in: names) }
  }

  @Test(arguments: [
    ("a,b", ["a", "b"]), (" a , b ,", ["a", "b"]), ("\"a,b\",c", ["a,b", "c"]), ("", []),
    ("\"say \"\"hi\"\"\"", ["say \"hi\""]), ("\"open", ["\"open"]), ("é,日本", ["é", "日本"]),
  ])
  func `lists of names are split at commas outside quotes`(text: String, parts: [String]) {
    #expect(NameList.split(text).map { NameList.unquoted($0.text) } == parts)
  }

  @Test func `a failure is printed as one line and its pointer`() {
    #expect(
      Failure(.usage, "no such.\n  more", try: "this").lines
        == ["cardfile: no such; more; try: this"])
    #expect(
      Failure(.usage, "broken", pointer: ["a = =", "    ^"]).lines
        == ["cardfile: broken", "  a = =", "      ^"])
  }
}
