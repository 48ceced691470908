import ManagedObjects
import PersistentContainers
import TerminalApplications

// Notes with a colour each, by date, title or file, with a search of their whole texts.

@main
struct Notes {
  static func main() {
    Application.run {
      let container = try PersistentContainer(
        "notes", path: CommandLine.arguments.dropFirst().first, model: Note.model)
      if container.isNew {
        let context = container.newBackgroundContext()
        let text = String(decoding: PackageResources.notes_txt, as: UTF8.self)
        try Note.insertAll(of: text, into: context)
        try context.save()
      }
      return NoteList(context: container.viewContext)
    }
  }
}
