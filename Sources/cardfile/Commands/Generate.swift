import ArgumentParser
import Foundation
import ModelFiles
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
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    var written: [String] = []
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in files {
        let url = folder.appendingPathComponent(file.name)
        guard !file.isWrittenOnce || !FileManager.default.fileExists(atPath: url.path) else {
          continue
        }
        try Data(file.contents.utf8).write(to: url, options: .atomic)
        written.append(file.name)
      }
    } catch let error as CocoaError {
      throw Failure(
        .refused, "\(output) cannot be written: \(error.localizedDescription)",
        try: "--output with a folder that you can write to")
    }
    var printed = StandardOutput()
    for name in written { try printed.writeUnchanged(name) }
    try printed.flush()
  }

  /// The access levels, as arguments.
  enum AccessLevel: String, ExpressibleByArgument, CaseIterable {
    case `internal`, `public`

    var value: SubclassGenerator.Access { self == .public ? .public : .internal }
  }
}
