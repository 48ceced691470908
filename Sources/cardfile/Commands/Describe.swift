import ArgumentParser
import ObjectModel

/// `cardfile describe`: prints what objects are made of.
struct Describe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describe a store's entities: attributes, types, relationships.",
    discussion: """
      EXAMPLE
        cardfile describe chinook.sqlite Album
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Argument(help: "The entity; all of them when left out.")
  var entity: String?

  func run() throws {
    let opened = try OpenedStore(path: storeArgument.store, isReadOnly: true)
    var output = StandardOutput()
    let chosen = try entity.map { [try opened.names.entity($0)] }
    if chosen == nil { try output.writeLine(EntityText.summary(opened.store.summary) + "\n") }
    for (index, entity) in (chosen ?? opened.store.model.entities).enumerated() {
      if index > 0 { try output.writeLine("") }
      try EntityText.write(entity, to: &output)
    }
    try output.flush()
  }
}
