import GRDB
import ObjectModel

/// A model with most features that a Core Data store can have.
///
/// Item has the subentities Album and Song. A Band has albums, fans (bands too), and a logo with
/// external storage.
enum CreatedModel {
  static let model: ManagedObjectModel = {
    let title = AttributeDescription(
      "title", .string, isOptional: false,
      details: AttributeDetails(preservesValueInHistoryOnDeletion: true))
    let band = RelationshipDescription(
      "band", to: "Band", inverse: "albums", details: RelationshipDetails(maxCount: 1))
    let songs = RelationshipDescription(
      "songs", to: "Song", inverse: "album", isToMany: true, isOrdered: true, deleteRule: .cascade)
    let album = RelationshipDescription(
      "album", to: "Album", inverse: "songs", details: RelationshipDetails(maxCount: 1))
    let favourite = RelationshipDescription(
      "favourite", to: "Item", details: RelationshipDetails(maxCount: 1))
    return ManagedObjectModel(entities: [
      EntityDescription(
        name: "Band",
        attributes: [
          derived("fanCount", .integer64, "count(fans)"),
          AttributeDescription("latitude", .double),
          AttributeDescription(
            "logo", .binaryData, encoding: .externalData,
            details: AttributeDetails(allowsExternalBinaryDataStorage: true)),
          AttributeDescription("longitude", .double),
          AttributeDescription("name", .string, isOptional: false),
        ],
        relationships: [
          RelationshipDescription(
            "albums", to: "Album", inverse: "band", isToMany: true,
            details: RelationshipDetails(maxCount: 3)),
          RelationshipDescription("fans", to: "Band", inverse: "idols", isToMany: true),
          favourite,
          RelationshipDescription("friends", to: "Band", inverse: "friends", isToMany: true),
          RelationshipDescription("idols", to: "Band", inverse: "fans", isToMany: true),
          RelationshipDescription("posters", to: "Item", isToMany: true),
        ],
        uniquenessConstraints: [["name"]],
        details: EntityDetails(
          fetchIndexes: [
            FetchIndexDescription(
              "byPlace",
              elements: [.init("latitude", kind: .rTree), .init("longitude", kind: .rTree)])
          ])),
      EntityDescription(name: "Item", isAbstract: true, attributes: [title]),
      EntityDescription(
        name: "Album", superentityName: "Item",
        attributes: [
          title, derived("bandName", .string, "band.name"),
          derived("songCount", .integer64, "count(songs)"),
        ],
        relationships: [band, songs]),
      EntityDescription(
        name: "Song", superentityName: "Item",
        attributes: [title, AttributeDescription("sequence", .integer16, isOptional: false)],
        relationships: [album]),
    ])
  }()

  /// Adds the functions that the triggers of derived attributes call.
  static func addTriggerFunctions(to database: Database) {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      database.add(function: DatabaseFunction(name) { _ in nil })
    }
  }

  private static func derived(
    _ name: String, _ type: AttributeType, _ expression: String
  ) -> AttributeDescription {
    AttributeDescription(
      name, type, isReadOnly: true, details: AttributeDetails(derivation: .init(expression)))
  }
}
