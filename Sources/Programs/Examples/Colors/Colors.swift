import Cardfile

// Some 120 crayons in sections, from a text file that is read at the first start.

@main
struct Colors {
  static func main() {
    Application.run {
      let container = try PersistentContainer(
        "colors", path: CommandLine.arguments.dropFirst().first, model: Crayon.model)
      if container.isNew {
        let context = container.newBackgroundContext()
        try Crayon.insert(
          String(decoding: PackageResources.colors_txt, as: UTF8.self), into: context)
        try context.save()
      }
      return CrayonList(context: container.viewContext)
    }
  }
}
