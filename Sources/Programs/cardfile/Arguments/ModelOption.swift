import ArgumentParser

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
}
