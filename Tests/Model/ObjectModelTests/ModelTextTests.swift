import ObjectModel
import Testing

struct ModelTextTests {
  private let model: ManagedObjectModel = {
    let title = AttributeDescription(
      "title", .string, isOptional: false, defaultValue: "untitled",
      details: AttributeDetails(
        property: PropertyDetails(
          renamingIdentifier: "name", userInfo: ["colour": "red"],
          validations: [ValidationRule("length <= 50", warning: "1660")])))
    let cover = AttributeDescription(
      "cover", .transformable,
      details: AttributeDetails(
        valueTransformerName: "CoverTransformer", allowsExternalBinaryDataStorage: true,
        preservesValueInHistoryOnDeletion: true, allowsCloudEncryption: true))
    let count = AttributeDescription(
      "pageCount", .integer64, isReadOnly: true,
      details: AttributeDetails(derivation: .init("count(pages)", filter: "number > 1")))
    let pages = RelationshipDescription(
      "pages", to: "Page", inverse: "book", isToMany: true, isOrdered: true, isOptional: false,
      deleteRule: .cascade, details: RelationshipDetails(minCount: 1, maxCount: 900))
    let book = EntityDescription(
      name: "Book", isAbstract: true, attributes: [title, cover, count], relationships: [pages],
      uniquenessConstraints: [["title"], ["title", "pageCount"]],
      details: EntityDetails(
        className: "LibraryBook", renamingIdentifier: "Volume", versionHashModifier: "2",
        userInfo: ["author": "me"],
        transientAttributes: [AttributeDescription("isOpen", .boolean)],
        composites: [CompositeAttributeDescription("place", typeName: "Place")],
        fetchedProperties: [
          FetchedPropertyDescription(
            "alike",
            fetchRequest: FetchRequestTemplate(
              "Book", predicate: "title == $FETCH_SOURCE.title",
              sortDescriptors: [.init("title", isAscending: false)], fetchLimit: 3))
        ],
        fetchIndexes: [
          FetchIndexDescription(
            "byTitle",
            elements: [.init("title", isAscending: false), .init("place", kind: .rTree)],
            partialPredicate: "title != NULL")
        ], compoundIndexes: [["title", "pageCount"]]))
    let comic = EntityDescription(
      name: "Comic", superentityName: "Book",
      attributes: book.attributes + [.init("isColour", .boolean, encoding: .native)],
      relationships: book.relationships)
    let page = EntityDescription(
      name: "Page", attributes: [], relationships: [.init("book", to: "Book", inverse: "pages")])
    return ManagedObjectModel(
      entities: [book, comic, page],
      details: ModelDetails(
        configurations: ["Local": ["Book", "Comic"]],
        fetchRequestTemplates: ["all": FetchRequestTemplate("Book")],
        versionIdentifiers: ["", "1.2"]))
  }()

  @Test func `an entity is described completely`() throws {
    let book = try #require(model.entity(named: "Book"))
    let text = ModelText(model)
    #expect(text.title(of: book) == "Book (abstract), class LibraryBook")
    #expect(
      text.tables(of: book).map(\.rows) == [
        [
          [
            "title", "string", "",
            "required, unique, default untitled, length <= 50, formerly name, colour = red",
          ],
          [
            "cover", "transformable (CoverTransformer)", "",
            "external storage, preserved in history, cloud encryption",
          ],
          ["pageCount", "integer64", "", "derived: count(pages) where number > 1"],
          ["isOpen", "boolean", "", "transient"],
        ],
        [
          [
            "pages", "many, ordered", "Page", "book", "cascade",
            "required, at least 1, at most 900",
          ]
        ],
      ])
    #expect(
      text.lines(of: book) == [
        "Sub-entities: Comic", "Composite place: Place",
        "Fetched alike: Book where title == $FETCH_SOURCE.title by title descending, at most 3",
        "Unique: title, pageCount",
        "Index byTitle: title descending, place (R-tree) where title != NULL",
        "Index: title, pageCount", "Formerly Volume", "Version hash: 2", "Note author: me",
      ])
  }

  @Test func `inherited properties are marked, and encodings that are not default are shown`()
    throws
  {
    let comic = try #require(model.entity(named: "Comic"))
    let text = ModelText(model)
    #expect(text.title(of: comic) == "Comic: Book")
    #expect(
      text.tables(of: comic).map { $0.rows.map { $0.last ?? "" } } == [
        [
          "required, default untitled, length <= 50, formerly name, colour = red, from Book",
          "external storage, preserved in history, cloud encryption, from Book",
          "derived: count(pages) where number > 1, from Book", "stored as native",
        ],
        ["required, at least 1, at most 900, from Book"],
      ])
    let page = try #require(model.entity(named: "Page"))
    #expect(text.tables(of: page).map(\.columns.first) == ["Relationship"])
    #expect(text.lines(of: page) == [])
  }

  @Test func `version identifiers, configurations and fetch requests of a model are described`() {
    #expect(
      ModelText(model).lines == [
        "Version: 1.2", "Configuration Local: Book, Comic", "Fetch request all: Book",
      ])
  }
}
