import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

@Suite struct OrderedRelationshipTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Album", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription(
          "songs", to: "Song", inverse: "album", isToMany: true, isOrdered: true,
          deleteRule: .cascade)
      ]),
    EntityDescription(
      name: "Song", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("album", to: "Album", inverse: "songs")]),
    EntityDescription(
      name: "Single", superentityName: "Song", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("album", to: "Album", inverse: "songs")]),
  ])

  /// An album of songs with the given names in this order, inserted in another one.
  private func album(_ names: [String], _ context: ManagedObjectContext) throws -> ManagedObject {
    let album = try context.make("Album", "A")
    let songs = try names.sorted().reversed().enumerated().map {
      try context.make($0.offset % 2 == 0 ? "Song" : "Single", $0.element)
    }
    for name in names {
      let song = try #require(songs.first { $0.string("name") == name })
      try album.add(song, forKey: "songs")
    }
    try context.save()
    return album
  }

  private func stored(_ store: ObjectStore) throws -> [String] {
    let context = store.context()
    return try context.names(context.named("A", "Album"), "songs")
  }

  @Test(arguments: TestedStore.allCases)
  func `an ordered one-to-many keeps its order`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let album = try album(["d", "a", "c", "b"], context)
    #expect(try stored(store) == ["d", "a", "c", "b"])
    try album.add(context.named("b", "Song"), forKey: "songs", at: 0)
    try context.save()
    #expect(try stored(store) == ["b", "d", "a", "c"])
    try context.make("Song", "e").setObject(album, forKey: "album")
    try context.save()
    #expect(try stored(store) == ["b", "d", "a", "c", "e"])
    try album.add(context.make("Song", "f"), forKey: "songs", at: 2)
    try context.save()
    #expect(try stored(store) == ["b", "d", "f", "a", "c", "e"])
    #expect(context.names(album, "songs") == ["b", "d", "f", "a", "c", "e"])
  }

  @Test(arguments: TestedStore.allCases)
  func `undo restores the order, before and after saving`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let album = try album(["d", "a", "c", "b"], context)
    try album.add(context.named("b", "Song"), forKey: "songs", at: 0)
    try context.save()
    context.undoHistory.undo()
    #expect(context.names(album, "songs") == ["d", "a", "c", "b"])
    try context.save()
    #expect(try stored(store) == ["d", "a", "c", "b"])
    try context.delete(context.named("a", "Song"))
    try context.save()
    #expect(try stored(store) == ["d", "c", "b"])
    context.undoHistory.undo()
    try context.save()
    #expect(try stored(store) == ["d", "a", "c", "b"])
    try context.delete(album)
    try context.save()
    context.undoHistory.undo()
    try context.save()
    #expect(try stored(store) == ["d", "a", "c", "b"])
  }

  @Test(arguments: TestedStore.allCases)
  func `a new order is seen by other contexts and does not conflict with their changes`(
    kind: TestedStore
  ) throws {
    let store = try ObjectStore(kind, Self.model)
    let (context, other) = (store.context(), store.context())
    let album = try album(["a", "b", "c"], context)
    let theirs = try other.named("A", "Album")
    #expect(other.names(theirs, "songs") == ["a", "b", "c"])
    try other.named("c", "Song")["name"] = "see"
    try album.add(context.named("c", "Song"), forKey: "songs", at: 0)
    try context.save()
    other.processPendingChanges()
    #expect(other.names(theirs, "songs") == ["see", "a", "b"])
    try other.save()
    #expect(try stored(store) == ["see", "a", "b"])
  }

  @Test func `a plain store without the column of an earlier version says that there is no order`()
    throws
  {
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(path: database.path, model: Self.model)
    try database.run("ALTER TABLE Song DROP COLUMN album_position")
    let store = try database.open()
    let songs = store.model.entity(named: "Album")?.relationship(named: "songs")
    #expect(songs?.isOrdered == false && songs?.inverseName == "album")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try context.make("Song", "a").setObject(context.make("Album", "A"), forKey: "album")
    try context.save()
  }
}
