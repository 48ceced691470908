import Cardfile
import TestSupport
import Testing

@MainActor
struct ReadmeExampleTests {
  @Test func `the README's list adds, deletes and brings back rows and saves them`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("events.sqlite")
    func run(_ keys: String) throws -> Int {
      let terminal = RecordingTerminal(size: Size(width: 80, height: 24))
      terminal.type(keys + "q")
      #expect(Application(try eventList(path: path), terminal: terminal).run() == 0)
      #expect(terminal.screen?.lines.first?.hasPrefix(" Events") == true)
      return try PersistentContainer(path: path).viewContext.count(for: FetchRequest<Event>())
    }
    #expect(try run("+++") == 3)
    #expect(try run("gd") == 2)
    #expect(try run("2du") == 2)
  }
}
