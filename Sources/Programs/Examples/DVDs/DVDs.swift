import Cardfile

// People and their DVDs. The model is a file of Xcode's, and the classes are made from it by
// `cardfile generate dvds.xcdatamodel --output Model`, which leaves `+Own` files as they are.

@main
struct DVDs {
  static func main() {
    Application.run {
      let container = try PersistentContainer(
        "dvds", path: CommandLine.arguments.dropFirst().first, entityClasses: MOEntityClasses.all)
      if container.isNew { try insertFirstDVDs(into: container.newBackgroundContext()) }
      return PersonList(context: container.viewContext)
    }
  }

  /// Inserts the DVDs of `dvds.txt`, with their owners: `ada|Ada Lovelace|2003-02-14|Alien`.
  static func insertFirstDVDs(into context: ManagedObjectContext) throws {
    let days = Date.ISO8601FormatStyle().year().month().day()
    let file = String(decoding: PackageResources.dvds_txt, as: UTF8.self)
    for line in file.split(separator: "\n") {
      let parts = line.split(separator: "|").map(String.init)
      let owner =
        try MOPerson.find(parts[0], in: context)
        ?? MOPerson.register(parts[0], name: parts[1], in: context)
      _ = try MODVD.insert(parts[3], of: owner, bought: days.parse(parts[2]), into: context)
    }
    try context.save()
  }
}
