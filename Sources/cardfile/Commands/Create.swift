import ArgumentParser
import Foundation
import ModelFiles
import ObjectModel
import SQLiteStore

/// `cardfile create`: makes an empty store of a model.
struct Create: ParsableCommand {
  /// The table layout of the new store.
  enum Layout: String, ExpressibleByArgument, CaseIterable {
    case plain, coredata
  }

  static let configuration = CommandConfiguration(
    abstract: "Make an empty store of a model.",
    discussion: """
      plain makes readable tables, coredata those that Core Data makes, with the model in the \
      store. An app opens such a store without migrating it when the model is a .momd, whose \
      hashes of entities are then in the store too.

      EXAMPLES
        cardfile create people.sqlite --model People.xcdatamodeld
        cardfile create people.sqlite --model People.momd --layout coredata
      """)

  @Argument(help: "The store to make; there must be no such file.", completion: .file())
  var store: String

  @OptionGroup var modelOption: ModelOption

  @Option(help: "How its tables are made.")
  var layout = Layout.plain

  @Flag(help: "Keep a history of changes, as SwiftData's stores do; with --layout coredata.")
  var history = false

  func validate() throws {
    if history, layout != .coredata {
      throw ValidationError("--history needs --layout coredata.")
    }
  }

  func run() throws {
    let decoded = try ModelFile.read(path: modelOption.model, version: modelOption.version)
    writeNotes(decoded.notes)
    let chosen: SQLiteStore.CreationLayout =
      switch layout {
      case .plain: .plain
      case .coredata:
        .coreData(CoreDataCreation(keepsHistory: history, versionHashes: try versionHashes()))
      }
    _ = try SQLiteStore.create(path: store, model: decoded.model, layout: chosen)
  }

  /// The version hashes of entities from the model file; they cannot be computed (core-data-stores
  /// 8).
  private func versionHashes() throws -> [String: Data] {
    let versions = try ModelFile.versions(path: modelOption.model)
    return (modelOption.version ?? versions.current).flatMap { versions.hashes[$0] } ?? [:]
  }
}
