import ArgumentParser
import Foundation
import ObjectModel
import RowOutput
import SQLiteStore
import Transfers

/// `cardfile import`: inserts and updates objects from a file.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Insert and update objects from a CSV, TSV or JSON file.",
    discussion: """
      Recognises delimiter, encoding, and how dates and numbers are written, prints which property \
      each column is, and writes all objects in one transaction. gzip is unpacked; - is standard \
      input; memory does not grow with the file. Text columns keep leading zeros. An empty field is \
      NULL, or the default of what must have a value, and "" is empty text.

      Rules of the model and constraints of the database hold. If a record breaks one, nothing is \
      written, unless --rejects names a file for such records, which then have their line, column \
      and reason there; the exit status is 1 in both cases. C-c leaves the store as it was.

      A relationship's column has the objects' URIs, as fetch prints them, or the values of one of \
      their attributes: --link album.Title, or a column that is called album.Title.

      Instead of ENTITY and FILE a folder that export has written is read: its objects keep their \
      keys.

      EXAMPLES
        cardfile import contacts.sqlite Person people.csv --dry-run
        cardfile import contacts.sqlite Person people.csv --key email --rejects bad.csv
        cardfile import chinook.sqlite Track tracks.jsonl.gz --link album.Title
        curl -s https://example.com/people.csv | cardfile import contacts.sqlite Person -
      """)

  @OptionGroup var storeArgument: StoreArgument

  @Argument(
    help: "The entity of the objects, or a folder that export has written.",
    completion: StoreCompletion.entities)
  var entity: String

  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String?

  @OptionGroup var fileOptions: FileOptions

  @Option(
    help: ArgumentHelp(
      "Write the records that cannot be imported to this CSV file, and import the others.",
      valueName: "path"), completion: .file())
  var rejects: String?

  @Flag(help: "Only print what the columns are, and the first objects as they would be.")
  var dryRun = false

  @Flag(help: "Do not ask for confirmation at the terminal.")
  var yes = false

  @OptionGroup var writingOptions: WritingOptions

  private static let previewCount = 5

  func run() throws {
    do {
      guard !storeArgument.copyOption.copy else {
        throw Failure(.usage, "--copy reads a copy, which nothing can be imported into")
      }
      let opened = try OpenedStore(
        path: storeArgument.store,
        writingOptions.storeOptions(model: storeArgument.model, isReadOnly: dryRun),
        storeArgument.serviceOptions)
      writeNotes(opened.store.summary.notes)
      guard let store = opened.store as? any BulkStore else {
        throw Failure(.refused, "nothing can be imported into \(opened.store.summary.kind)")
      }
      if !dryRun, let reason = store.summary.readOnlyReason {
        throw Failure(.refused, "nothing can be imported: \(reason)")
      }
      guard let file else { return try runFolder(store, opened) }
      try run(
        Importer(
          file, as: opened.names.entity(entity), into: store, options: fileOptions.options), opened)
    } catch let error as TransferError {
      throw Failure(error)
    }
  }

  /// Imports the folder of an export.
  private func runFolder(_ store: any BulkStore, _ opened: OpenedStore) throws {
    if store.model.entity(named: entity) != nil {
      throw Failure(.usage, "the file is missing", try: "cardfile import STORE \(entity) FILE")
    }
    let importer = try FolderImporter(entity, into: store)
    if dryRun {
      return try report("objects of " + importer.entities.map(\.name).joined(separator: ", "))
    }
    writeNotes(opened.sqlite?.warningsBeforeWriting() ?? [])
    defer {
      if let path = opened.backupPath { writeNotes(["The store as it was before is in \(path)"]) }
    }
    let pace = TransferPace("objects")
    let result = try ProgressLine.showing({ pace.line }) { try importer.run { pace.note($0) } }
    try report(result.phrase)
  }

  private func report(_ text: String) throws {
    var output = StandardOutput()
    try output.writeLine(text)
    try output.flush()
  }

  private func run(_ importer: Importer, _ opened: OpenedStore) throws {
    try show(importer)
    if dryRun { return }
    writeNotes(opened.sqlite?.warningsBeforeWriting() ?? [])
    try confirm()
    defer {
      if let path = opened.backupPath { writeNotes(["The store as it was before is in \(path)"]) }
    }
    var file = try rejects.map { path throws(TransferError) in
      try RejectsFile(path: path, columns: importer.mapping.columns.map(\.name))
    }
    var few: [Rejection] = []
    let pace = TransferPace("records")
    let result: ImportResult
    do {
      result = try ProgressLine.showing({ pace.line }) {
        try importer.run(acceptsRejects: file != nil) { rejection in
          if few.count < 10 { few.append(rejection) }
          try file?.write(rejection)
        } progress: {
          pace.note($0)
        }
      }
    } catch {
      file?.discard()
      for rejection in few { writeToStandardError("cardfile: \(rejection.phrase)") }
      throw error
    }
    try file?.commit()
    if let rejects, result.rejected > 0 { writeNotes(["What was rejected is in \(rejects)"]) }
    do {
      try report(result.phrase)
    } catch {
      writeNotes(["The objects are imported, but the report could not be written"])
    }
    if result.rejected > 0 { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  /// Prints the mapping, and the first objects before nothing is written.
  private func show(_ importer: Importer) throws {
    var output = StandardOutput()
    try output.writeLine(importer.formatPhrase)
    for column in importer.mapping.columns { try output.writeLine(column.phrase) }
    if !importer.mapping.keys.isEmpty {
      try output.writeLine(
        "objects with the same \(importer.mapping.keys.joined(separator: ", ")) are updated")
    }
    let rows = importer.preview(Self.previewCount)
    if dryRun, !rows.isEmpty {
      try output.writeUnchanged("")
      var table = TextTable(
        columns: importer.previewColumns.map { .init(title: $0, isNumeric: false) }, widestCell: 40)
      for row in rows { try table.write(row.values, to: &output) }
      try table.finish(&output)
      for problem in rows.compactMap(\.problem) { try output.writeLine(problem) }
    }
    try output.flush()
  }

  /// Asks at the terminal.
  private func confirm() throws(Failure) {
    guard !yes, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data("Import? y/n ".utf8))
    let answer = Interruption.waiting { readLine() }
    guard answer?.lowercased().hasPrefix("y") == true else {
      throw Failure(.refused, "nothing was imported")
    }
  }
}
