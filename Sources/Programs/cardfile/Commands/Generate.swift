import ArgumentParser
import Foundation
import ModelFiles
import ObjectModel
import RowOutput

/// `cardfile generate`: writes Swift classes for the entities of a model.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write Swift subclasses of ManagedObject for the entities of a model.",
    discussion: """
      Writes two files for each entity: one with its typed properties, which is always replaced \
      and must not be edited, and one for your own code, which is only written if it does not \
      exist. Prints the names of the written files.

      EXAMPLE
        cardfile generate People.xcdatamodeld --output Sources/People --prefix MO
      """)

  @Argument(
    help: "The model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, or the JSON of describe.",
    completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp(
      "The version in a versioned model; by default the current one.", valueName: "name"))
  var version: String?

  @Option(help: ArgumentHelp("The folder to write to.", valueName: "folder"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "The prefix of class names; classes that the model names keep their name.",
      valueName: "text"))
  var prefix = "MO"

  @Option(help: ArgumentHelp("The access level of the classes.", valueName: "level"))
  var access = AccessLevel.internal

  func run() throws {
    let decoded = try ModelFile.read(path: model, version: version)
    writeNotes(decoded.notes)
    let files = try SubclassGenerator(
      model: decoded.model, prefix: prefix, access: access.value
    ).files()
    let written: [String]
    do {
      written = try Self.write(files, to: OpenFolder(making: output, mode: 0o777))
    } catch {
      let name = error.path == output ? output : "\(output): \(error.path.lastPathPart)"
      throw Failure(
        .refused, "\(name) cannot be written: \(error)",
        try: error.code == ENAMETOOLONG
          ? "a shorter name of the class or of the prefix"
          : "--output with a folder that you can write to")
    }
    var printed = StandardOutput()
    for name in written { try printed.writeUnchanged(name) }
    try printed.flush()
  }

  /// Writes files that are all complete before the first of them gets its name.
  ///
  /// - Returns: The names of those that were written: a file for the person's own code is written
  ///   once.
  private static func write(_ files: [GeneratedFile], to folder: OpenFolder) throws(FileError)
    -> [String]
  {
    folder.removeAbandonedDrafts()
    var drafts: [(name: String, draft: Draft)] = []
    for file in files where !file.isWrittenOnce || folder.status(of: file.name) == nil {
      // Its name is too long, for example.
      guard folder.status(of: file.name) != nil || errno == ENOENT else {
        throw FileError(errno, folder.path(of: file.name))
      }
      let draft = try Draft(fileIn: folder, mode: 0o666)
      try draft.write(Array(file.contents.utf8))
      drafts.append((file.name, draft))
    }
    for (name, draft) in drafts { try draft.commit(as: name, replacing: true) }
    return drafts.map(\.name)
  }

  /// The access levels, as arguments.
  enum AccessLevel: String, ExpressibleByArgument, CaseIterable {
    case `internal`, `public`

    var value: SubclassGenerator.Access { self == .public ? .public : .internal }
  }
}
