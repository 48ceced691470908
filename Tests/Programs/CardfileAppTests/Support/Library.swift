import Foundation
import ManagedObjects
import ObjectModel

/// A store as Core Data's are: entities that inherit from others, an abstract one, transformable values.
enum Library {
  static let model: ManagedObjectModel = {
    let named = [AttributeDescription("name", .string, isOptional: false)]
    let books = RelationshipDescription(
      "books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
    let author = RelationshipDescription("author", to: "Author", inverse: "books")
    let cover = AttributeDescription("cover", .transformable)
    return ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author", superentityName: "Writer", attributes: named, relationships: [books]),
      EntityDescription(
        name: "Book", attributes: [AttributeDescription("title", .string), cover],
        relationships: [author]),
      EntityDescription(
        name: "Novel", superentityName: "Book",
        attributes: [AttributeDescription("title", .string), cover], relationships: [author]),
      EntityDescription(name: "Writer", isAbstract: true, attributes: named),
    ])
  }()

  static let coverBytes = Data("bplist00 a cover".utf8)

  /// A new store: an author, a book and a novel.
  static func store() throws -> InMemoryStore {
    let store = InMemoryStore(model: model, identifier: "4B0F5331", name: "library.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let author = try context.insert(entityName: "Author")
    author["name"] = "Alessandro"
    for (entity, title) in [("Book", "A book"), ("Novel", "B novel")] {
      let book = try context.insert(entityName: entity)
      book["title"] = .string(title)
      book["cover"] = .data(coverBytes)
      try book.setObject(author, forKey: "author")
    }
    try context.save()
    return store
  }
}
