import ObjectModel

/// The managed object model of the demo store.
enum DemoModel {
  static let model = ManagedObjectModel(entities: [color, person, disc, genre, loan])

  private static let color = EntityDescription(
    name: "Color",
    attributes: [
      AttributeDescription("name", .string, isOptional: false),
      AttributeDescription("hex", .string, isOptional: false),
    ], uniquenessConstraints: [["name"]])

  private static let person = EntityDescription(
    name: "Person",
    attributes: [
      AttributeDescription("name", .string, isOptional: false),
      AttributeDescription("username", .string, isOptional: false),
    ],
    relationships: [
      RelationshipDescription(
        "dvds", to: "DVD", inverse: "owner", isToMany: true, deleteRule: .cascade),
      RelationshipDescription(
        "loans", to: "Loan", inverse: "borrower", isToMany: true, deleteRule: .cascade),
    ], uniquenessConstraints: [["username"]])

  private static let disc = EntityDescription(
    name: "DVD",
    attributes: [
      AttributeDescription("title", .string, isOptional: false),
      AttributeDescription("purchaseDate", .date),
    ],
    relationships: [
      RelationshipDescription("owner", to: "Person", inverse: "dvds", isOptional: false),
      RelationshipDescription("genre", to: "Genre", inverse: "dvds"),
      RelationshipDescription(
        "loans", to: "Loan", inverse: "dvd", isToMany: true, deleteRule: .cascade),
    ])

  private static let genre = EntityDescription(
    name: "Genre",
    attributes: [AttributeDescription("name", .string, isOptional: false)],
    relationships: [
      RelationshipDescription("dvds", to: "DVD", inverse: "genre", isToMany: true)
    ], uniquenessConstraints: [["name"]])

  private static let loan = EntityDescription(
    name: "Loan",
    attributes: [
      AttributeDescription("lentOn", .date, isOptional: false),
      AttributeDescription("returnedOn", .date),
    ],
    relationships: [
      RelationshipDescription("dvd", to: "DVD", inverse: "loans", isOptional: false),
      RelationshipDescription("borrower", to: "Person", inverse: "loans", isOptional: false),
    ])
}
