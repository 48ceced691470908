import ManagedObjects
import PersistentContainers
import TerminalApplications

// People and their DVDs. The model is a file of Xcode's, and `cardfile generate` wrote the classes:
//
//     cardfile generate dvds.xcdatamodel --output Model

@main
struct DVDs {
  static func main() {
    Application.run {
      let container = try PersistentContainer(
        "dvds", path: CommandLine.arguments.dropFirst().first,
        entityClasses: MOEntityClasses.all)
      if container.isNew {
        let context = container.newBackgroundContext()
        let text = String(decoding: PackageResources.dvds_txt, as: UTF8.self)
        try MODVD.insertAll(of: text, into: context)
        try context.save()
      }
      return PersonList(context: container.viewContext)
    }
  }
}
