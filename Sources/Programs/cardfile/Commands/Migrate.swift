import ArgumentParser
import AtomicStores
import Foundation
import ModelFiles
import ObjectModel
import RowOutput
import SQLiteStore

/// `cardfile migrate`: gives a store another model, by a mapping model or as far as that can be
/// inferred.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Give a store another model, and move its objects into it.",
    discussion: """
      Prints first what changes, what is lost and how many values that is; what cannot be inferred \
      is refused, with every reason. At a terminal it then asks; elsewhere it needs --yes. The store \
      is copied to a file beside it (unless --no-backup is given), and migrated in one transaction: \
      whatever happens, it is as it was or has the new model. Then it is checked.

      A mapping model (.cdm, or Xcode's .xcmappingmodel) is found in the folder of the model or \
      beside it if it maps between the two models, or given by --mapping. Policy classes are code of \
      the app: a mapping that needs one is refused, or not used if it was found and another can be \
      inferred.

      Core Data stores stay Core Data stores: keys and URIs of objects stay too. An app opens the \
      result without migrating it again if the model is a .momd, which has version hashes.

      EXAMPLES
        cardfile migrate People.sqlite --model People.momd --dry-run
        cardfile migrate People.sqlite --model People.xcdatamodeld --version "People 2" --yes
      """)

  @Argument(help: "The store to migrate.", completion: .file())
  var store: String

  @OptionGroup var modelOption: ModelOption

  @Option(
    help: ArgumentHelp(
      "The mapping model; by default the one beside the model that fits, or an inferred one.",
      valueName: "path"), completion: .file())
  var mapping: String?

  @Flag(help: "Only show what would be done.")
  var dryRun = false

  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  @Flag(help: "Do not back up the store before.")
  var noBackup = false

  func run() throws {
    try Failure.checkIsModel(modelOption.model)
    let decoded = try ModelFile.read(path: modelOption.model, version: modelOption.version)
    writeNotes(decoded.notes)
    var options = SQLiteStore.Options()
    options.isReadOnly = dryRun
    options.makesBackup = !noBackup
    options.modelCandidate = modelOption.model
    if let former = try formerStore(decoded.model) { return try migrate(former, to: decoded.model) }
    let opened = try OpenedStore(path: store, options, ServiceOptions())
    if let file = opened.store as? JSONStore { return try migrate(file, to: decoded.model) }
    try migrate(opened.database(for: "tables to migrate"), to: decoded.model)
  }

  /// Migrates a database, and checks it.
  private func migrate(_ opened: SQLiteStore, to model: ManagedObjectModel) throws {
    let hashes = try modelOption.versionHashes
    let found = try mapping(
      from: opened.model, try opened.storedVersionHashes(), to: model)
    let migration = try opened.migration(to: model, versionHashes: hashes, mapping: found)
    guard !migration.isEmpty || !migration.refusals.isEmpty else { return try sayThatItIsThere() }
    try confirm(
      migration.lines, refusals: migration.refusals, whyNot: migration.whyNot,
      warnings: opened.warningsBeforeWriting)
    if dryRun { return }
    let before = Set(try opened.check().map(\.message))
    try ProgressLine.showing("migrating") { () throws(StoreError) in
      try opened.migrate(migration)
    }
    if let path = opened.backupPath { writeNotes(["The store as it was before is in \(path)"]) }
    try check(besides: before)
  }

  /// Migrates a store that is read whole and written whole.
  private func migrate(_ opened: some MigratingFileStore, to model: ManagedObjectModel) throws {
    let hashes = (opened as? XMLStore)?.versionHashes ?? [:]
    let found = try mapping(from: opened.model, hashes, to: model)
    let migration = try opened.migration(to: model, mapping: found)
    guard !migration.isEmpty else { return try sayThatItIsThere() }
    try confirm(
      migration.lines, refusals: migration.refusals,
      whyNot: found == nil ? "it cannot be inferred" : "its mapping cannot be carried out")
    if dryRun { return }
    if !noBackup {
      let path = try opened.file.backUp(try opened.file.read())
      writeNotes(["The store as it was before is in \(path)"])
    }
    try ProgressLine.showing("migrating") { () throws(StoreError) in
      try opened.migrate(migration)
    }
    try print(["The store is migrated."])
  }

  /// The XML store with the version of the model that it was written with; nil if it is no XML store,
  /// or its model is not known.
  private func formerStore(_ model: ManagedObjectModel) throws -> XMLStore? {
    guard XMLStore.recognizes(store) else { return nil }
    var options = XMLStore.Options()
    options.isReadOnly = dryRun
    let path = modelOption.model
    let former = try XMLStore.former(path: store, options: options, model) {
      let names = (try? ModelFile.versions(path: path))?.names ?? []
      return names.reversed().compactMap { try? ModelFile.read(path: path, version: $0).model }
    }
    if let former { return former }
    // It can be read with the model, or an error says why not.
    return try XMLStore(path: store, options: options, expectedModel: model)
  }

  /// The mapping model; nil for the inferred mapping.
  private func mapping(
    from source: ManagedObjectModel, _ hashes: [String: Data], to model: ManagedObjectModel
  ) throws -> MappingModel? {
    let found = try FoundMapping(
      mapping, beside: modelOption.model, version: modelOption.version, from: source, hashes,
      to: model)
    writeNotes(found.notes)
    return found.model
  }

  private func sayThatItIsThere() throws { try print(["\(store) has this model already."]) }

  /// Shows a plan and asks.
  private func confirm(
    _ lines: [String], refusals: [String], whyNot: String,
    warnings: () throws -> [String] = { [] }
  ) throws {
    try print(lines)
    guard refusals.isEmpty else {
      throw Failure(
        .refused, "nothing was migrated, because \(whyNot):", pointer: refusals)
    }
    if dryRun { return }
    writeNotes(try warnings())
    if !yes {
      try Question("Migrate? y/n ", nothingWas: "nothing was migrated").ask()
    }
  }

  /// Checks the migrated store, and reports what was not wrong before.
  private func check(besides before: Set<String>) throws {
    let result = try SQLiteStore.open(path: store, options: SQLiteStore.Options(isReadOnly: true))
    let findings = try result.check().filter {
      $0.severity != .note && !before.contains($0.message)
    }
    try print(
      findings.isEmpty
        ? ["The store is migrated, and a check finds nothing new."] : findings.flatMap(\.lines))
    if findings.contains(where: { $0.severity == .error }) {
      throw Failure(
        .refused, "the store is migrated, and a check finds errors that were not there",
        try: "the backup")
    }
  }

  private func print(_ lines: [String]) throws {
    var output = StandardOutput()
    for line in lines { try output.writeLine(line) }
    try output.flush()
  }
}
