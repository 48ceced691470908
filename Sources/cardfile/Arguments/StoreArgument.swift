import ArgumentParser

/// The store of a command.
struct StoreArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The SQLite database to open.",
      discussion: "A file that is named like a command is written with its folder: ./fetch"),
    completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "The model of a Core Data store, in place of the one that the store holds.",
      discussion: "A .mom, .momd, .xcdatamodel or .xcdatamodeld, or the JSON that describe prints.",
      valueName: "path"), completion: .file())
  var model: String?
}

/// Options for writing to a Core Data store.
struct WritingOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Save to a Core Data store although there is reason not to.",
      discussion: "A store that is mirrored to iCloud is opened read-only without it."))
  var forceWrite = false

  @Flag(
    help: ArgumentHelp(
      "Do not copy a Core Data store beside itself before the first save.",
      discussion: "The copy is what is left to go back to when an app does not like what was saved."
    ))
  var noBackup = false
}

/// The entity of a command.
struct EntityArgument: ParsableArguments {
  @Argument(
    help: "The entity: a table or view of the database. 'cardfile entities STORE' lists them.")
  var entity: String
}

/// The `--where` option.
struct ConditionOption: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only objects that meet this condition.",
      discussion: "An NSPredicate, such as: name beginswith[cd] 'a' and born >= '1980-01-01'",
      valueName: "predicate"))
  var condition: String?
}

/// The `--sort` option.
struct SortOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The order, as \"born desc,name\".",
      discussion: "Text is in a person's order: case and accents do not count.",
      valueName: "keys"))
  var sort: String?
}
