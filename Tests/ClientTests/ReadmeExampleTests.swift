import Foundation
import ListProviders
import ManagedObjects
import ObjectModel
import PersistentContainers
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

// The example of the README, compiled and run; what stands there is what stands here.

// sample
final class Event: ManagedObject, EntityClass {
  static let timeStamp = AttributeKey<Event, Date>("timeStamp")
  static let properties: Properties = [timeStamp]
}

@MainActor func eventList(path: String) throws -> Screen {
  let context = try PersistentContainer(path: path, entityClasses: [Event.self]).viewContext
  let provider = TableViewProvider<Event>(display: Event.timeStamp, context: context)
  let list = ListScreen(title: "Events", provider: provider)
  list.makeObject = { try Event.newObject(from: ["timeStamp": Date()], in: $0) }
  return list
}
// end of sample

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
