import ArgumentParser
import ObjectModel
import RowOutput
import Transfers

/// `cardfile export`: writes a store to a folder.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all objects of a store, or of some entities, to a folder.",
    discussion: """
      Writes model.json, and for each entity objects/ENTITY.jsonl: an object a line with its own \
      attributes, relationships as URIs and ordered ones in their order. Values in files and other \
      long ones are in files/. 'cardfile import' of the folder into an empty store of the same model \
      makes an equal store, as 'cardfile diff' shows. All are of one state of the store. fetch prints \
      the objects of one entity, for other programs.

      EXAMPLES
        cardfile export Photos.sqlite photos
        cardfile export chinook.sqlite Artist Album music
        cardfile create new.sqlite --model photos/model.json --layout coredata
        cardfile import new.sqlite photos
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Argument(
    help: "The entities, by default all, and the folder to write, which must not exist.",
    completion: StoreCompletion.entities)
  var entitiesAndFolder: [String]

  func run() throws {
    guard let folder = entitiesAndFolder.last else {
      throw Failure(.usage, "the folder is missing", try: "cardfile export STORE FOLDER")
    }
    let opened = try OpenedStore(storeArgument)
    let names = entitiesAndFolder.dropLast()
    let entities = try names.isEmpty ? nil : names.map { try opened.names.entity($0) }
    if entitiesAndFolder.count == 1, opened.store.model.entity(named: folder) != nil {
      throw Failure(
        .usage, "\(folder) is an entity: the folder is missing",
        try: "cardfile export STORE ./\(folder)")
    }
    try opened.update(entities)
    let pace = TransferPace("objects")
    do {
      let result = try ProgressLine.showing({ pace.line }) {
        try Exporter(opened.store, entities: entities).write(to: folder) {
          pace.note(Importer.Progress(records: $0))
        }
      }
      var output = StandardOutput()
      try output.writeLine(result.phrase)
      try output.flush()
    } catch let error as TransferError {
      throw Failure(error)
    }
  }
}
