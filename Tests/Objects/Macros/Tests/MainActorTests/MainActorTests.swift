import ManagedObjects
import ObjectModel
import PersistentContainers
import Testing

@Managed nonisolated final class Note: ManagedObject {
  var text: String
  @ToOne(inverse: \Folder.notes) var folder: Folder?
}

@Managed nonisolated final class Folder: ManagedObject {
  @Unique var name: String
  var notes: [Note]
}

struct MainActorTests {
  @Test func `a module of the main actor has such classes too, for other threads as well`()
    async throws
  {
    let container = try PersistentContainer(inMemory: Note.self, Folder.self)
    let count = try await container.perform { context in
      let folder = try Folder.insert(into: context)
      folder.name = "Inbox"
      for text in ["one", "two"] {
        let note = try Note.insert(into: context)
        (note.text, note.folder) = (text, folder)
      }
      try context.save()
      return folder.notes.count
    }
    #expect(count == 2)
    let notes = try Note.objects(sortedBy: [Note.text.ascending], in: container.viewContext)
    #expect(notes.map(\.text) == ["one", "two"])
    #expect(notes.first?.folder?.name == "Inbox")
  }
}
