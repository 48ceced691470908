import Cardfile

// A list of moments: `+` adds the present one, `d` deletes, Enter says which one was chosen.

final class Event: ManagedObject, EntityClass {
  static let entityName = "Event"
  static let timeStamp = AttributeKey<Event, Date>("timeStamp")
}

final class EventList: ListScreen<Event>, TableViewProviderDelegate {
  func provider(_ provider: TableViewProvider<Event>, didSelect event: Event) {
    let age = Int(Date().timeIntervalSince(event[Event.timeStamp]))
    show("Selected the event of \(provider.displayText(for: event)), \(age) seconds ago")
  }
}

@main
struct TimeStamps {
  static func main() { Application.run(eventList) }

  /// Makes the list, of the store at the path in the first argument.
  @MainActor static func eventList() throws -> Screen {
    let model = ManagedObjectModel {
      Entity("Event") { Attribute("timeStamp", .date, isOptional: false) }
    }
    let container = try PersistentContainer(
      "events", path: CommandLine.arguments.dropFirst().first, model: model)
    let provider = TableViewProvider<Event>(
      display: Event.timeStamp, context: container.viewContext)
    provider.sortDescriptors = [Event.timeStamp.descending]
    provider.emptyText = ["No events yet", "+ adds one"]

    let list = EventList(title: "Time stamps", provider: provider)
    provider.delegate = list
    list.makeObject = { context in
      let event = try Event.insert(into: context)
      event[Event.timeStamp] = Date()
      return event
    }
    return list
  }
}
