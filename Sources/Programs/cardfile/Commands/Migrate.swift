import ArgumentParser
import Foundation
import ModelFiles
import ObjectModel
import RowOutput
import SQLiteStore

/// `cardfile migrate`: gives a store another model, as far as that can be inferred.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Give a store another model, and move its objects into it.",
    discussion: """
      Prints first what changes, what is lost and how many values that is; what cannot be inferred \
      is refused, with every reason. At a terminal it then asks; elsewhere it needs --yes. The store \
      is copied to a file beside it (unless --no-backup is given), and migrated in one transaction: \
      whatever happens, it is as it was or has the new model. Then it is checked.

      Core Data stores stay Core Data stores: keys and URIs of objects stay too. An app opens the \
      result without migrating it again if the model is a .momd, which has version hashes.

      EXAMPLES
        cardfile migrate People.sqlite --model People.momd --dry-run
        cardfile migrate People.sqlite --model People.xcdatamodeld --version "People 2" --yes
      """)

  @Argument(help: "The store to migrate.", completion: .file())
  var store: String

  @OptionGroup var modelOption: ModelOption

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
    let (opened, migration) = try planned(decoded.model)
    guard !migration.isEmpty || !migration.refusals.isEmpty else {
      return try print(["\(store) has this model already."])
    }
    try print(migration.lines)
    guard migration.refusals.isEmpty else {
      throw Failure(
        .refused, "nothing was migrated, because it cannot be inferred:",
        pointer: migration.refusals)
    }
    if dryRun { return }
    writeNotes(opened.warningsBeforeWriting())
    if !yes {
      try Question("Migrate? y/n ", nothingWas: "nothing was migrated").ask()
    }
    let before = Set(try opened.check().map(\.message))
    try ProgressLine.showing("migrating") { () throws(StoreError) in
      try opened.migrate(migration)
    }
    if let path = opened.backupPath { writeNotes(["The store as it was before is in \(path)"]) }
    try check(besides: before)
  }

  private func planned(_ model: ManagedObjectModel) throws -> (SQLiteStore, StoreMigration) {
    var options = SQLiteStore.Options()
    options.isReadOnly = dryRun
    options.makesBackup = !noBackup
    options.modelCandidate = modelOption.model
    let opened = try OpenedStore(path: store, options).database(for: "tables to migrate")
    return (opened, try opened.migration(to: model, versionHashes: try modelOption.versionHashes))
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
