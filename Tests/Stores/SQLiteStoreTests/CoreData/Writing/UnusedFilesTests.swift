import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// The files of external values that saves make superfluous: core-data-stores 4.6.
final class UnusedFilesTests {
  private let database: TemporaryDatabase
  private var store: SQLiteStore?
  private var context: ManagedObjectContext

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Owner", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription(
          "pets", to: "Pet", inverse: "owner", isToMany: true, deleteRule: .cascade)
      ]),
    pet("Pet", nil), pet("Puppy", "Pet"),
  ])

  private static func pet(_ name: String, _ superentityName: String?) -> EntityDescription {
    let details = AttributeDetails(allowsExternalBinaryDataStorage: true)
    return EntityDescription(
      name: name, superentityName: superentityName,
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("photo", .binaryData, encoding: .externalData, details: details),
        AttributeDescription("sound", .transformable, encoding: .externalData, details: details),
      ],
      relationships: [RelationshipDescription("owner", to: "Owner", inverse: "pets")])
  }

  /// A dog with two files and a puppy with one; files "stray" that no object uses are beside them.
  init() throws {
    database = try TemporaryDatabase()
    let made = try SQLiteStore.create(
      path: database.path, model: Self.model, layout: .coreData(CoreDataCreation()))
    let maker = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: made))
    let owner = try maker.make("Owner", "Ann")
    let dog = try maker.make("Pet", "Dog")
    (dog["photo"], dog["sound"]) = (Self.bytes(1), Self.bytes(2))
    try dog.setObject(owner, forKey: "owner")
    try maker.make("Puppy", "Pup")["photo"] = Self.bytes(3)
    try maker.save()
    let opened = try database.open(.init(makesBackup: false))
    store = opened
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: opened))
    try #require(try files.count == 3)
    for name in ["stray", UUID().uuidString] {
      try Data("not ours".utf8).write(to: folder.appendingPathComponent(name))
    }
  }

  private static func bytes(_ number: UInt8) -> Value {
    .data(Data(repeating: number, count: 150_000))
  }

  private var folder: URL { database.folder.appendingPathComponent(".test_SUPPORT/_EXTERNAL_DATA") }

  /// The first bytes of the files, without those that are not ours, sorted.
  private var files: [UInt8] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap {
        try Data(contentsOf: folder.appendingPathComponent($0)).first
      }.filter { $0 < 32 }.sorted()
    }
  }

  /// Saves; no file is removed by that.
  private func save() throws {
    let before = try files
    try context.save()
    #expect(Set(try files).isSuperset(of: before))
  }

  /// Ends the session: the store is no longer referenced.
  private func close() throws {
    let empty = InMemoryStore(model: Self.model)
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: empty))
    store = nil
    let strangers = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
    #expect(strangers - (try files.count) == 2)
    let checked = try database.open(.init(isReadOnly: true)).check()
    #expect(!checked.contains { $0.kind == .missingFile }, "\(checked)")
  }

  @Test(arguments: [Value.null, .data(Data([9])), bytes(4)])
  func `the file of a replaced value is kept for undo and removed at the end`(new: Value) throws {
    try context.named("Dog", "Pet").setValue(new, forKey: "photo")
    try save()
    #expect(store?.unusedFileCount == 1)
    try close()
    #expect(try files == (new == Self.bytes(4) ? [2, 3, 4] : [2, 3]))
  }

  @Test(arguments: ["Dog", "Pup"])
  func `the files of a deleted object are removed at the end`(name: String) throws {
    try context.delete(context.named(name, "Pet"))
    try save()
    #expect(store?.unusedFileCount == (name == "Dog" ? 2 : 1))
    try close()
    #expect(try files == (name == "Dog" ? [3] : [1, 2]))
  }

  @Test func `the files of objects deleted by cascade are removed at the end`() throws {
    try context.delete(context.named("Ann", "Owner"))
    let rehearsal = try context.rehearseSave()
    #expect(rehearsal.unusedFileCount == 2)
    try save()
    try close()
    #expect(try files == [3])
  }

  @Test func `a file that undo brings back stays, and goes when it is redone`() throws {
    try context.delete(context.named("Dog", "Pet"))
    try save()
    context.undoHistory.undo()
    try save()
    #expect(store?.unusedFileCount == 0)
    #expect(try context.named("Dog", "Pet")["photo"] == Self.bytes(1))
    context.undoHistory.redo()
    try save()
    context.undoHistory.undo()
    try save()
    try close()
    #expect(try files == [1, 2, 3])
  }

  @Test func `files stay where a link leads to their folder`() throws {
    let elsewhere = database.folder.appendingPathComponent("elsewhere").path
    try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path, withDestinationPath: elsewhere)
    try context.named("Dog", "Pet").setValue(Self.bytes(4), forKey: "photo")
    try save()
    #expect(store?.unusedFileCount == 0)
    try close()
    #expect(try files == [1, 2, 3, 4])
  }

  @Test(arguments: [0o600, 0o640, 0o644] as [mode_t], [true, false])
  func `a file has the owner and the mode of the store`(mode: mode_t, isFolderThere: Bool) throws {
    let owner: uid_t = geteuid() == 0 ? 65534 : geteuid()
    chmod(database.path, mode)
    if geteuid() == 0 { chown(database.path, owner, owner) }
    let support = folder.deletingLastPathComponent()
    if !isFolderThere { try FileManager.default.removeItem(at: support) }
    let old =
      isFolderThere
      ? Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) : []
    try context.make("Pet", "Cat").setValue(Self.bytes(5), forKey: "photo")
    try context.save()
    let new = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      !old.contains($0)
    }
    #expect(new.count == 1)
    func access(_ url: URL) -> [UInt32] {
      var status = stat()
      lstat(url.path, &status)
      return [status.st_uid, status.st_mode & 0o777]
    }
    #expect(access(folder.appendingPathComponent(new[0])) == [owner, mode])
    let entering = mode | (mode & 0o444) >> 2
    if !isFolderThere {
      #expect(access(folder) == [owner, entering] && access(support) == [owner, entering])
    }
    chown(database.path, geteuid(), getegid())
  }

  @Test func `undoing a replaced value removes the replacement`() throws {
    try context.named("Dog", "Pet").setValue(Self.bytes(4), forKey: "photo")
    try save()
    context.undoHistory.undo()
    try save()
    try close()
    #expect(try files == [1, 2, 3])
  }

  @Test func `a file to which another object refers stays`() throws {
    try database.run("UPDATE ZPET SET ZSOUND = (SELECT ZPHOTO FROM ZPET WHERE ZNAME = 'Dog')")
    try context.delete(context.named("Dog", "Pet"))
    try save()
    try close()
    #expect(try files.contains(1))
  }

  @Test func `a save that fails makes no file superfluous`() throws {
    try database.run(
      """
      CREATE TRIGGER keep BEFORE DELETE ON ZPET BEGIN SELECT raise(ABORT, 'kept'); END
      """)
    try context.delete(context.named("Dog", "Pet"))
    #expect(throws: (any Error).self) { try context.save() }
    #expect(store?.unusedFileCount == 0)
    try close()
    #expect(try files == [1, 2, 3])
  }

  @Test func `the files of objects that a trigger deletes are removed at the end`() throws {
    try database.run(
      """
      CREATE TRIGGER gone AFTER UPDATE OF ZNAME ON ZOWNER BEGIN DELETE FROM ZPET; END
      """)
    try context.named("Ann", "Owner").setValue("Bea", forKey: "name")
    try save()
    #expect(store?.unusedFileCount == 3)
    try close()
    #expect(try files == [])
  }

  @Test func `while another program writes, the files stay`() throws {
    try context.delete(context.named("Dog", "Pet"))
    try save()
    let other = try database.connect()
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(#expect(throws: StoreError.self) { try store?.removeUnusedFiles() }?.reason == .locked)
    #expect(try files == [1, 2, 3])
    try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try store?.removeUnusedFiles() == 2)
    #expect(try store?.removeUnusedFiles() == 0)
    #expect(try files == [3])
  }
}
