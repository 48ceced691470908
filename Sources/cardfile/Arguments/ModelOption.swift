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
      "The version of a model of several; the current one when left out.", valueName: "name"))
  var version: String?
}
