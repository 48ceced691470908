import ArgumentParser
import AtomicStores
import ModelFiles
import ObjectModel
import SQLiteStore

/// `cardfile create`: makes an empty store of a model.
struct Create: ParsableCommand {
  /// The layout of the tables of the new store, or the format of its file.
  enum Layout: String, ExpressibleByArgument, CaseIterable {
    case plain, coredata, xml, json
  }

  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create an empty store from a model.",
    discussion: """
      plain creates tables named like the entities; coredata creates Core Data's tables, with the \
      model in the store. An app opens a coredata store without migration if the model is a .momd, \
      because its version hashes are stored too. xml is a Core Data XML store, and json a store in one \
      JSON file, with its model.

      EXAMPLES
        cardfile create people.sqlite --model People.xcdatamodeld
        cardfile create people.sqlite --model People.momd --layout coredata
      """)

  @Argument(help: "The store to create; the file must not exist.", completion: .file())
  var store: String

  @OptionGroup var modelOption: ModelOption

  @Option(help: "The layout of the tables, or the format of the file.")
  var layout = Layout.plain

  @Flag(help: "Enable persistent history, as SwiftData does; needs --layout coredata.")
  var history = false

  func validate() throws {
    if history, layout != .coredata {
      throw ValidationError("--history needs --layout coredata.")
    }
  }

  func run() throws {
    try Failure.checkIsModel(modelOption.model)
    let decoded = try ModelFile.read(path: modelOption.model, version: modelOption.version)
    writeNotes(decoded.notes)
    switch layout {
    case .plain: _ = try SQLiteStore.create(path: store, model: decoded.model, layout: .plain)
    case .coredata:
      let creation = CoreDataCreation(
        keepsHistory: history, versionHashes: try modelOption.versionHashes)
      _ = try SQLiteStore.create(path: store, model: decoded.model, layout: .coreData(creation))
    case .xml: _ = try XMLStore.create(path: store, model: decoded.model)
    case .json: _ = try JSONStore.create(path: store, model: decoded.model)
    }
  }
}
