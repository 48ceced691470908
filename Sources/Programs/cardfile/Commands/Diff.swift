import ArgumentParser
import ObjectModel
import RowOutput

/// `cardfile diff`: prints how two models differ, and whether a migration can be inferred.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how two models, or versions of a model, differ.",
    discussion: """
      Prints what is added (+), removed (-) and changed (~) between the first model and the second, \
      and whether the objects of the first can become those of the second by inference, or else \
      why not. Each is a model file or a store that has a model. The exit status is 1 if they differ.

      EXAMPLES
        cardfile diff People.sqlite People.momd
        cardfile diff People.xcdatamodeld --version People --to-version "People 2"
      """)

  @Argument(help: "The model that objects have: a model file or a store.", completion: .file())
  var first: String

  @Argument(
    help: "The model that they are to have; by default another version of the first.",
    completion: .file())
  var second: String?

  @Option(help: ArgumentHelp("The version of the first model.", valueName: "name"))
  var version: String?

  @Option(help: ArgumentHelp("The version of the second model.", valueName: "name"))
  var toVersion: String?

  func validate() throws {
    if second == nil, version == nil, toVersion == nil {
      throw ValidationError("One model is alike: name another one, or a --version to compare with.")
    }
  }

  func run() throws {
    let difference = ModelDifference(
      from: try model(first, version), to: try model(second ?? first, toVersion))
    var output = StandardOutput()
    for line in difference.lines { try output.writeLine(line) }
    if !difference.isEmpty {
      let refusals = difference.refusals
      try output.writeLine(
        refusals.isEmpty
          ? "A migration can be inferred." : "No migration can be inferred, because:")
      for refusal in refusals { try output.writeLine("  \(refusal)") }
    }
    try output.flush()
    if !difference.isEmpty { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  private func model(_ path: String, _ version: String?) throws -> ManagedObjectModel {
    let argument = try StoreArgument.parse(["--", path])
    return try DescribedModel(argument, version: version, types: TypeOption.parse([])).model
  }
}
