import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// What `delete` does with the files of long values of a Core Data store.
struct UnusedFilesTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("album.sqlite")
    let photo = AttributeDescription(
      "photo", .binaryData, encoding: .externalData,
      details: AttributeDetails(allowsExternalBinaryDataStorage: true))
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Picture", attributes: [photo])
    ])
    let made = try SQLiteStore.create(
      path: store, model: model, layout: .coreData(CoreDataCreation()))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: made))
    for number in 1...3 as ClosedRange<UInt8> {
      try context.insert(entityName: "Picture")["photo"] =
        .data(Data(repeating: number, count: 200_000))
    }
    try context.save()
  }

  private var files: Int {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: folder.path(".album_SUPPORT/_EXTERNAL_DATA")
      ).count
    }
  }

  private func delete(_ options: String...) throws -> Program.Outcome {
    try Program.run(
      ["delete", store, "Picture", "--no-backup", "--where", "photo != nil"] + options)
  }

  @Test func `a dry run counts the files of values that would go, and keeps them`() throws {
    let outcome = try delete("--dry-run")
    #expect(outcome.output.contains("3 files of external values deleted"), "\(outcome)")
    #expect(try files == 3)
  }

  @Test func `the files of deleted values are deleted after the save, and counted`() throws {
    let outcome = try delete("--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("3 files of external values deleted"), "\(outcome)")
    #expect(try files == 0)
    #expect(try Program.run(["check", store]).output.contains("_EXTERNAL_DATA") == false)
  }
}
