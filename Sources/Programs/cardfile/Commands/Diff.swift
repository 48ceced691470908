import ArgumentParser
import ObjectModel
import RowOutput
import SQLiteStore
import Transfers

/// `cardfile diff`: prints how two models differ and whether a migration can be inferred, or how the
/// objects of two stores differ.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how two stores, two models, or versions of a model, differ.",
    discussion: """
      Of models it prints what is added (+), removed (-) and changed (~) between the first and the \
      second, and whether the objects of the first can become those of the second by inference, or \
      else why not. Each is a model file or a store that has a model.

      Of two stores it prints the same of their models, if they differ, then the objects that are \
      only in the second (+), only in the first (-), or have other properties (~). Objects are the \
      same if entity and key of their URIs are, or the attributes of --key; in two stores that \
      were created apart, and whose keys mean nothing, those of a unique constraint. What a save, \
      an app or an import has changed is the difference to the backup or to a copy.

      json prints an object for each difference: {"change": "changed", "object": URI, "properties": \
      {name: [old, new]}}. The exit status is 1 if anything differs.

      EXAMPLES
        cardfile diff People.sqlite People.momd
        cardfile diff People.xcdatamodeld --version People --to-version "People 2"
        cardfile diff Photos.backup-20240131-181500.sqlite Photos.sqlite
        cardfile diff old.sqlite new.sqlite --key Person.email
      """)

  @Argument(help: "The first store or model file.", completion: .file())
  var first: String

  @Argument(
    help: "The second one; by default another version of the first.", completion: .file())
  var second: String?

  @Option(help: ArgumentHelp("The version of the first model.", valueName: "name"))
  var version: String?

  @Option(help: ArgumentHelp("The version of the second model.", valueName: "name"))
  var toVersion: String?

  @Option(
    help: ArgumentHelp(
      "The attributes by which objects of an entity are the same in both stores. Repeatable.",
      valueName: "entity.attributes"))
  var key: [String] = []

  @Option(
    help: ArgumentHelp("Only the objects of this entity. Repeatable.", valueName: "name"))
  var entity: [String] = []

  @Flag(help: "Of two stores too, compare only the models.")
  var models = false

  @Option(help: "The output format for objects.")
  var format = ListFormat.table

  func validate() throws {
    if second == nil, version == nil, toVersion == nil {
      throw ValidationError("One model is alike: name another one, or a --version to compare with.")
    }
  }

  func run() throws {
    var output = StandardOutput()
    let differs: Bool
    if let second, version == nil, toVersion == nil, !models, Self.isStore(first),
      Self.isStore(second)
    {
      do { differs = try compareStores(first, second, &output) } catch let error as TransferError {
        throw Failure(error)
      }
    } else {
      let difference = ModelDifference(
        from: try model(first, version), to: try model(second ?? first, toVersion))
      try print(difference, to: &output)
      differs = !difference.isEmpty
    }
    try output.flush()
    if differs { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  private static func isStore(_ path: String) -> Bool {
    ServiceStore.isAddress(path) || StoreFileKind(path: path) != nil
      || OpenedStore.isAtomicStore(path)
  }

  private func print(_ difference: ModelDifference, to output: inout StandardOutput) throws {
    for line in difference.lines { try output.writeLine(line) }
    if difference.isEmpty { return }
    let refusals = difference.refusals
    try output.writeLine(
      refusals.isEmpty ? "A migration can be inferred." : "No migration can be inferred, because:")
    for refusal in refusals { try output.writeLine("  \(refusal)") }
  }

  private func model(_ path: String, _ version: String?) throws -> ManagedObjectModel {
    let argument = try StoreArgument.parse(["--", path])
    return try DescribedModel(argument, version: version, types: TypeOption.parse([])).model
  }

  /// Prints how two stores differ.
  ///
  /// - Returns: Whether they do.
  private func compareStores(
    _ first: String, _ second: String, _ output: inout StandardOutput
  ) throws -> Bool {
    let stores = try [first, second].map { path -> any PersistentStore in
      let opened = try OpenedStore(StoreArgument.parse(["--", path]))
      try opened.update()
      return opened.store
    }
    let (old, new) = (stores[0], stores[1])
    let difference = ModelDifference(from: old.model, to: new.model)
    let comparison = try StoreDifference(
      from: old, to: new, entities: entity.isEmpty ? nil : entity, keys: keys)
    var printer = DifferencePrinter(format, from: old.model, to: new.model)
    // The stores are read again if a save interrupts it.
    try old.inReadTransaction {
      output.startOver()
      printer = DifferencePrinter(format, from: old.model, to: new.model)
      if format == .table { try print(difference, to: &output) }
      try comparison.report { try printer.write($1, to: &output) }
    }
    if format == .table, !printer.summary.isEmpty { try output.writeLine(printer.summary) }
    return !difference.isEmpty || !printer.summary.isEmpty
  }

  /// The attributes of --key by entity.
  private var keys: [String: [String]] {
    get throws(Failure) {
      var keys: [String: [String]] = [:]
      for text in key {
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
          throw Failure(.usage, "--key: “\(text)” names no attribute", try: "--key Person.email")
        }
        keys[parts[0]] = parts[1].split(separator: ",").map(String.init)
      }
      return keys
    }
  }
}
