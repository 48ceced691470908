import Cardfile

// A table and a grid of the same people, while another context inserts and renames on a timer.

@main
struct People {
  static func main() {
    Application.run {
      let container = try container(CommandLine.arguments.dropFirst().first)
      let writer = container.newBackgroundContext()
      if container.isNew { for _ in 0..<8 { try insert(into: writer) } }

      let source = PeopleSource()
      let context = { (_: String) in container.viewContext }
      let table = try TableListController(dataSource: source, context: context)
      let grid = try GridListController(dataSource: source, context: context)
      let screen = SplitScreen(
        title: "People", ListScreen(title: "Table", controller: table),
        ListScreen(title: "Grid", controller: grid))

      var isRunning = true
      screen.addKeyCommand(
        KeyCommand(" ", help: "stop or go on", hint: "stop, go on") { [weak screen] in
          isRunning.toggle()
          screen?.show(isRunning ? "Goes on" : "Stopped")
        })
      screen.addTimer(every: .milliseconds(700)) { [weak screen] in
        guard isRunning else { return }
        screen?.showingErrors { try insertOrRename(in: writer) }
      }
      return screen
    }
  }

  /// Opens the people of a file, or of a service if the argument is its address.
  static func container(_ argument: String?) throws -> PersistentContainer {
    guard let argument, let url = URL(string: argument), url.scheme?.hasPrefix("http") == true
    else {
      return try PersistentContainer("people", path: argument, model: Person.model)
    }
    return try PersistentContainer(service: PeopleClient(baseURL: url, model: Person.model))
  }

  /// Inserts a person; the identifier is made by `newObject`.
  static func insert(into context: ManagedObjectContext) throws {
    try Person.newObject(from: ["name": Person.randomName()], in: context, saves: true)
  }

  /// Inserts a person, or renames one that any program has inserted; of many people, renames only.
  static func insertOrRename(in context: ManagedObjectContext) throws {
    // What was deleted in the lists.
    context.processPendingChanges()
    let people = try Person.objects(in: context)
    guard people.count >= 60 || Bool.random(), let person = people.randomElement() else {
      return try insert(into: context)
    }
    person[Person.name] = Person.randomName()
    try context.save()
  }
}
