import ArgumentParser
import ObjectModel
import RowOutput

/// `cardfile describe`: prints a model.
struct Describe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Describe the entities of a store or a model file: attributes, types, relationships.",
    discussion: """
      Instead of a store the path can be a model file: a .mom, .momd, .xcdatamodel or \\
      .xcdatamodeld, or the JSON that this command prints.

      EXAMPLES
        cardfile describe chinook.sqlite Album
        cardfile describe Photos.sqlite --format json
        cardfile describe Sample.momd --version "Sample 2"
      """)

  @OptionGroup var storeArgument: StoreArgument
  @OptionGroup var typeOption: TypeOption

  @Argument(help: "The entity; by default all entities.")
  var entity: String?

  @Option(help: ArgumentHelp("The version in a versioned model file.", valueName: "name"))
  var version: String?

  @Option(help: "The output format.")
  var format = DescriptionFormat.text

  func run() throws {
    let described = try DescribedModel(storeArgument, version: version, types: typeOption)
    let chosen = try entity.map(described.names.entity)
    var output = StandardOutput()
    switch format {
    case .json: try output.writeUnchanged(ModelJSON.text(of: described.model, only: chosen))
    case .text: try writeText(of: described, only: chosen, to: &output)
    }
    try output.flush()
  }

  private func writeText(
    of described: DescribedModel, only chosen: EntityDescription?, to output: inout StandardOutput
  ) throws {
    if chosen == nil, let summary = described.summary {
      for line in [EntityText.summary(summary), ""] { try output.writeLine(line) }
    }
    let text = ModelText(described.model)
    if chosen == nil, !text.lines.isEmpty {
      for line in text.lines + [""] { try output.writeLine(line) }
    }
    let entities = chosen.map { [$0] } ?? described.model.hierarchy.map(\.entity)
    for (index, entity) in entities.enumerated() {
      if index > 0 { try output.writeLine("") }
      try EntityText.write(entity, of: text, to: &output)
    }
  }
}
