import Cardfile

// Notes with a colour each, by date, title or file, with a search of their whole texts.

@main
struct Notes {
  static func main() {
    Application.run {
      let container = try PersistentContainer(
        "notes", path: CommandLine.arguments.dropFirst().first, model: Note.model)
      if container.isNew { try insertFirstNotes(into: container.newBackgroundContext()) }
      return NoteList(context: container.viewContext)
    }
  }

  /// Inserts the notes of `notes.txt`: `2026-01-03 #FFE9A8 First frost|The pond …` on a line.
  static func insertFirstNotes(into context: ManagedObjectContext) throws {
    let days = Date.ISO8601FormatStyle().year().month().day()
    let file = String(decoding: PackageResources.notes_txt, as: UTF8.self)
    for match in file.matches(of: /(\S+) (\S+) (.*)\|(.*)/) {
      _ = try Note.insert(
        title: String(match.3), date: days.parse(String(match.1)), hex: String(match.2),
        text: String(match.4), into: context)
    }
    try context.save()
  }
}
