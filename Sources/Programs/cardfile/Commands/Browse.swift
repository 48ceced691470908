import ArgumentParser
import CardfileApp
import ObjectModel
import SQLiteStore
import RowOutput

/// `cardfile STORE [ENTITY]`: browses a store on the screen.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Open a store and browse it (what cardfile does without a command).",
    discussion: """
      Press ? in the program for its keys, q to leave it.

      EXAMPLES
        cardfile chinook.sqlite Artist
        cardfile chinook.sqlite Invoice --section InvoiceDate:month --sort "InvoiceDate desc"
        cardfile chinook.sqlite Track --where "Milliseconds > 300000" --columns Name,Composer
      """)

  @Argument(
    help: ArgumentHelp(
      "The SQLite database to open, or the address of a service; by default a choice is offered.",
      discussion: "Write ./fetch for a file whose name is that of a command."),
    completion: .file())
  var store: String?

  @OptionGroup var modelOption: StoreModelOption
  @OptionGroup var typeOption: TypeOption
  @OptionGroup var copyOption: CopyOption
  @OptionGroup var serviceOptions: ServiceOptions

  @Argument(help: "The entity to open; by default the list of entities.")
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "Sections by a key path, or none.",
      discussion: "Sections by value, or by its \(SectionText.transforms).",
      valueName: SectionText.valueName))
  var section: String?

  @OptionGroup var sortOption: SortOption
  @OptionGroup var conditionOption: ConditionOption

  @Option(help: ArgumentHelp("The columns to show, as \"name,city\".", valueName: "names"))
  var columns: String?

  @Flag(help: "Open the store read-only.")
  var readOnly = false

  @Flag(help: "Save after each change; a deletion asks first.")
  var saveAfterEdit = false

  @OptionGroup var writingOptions: WritingOptions

  @Flag(help: "Do not handle the mouse.")
  var noMouse = false

  func validate() throws {
    guard entity == nil else { return }
    let given = [
      ("--section", section), ("--sort", sortOption.sort), ("--where", conditionOption.condition),
      ("--columns", columns),
    ]
    if let (option, _) = given.first(where: { $0.1 != nil }) {
      throw ValidationError("\(option) needs an entity after the store.")
    }
  }

  func run() throws {
    var options = writingOptions.storeOptions(model: modelOption.model, isReadOnly: readOnly)
    options.columnKinds = try typeOption.kinds
    options.readsCopy = copyOption.copy
    try Browser(options, serviceOptions).run(store) { try complete(&$0, for: $1) }
  }

  /// Adds the options of the command line, with every name resolved, so that errors are printed at
  /// the shell.
  private func complete(_ options: inout AppOptions, for opened: OpenedStore?) throws {
    options.entityName = entity
    options.columnKinds = try typeOption.kinds
    if let opened { try typeOption.check(in: opened) }
    let flags: [(Bool, String, WritableKeyPath<Settings, Bool>, Bool)] = [
      (readOnly, "read-only", \.isReadOnly, true),
      (saveAfterEdit, "save-after-edit", \.savesAfterEdit, true),
      (noMouse, "mouse", \.usesMouse, false),
      (writingOptions.noBackup, "backup", \.makesBackup, false),
    ]
    for (isGiven, name, path, value) in flags where isGiven {
      options.settings.chooseOnCommandLine(name, path, value)
    }
    guard let opened, let name = entity else { return }
    let entity = try opened.names.entity(name)
    options.filter = try opened.filter(conditionOption.condition, for: entity)
    options.sortDescriptors = try opened.sortDescriptors(sortOption.sort, for: entity)
    if let section {
      let key = try SectionText.key(section, for: entity, in: opened.names)
      options.section = key.map { .key($0) } ?? AppOptions.SectionChoice.none
    }
    if let columns {
      options.columns = try OutputColumn.named(columns, of: entity, in: opened.names).map(\.name)
    }
  }
}
