import ArgumentParser
import Foundation
import ModelFiles

/// `cardfile generate`: writes Swift classes for the entities of a model.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write Swift subclasses of ManagedObject for the entities of a model.",
    discussion: """
      For each entity two files: one with its typed properties, which is written anew each time and \
      which nobody edits, and one for the programmer's own code, which is written only where it is \
      not there yet. The names of the files that were written are printed.

      EXAMPLE
        cardfile generate People.xcdatamodeld --output Sources/People --prefix MO
      """)

  @Argument(
    help: "The model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, or the JSON of describe.",
    completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp(
      "The version of a model of several; the current one when left out.", valueName: "name"))
  var version: String?

  @Option(help: ArgumentHelp("The folder to write to.", valueName: "folder"))
  var output: String

  @Option(help: ArgumentHelp("What the names of classes begin with.", valueName: "text"))
  var prefix = "MO"

  func run() throws {
    let decoded = try ModelFile.read(path: model, version: version)
    writeNotes(decoded.notes)
    let files = try SubclassGenerator(model: decoded.model, prefix: prefix).files()
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    var printed = StandardOutput()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in files {
        let url = folder.appendingPathComponent(file.name)
        guard !file.isWrittenOnce || !FileManager.default.fileExists(atPath: url.path) else {
          continue
        }
        try Data(file.contents.utf8).write(to: url, options: .atomic)
        try printed.writeLine(file.name)
      }
    } catch let error as CocoaError {
      throw Failure(
        .refused, "\(output) cannot be written: \(error.localizedDescription)",
        try: "--output with a folder of yours")
    }
    try printed.flush()
  }
}
