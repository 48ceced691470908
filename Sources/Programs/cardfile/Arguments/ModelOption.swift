import ArgumentParser
import Foundation
import ModelFiles
import SQLiteStore

/// The model file of a command.
struct ModelOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model.",
      discussion: "A .mom, .momd, .xcdatamodel or .xcdatamodeld, or the JSON that describe prints.",
      valueName: "path"), completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp(
      "The version in a versioned model; by default the current one.", valueName: "name"))
  var version: String?

  /// The version hashes of the entities from the model file; they cannot be computed
  /// (core-data-stores 8).
  var versionHashes: [String: Data] {
    get throws {
      let versions = try ModelFile.versions(path: model)
      return (version ?? versions.current).flatMap { versions.hashes[$0] } ?? [:]
    }
  }
}

extension Failure {
  /// Fails if what is given as a model is a store: its model is read by other commands.
  static func checkIsModel(_ path: String) throws(Failure) {
    guard StoreFileKind(path: path) != nil else { return }
    throw Failure(
      .usage, "\(path) is a store, not a model",
      try: "cardfile describe \(path) --format json > model.json, which is a model")
  }
}
