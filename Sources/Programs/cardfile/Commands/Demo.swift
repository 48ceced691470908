import ArgumentParser
import CardfileApp
import RowOutput

/// `cardfile demo`: opens a demo store.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Open a demo store: colours, people and their DVDs, notes, moments.",
    discussion: """
      The store is created in $XDG_DATA_HOME/cardfile/demo (~/.local/share/cardfile/demo) the first time. \
      Your changes to it stay; delete the file to start over.

      EXAMPLES
        cardfile demo
        cardfile fetch "$(cardfile demo --path)" DVD --sort "purchaseDate desc" --limit 5
      """)

  @Flag(help: "Print the path of the store instead of opening it.")
  var path = false

  func run() throws {
    let file = try DemoStore.file()
    guard path else {
      return try Browser().run(file) { options, _ in
        options.entityName = DemoStore.firstEntity
        options.entityDefaults = DemoTour.entityDefaults
        options.tips = DemoTour.tips
      }
    }
    var output = StandardOutput()
    try output.writeUnchanged(file)
    try output.flush()
  }
}
