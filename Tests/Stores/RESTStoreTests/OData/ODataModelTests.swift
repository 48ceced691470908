import Foundation
import ObjectModel
import Testing

@testable import RESTStore

struct ODataModelTests {
  let model: ODataModel

  init() throws { model = try ODataSample.model() }

  @Test func `types of sets become entities with those that they extend`() {
    let picture = model.model.entities.map { entity in
      "\(entity.name) < \(entity.superentityName ?? "-") \(entity.isAbstract) "
        + "\(model.entities[entity.name]?.path ?? "-") \(entity.keyAttributes)"
    }
    #expect(
      picture == [
        "Person < - true People [\"ID\"]",
        "Author < Person false People/Library.Model.Author [\"ID\"]",
        "Book < - false Books [\"Shelf\", \"Number\"]", "Tag < - false Tags [\"Label\"]",
      ])
    #expect(
      model.notes.sorted() == [
        "Classics has objects of a type that another set has too", "Me is one object and no set",
        "Picture of Library.Model.Author is a stream",
        "Picture of Library.Model.Person is a stream",
      ])
  }

  @Test func `properties become attributes, complex ones composites`() throws {
    let person = try #require(model.model.entity(named: "Person"))
    let picture = person.attributes.map { attribute in
      "\(attribute.name) \(attribute.type.rawValue)\(attribute.isOptional ? "?" : "")"
        + (attribute.isReadOnly ? " read-only" : "")
        + attribute.details.property.validations.map { " \($0.predicate)" }.joined()
    }
    #expect(
      picture == [
        "ID integer32", "Name string length <= 40", "Age integer16?", "Born date?", "Seen date?",
        "Written date?", "Active boolean?", "Score double?", "Ratio float?", "Fee decimal?",
        "Guid uuid?", "Pause string?", "Wakes string?", "Mails string? read-only",
        "Home.Street string?", "Home.Place.City string?", "Home.Place.Zip string?",
      ])
    #expect(person.attribute(named: "Active")?.defaultValue == .bool(true))
    #expect(person.details.composites.map(\.name) == ["Home", "Home.Place"])
    #expect(model.entities["Person"]?.properties["Home.Place.City"]?.text == "Home/Place/City")
    let authorID = model.model.entity(named: "Book")?.attribute(named: "AuthorID")
    #expect(authorID?.isReadOnly == true)
    let genre = model.model.entity(named: "Book")?.attribute(named: "Genre")
    #expect(
      genre?.details.property.validations.map(\.predicate) == [#"SELF IN {"Novel", "Poem"}"#])
  }

  @Test func `navigation properties become relationships with their inverses`() {
    let picture = model.model.entities.flatMap { entity in
      entity.relationships.map { relationship in
        "\(entity.name).\(relationship.name) \(relationship.isToMany ? "->>" : "->") "
          + "\(relationship.destinationEntityName).\(relationship.inverseName ?? "-") "
          + "\(relationship.deleteRule) "
          + "\(model.entities[entity.name]?.foreignKeys[relationship.name] ?? [])"
      }
    }
    #expect(
      picture == [
        "Person.Mentor -> Author.Pupils nullify []", "Author.Mentor -> Author.Pupils nullify []",
        "Author.Pupils ->> Person.Mentor noAction []", "Author.Books ->> Book.Author deny []",
        "Book.Author -> Author.Books nullify [\"AuthorID\"]",
        "Book.Tags ->> Tag.Books noAction []", "Tag.Books ->> Book.Tags noAction []",
      ])
  }

  @Test func `annotations say what a set can do`() {
    let books = model.entities["Book"]?.capabilities
    #expect(books?.nonFilterable == ["Scan"])
    #expect(books?.isDeletable == false && books?.isInsertable == true)
    #expect(books?.tracksChanges == true)
    #expect(model.entities["Tag"]?.capabilities.hasCount == false)
    #expect(model.entities["Person"]?.capabilities == ODataCapabilities())
  }

  @Test(arguments: [
    ("", "it is not XML"), ("<a/>", "no <edmx:Edmx>"),
    ("<edmx:Edmx Version=\"3.0\"/>", "only OData 4 is known"),
    ("<edmx:Edmx Version=\"4.0\"></edmx:Edmx>", "it has no entity set"),
    ("<edmx:Edmx Version=\"4.0\">" + String(repeating: "<a>", count: 60), "nested too deeply"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><edmx:Edmx/>", "internal subset"),
  ]) func `what is no metadata is an error`(text: String, words: String) {
    let error = #expect(throws: StoreError.self) {
      try CSDLReader.document(of: Data(text.utf8))
    }
    #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
  }

  @Test func `types that extend each other are an error`() throws {
    let text = ODataSample.metadata.replacingOccurrences(
      of: "<EntityType Name=\"Person\" Abstract=\"true\">",
      with: "<EntityType Name=\"Person\" BaseType=\"L.Author\">")
    let document = try CSDLReader.document(of: Data(text.utf8))
    let error = #expect(throws: StoreError.self) { try ODataModel(document) }
    #expect(error?.detail.contains("extends itself") == true)
  }

  @Test func `damaged metadata is read or refused`() throws {
    var random = SeededBytes(state: 7)
    for _ in 0..<400 {
      var bytes = Array(ODataSample.metadata.utf8)
      for _ in 0..<3 {
        bytes[random.next(bytes.count)] = UInt8(truncatingIfNeeded: random.next(256))
      }
      guard let document = try? CSDLReader.document(of: Data(bytes)) else { continue }
      if let model = try? ODataModel(document) { try model.model.validate() }
    }
  }
}

/// A small generator of numbers.
private struct SeededBytes {
  var state: UInt64

  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}
