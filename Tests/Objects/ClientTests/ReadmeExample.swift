// The example of the README with its one import; what stands there is what stands here.

// sample
import Cardfile

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
