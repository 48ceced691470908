import ArgumentParser
import CardfileApp
import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import RowOutput

/// `cardfile delete`: deletes the objects that match a predicate, after showing what the delete
/// rules do to others.
struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete the objects that match a predicate.",
    discussion: """
      Shows first what the save will do: which objects are deleted by cascade, which \
      relationships are set to NULL, and what denies the deletion. At a terminal it then asks; \
      elsewhere it needs --yes. Exactly what was shown is done, in one transaction; if another \
      program changes the store in between, nothing is deleted. A Core Data store is first copied \
      to a file beside it (unless --no-backup is given), and a warning says when another program \
      has the store open.

      EXAMPLES
        cardfile delete contacts.sqlite Person --where "born < '1930-01-01'" --dry-run
        cardfile delete contacts.sqlite Person --where "id = 12" --yes
      """)

  @OptionGroup var storeArgument: StoreArgument
  @OptionGroup var typeOption: TypeOption
  @OptionGroup var entityArgument: EntityArgument

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Delete the objects that match this; TRUEPREDICATE for all objects.", valueName: "predicate"))
  var condition: String

  @Flag(
    help: "Delete the objects too that keep others from being deleted, by the delete rule deny.")
  var withDependants = false

  @Flag(help: "Only show what would be deleted.")
  var dryRun = false

  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  @OptionGroup var writingOptions: WritingOptions

  func run() throws {
    var options = writingOptions.storeOptions(model: storeArgument.model, isReadOnly: false)
    options.columnKinds = try typeOption.kinds
    let opened = try OpenedStore(
      path: storeArgument.store, options, storeArgument.serviceOptions)
    try typeOption.check(in: opened)
    writeNotes(opened.store.summary.notes)
    let entity = try opened.names.entity(entityArgument.entity)
    let plan = try opened.plan(for: entity, condition: condition)
    // What a deletion would change is in other entities too.
    try opened.update()
    if let reason = opened.store.summary.readOnlyReason ?? entity.readOnlyReason {
      throw Failure(.refused, "objects of \(entity.name) cannot be deleted: \(reason)")
    }
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: opened.store))
    // Nobody can undo it.
    context.undoHistory.isRegistrationEnabled = false
    guard
      var save = try SavePlan.deleting(
        matching: plan, withDependants: withDependants, in: context)
    else {
      throw Failure(
        .refused, "no \(entity.name) matches the predicate",
        try: "cardfile count, with other conditions")
    }
    // If a delete rule denies the deletion, nothing is deleted and only the denials are shown.
    guard save.refusals.isEmpty else {
      _ = Result { try print(save.notes) }
      throw Failure(
        .refused, "nothing was deleted: \(save.refusals[0])",
        try: save.isValid
          ? "deleting what it has first, or --with-dependants" : "correcting that value first")
    }
    // What the save would be refused for is said before anybody is asked.
    let rehearsal =
      dryRun || !yes
      ? try refusingDifferences { try context.rehearseSave(deleting: save.deletion) } : nil
    // Before a question what will be deleted is shown, otherwise what was deleted.
    var report = Result {
      if !yes || dryRun {
        try print(
          save.effects + lines(rehearsal?.triggerEffects) + lines(rehearsal?.unusedFileCount ?? 0))
      }
    }
    if dryRun { return try report.get() }
    writeNotes(opened.sqlite?.warningsBeforeWriting() ?? [])
    if !yes {
      guard case .success = report else {
        throw Failure(
          .refused, "nothing was deleted: what would be deleted cannot be shown",
          try: "--yes, or another standard output")
      }
      let confirmation = save.confirmation
      try Question(
        confirmation.map { "Type \($0) to delete them: " } ?? "Delete? y/n ",
        answer: confirmation ?? "y", nothingWas: "nothing was deleted"
      ).ask()
    }
    // A save that is refused has been preceded by a copy too.
    defer {
      if let path = opened.backupPath {
        writeNotes(["The store as it was before is in \(path)"])
      }
    }
    // The deletion is not for whoever reads the report to stop, and the exit status is the
    // deletion's.
    let effects = try refusingDifferences { try context.save(deleting: save.takeDeletion()) }
    let fileCount = opened.removeUnusedFiles()
    if yes { report = Result { try print(save.effects + lines(effects) + lines(fileCount)) } }
    if case .failure = report {
      writeNotes(["The objects are deleted, but the report could not be written"])
    }
  }

  /// What triggers do, in one line; none if they do nothing.
  private func lines(_ effects: TriggerEffects?) -> [String] {
    guard let phrases = effects?.phrases, !phrases.isEmpty else { return [] }
    return ["Triggers: " + phrases.joined(separator: ", ")]
  }

  /// How many files of values go with the objects, in one line; none if there are none.
  private func lines(_ fileCount: Int) -> [String] {
    fileCount > 0 ? ["\(SavePlan.files(fileCount)) deleted"] : []
  }

  private func print(_ lines: [String]) throws {
    var output = StandardOutput()
    for line in lines { try output.writeLine(line) }
    try output.flush()
  }

  /// Saves, or rehearses the save; if the store has changed since the plan was made, the error says
  /// how.
  private func refusingDifferences<Result>(_ save: () throws -> Result) throws -> Result {
    do {
      return try save()
    } catch let error as ManagedObjectError {
      guard let difference = error.storeError?.difference else { throw error }
      throw Failure(
        .refused, "nothing was deleted, because the store has changed: \(difference)",
        try: "the same command again")
    }
  }
}
