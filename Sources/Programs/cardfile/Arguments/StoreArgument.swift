import ArgumentParser
import CardfileApp
import ObjectModel
import SQLiteStore

/// The store of a command.
struct StoreArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The SQLite database to open, or the address of a service.",
      discussion: "Write ./fetch for a file whose name is that of a command."),
    completion: .file())
  var store: String

  @OptionGroup var modelOption: StoreModelOption
  @OptionGroup var copyOption: CopyOption
  @OptionGroup var serviceOptions: ServiceOptions

  var model: String? { modelOption.model }
}

/// The `--model` option of commands that open a store.
struct StoreModelOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model of a Core Data store, instead of the model in the store.",
      discussion: "A .mom, .momd, .xcdatamodel or .xcdatamodeld, or the JSON that describe prints.",
      valueName: "path"), completion: .file())
  var model: String?
}

/// The `--type` option of commands that read values.
struct TypeOption: ParsableArguments {
  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "What a column is, where its values do not tell it.",
      discussion: """
        Repeatable, as visit_time=date2001 or history_visits.visit_time=date2001. The kinds: \
        \(ColumnKind.allCases.map(\.rawValue).joined(separator: ", "))
        """,
      valueName: "[entity.]column=kind"))
  var types: [String] = []

  /// The options, read.
  var typed: [TypedKind] {
    get throws(Failure) {
      var result: [TypedKind] = []
      for text in types {
        do {
          result.append(try TypedKind(text))
        } catch {
          throw Self.failure(error)
        }
      }
      return result
    }
  }

  /// The kinds by the names that were typed, for opening the store.
  var kinds: [String: ColumnKind] {
    get throws(Failure) {
      Dictionary(try typed.map { ($0.name, $0.kind) }) { $1 }
    }
  }

  /// Refuses columns that the store does not have, and stores whose model types them.
  func check(in opened: OpenedStore) throws(Failure) {
    for typed in try typed {
      do {
        _ = try typed.key(in: opened.store.model, of: nil)
      } catch {
        throw Self.failure(error)
      }
    }
  }

  private static func failure(_ error: TypedTextError) -> Failure {
    Failure(
      .usage, "--type: \(error.message)",
      try: error.suggestions.isEmpty ? error.expected : error.suggestions.joined(separator: ", "))
  }
}

/// The `--copy` option of commands that read a store.
struct CopyOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Read a private copy of the store as it is now, also while another program keeps it locked.",
      discussion: "A write-ahead log is read too; what is being written at the moment is left out.")
  )
  var copy = false
}

/// Options for writing to a Core Data store.
struct WritingOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Allow writing to a Core Data store that is otherwise read-only.",
      discussion: "Stores that are mirrored to iCloud are opened read-only without it."))
  var forceWrite = false

  @Flag(
    help: ArgumentHelp(
      "Do not back up a Core Data store before the first save.",
      discussion: "The backup is a copy beside the store, in case an app rejects what was saved."
    ))
  var noBackup = false
}

/// The entity of a command.
struct EntityArgument: ParsableArguments {
  @Argument(
    help: "The entity: a table or view of the database. 'cardfile entities STORE' lists them.",
    completion: StoreCompletion.entities)
  var entity: String
}

/// The `--where` option.
struct ConditionOption: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only objects that match this.",
      discussion: """
        An NSPredicate, such as: name beginswith[cd] 'a' and born >= 1980-01-01 (a date needs no \
        quotes)
        """,
      valueName: "predicate"),
    completion: StoreCompletion.condition)
  var condition: String?
}

/// The `--sort` option.
struct SortOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The order, as \"born desc,name\".",
      discussion: """
        Text is in the localized order, which ignores case and accents; in a long table of a server \
        in that of its index.
        """,
      valueName: "keys"),
    completion: StoreCompletion.properties)
  var sort: String?
}

extension WritingOptions {
  /// The store options of a command that can write.
  func storeOptions(model: String?, isReadOnly: Bool) -> SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.isReadOnly = isReadOnly
    options.modelPath = model
    options.forcesWriting = forceWrite
    options.makesBackup = !noBackup
    return options
  }
}
