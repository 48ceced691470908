import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import RowOutput
import TerminalApplications
import TerminalKit

extension App {
  /// Writes what the list shows to a file: rows, filter, columns and order.
  ///
  /// - Parameters:
  ///   - name: The name of the file; its ending is the format: `.csv`, also without one, `.json`,
  ///     `.jsonl` or `.md`.
  ///   - replacing: Whether a file of that name is replaced.
  func exportList(to name: String, replacing: Bool) {
    guard export == nil else { return fail("An export is under way — Esc cancels it") }
    guard let list = screens.last(where: { $0 is ListScreen }) as? ListScreen else {
      return fail("There is no list to export — open an entity first")
    }
    guard !name.isEmpty, let (name, format) = ExportFormat.file(name) else {
      let endings = ExportFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: " ")
      return fail("A file is exported as one of \(endings)")
    }
    let path = FileOutput.path(name)
    let target: FileTarget
    do {
      target = try FileTarget(path: path)
    } catch {
      return fail("Nothing was exported: \(error)")
    }
    if let refusal = FileOutput.refusal(of: target, named: name) { return fail(refusal) }
    guard replacing || target.occupant == .nothing else {
      return fail("\(name) exists — :export! \(name) replaces it")
    }
    let begin = { [weak self, weak list] in
      guard let self, let export = list?.export() else { return }
      self.export = session.jobs.start("Exporting", total: export.rows.count) {
        export.write(to: target, as: format, $0)
      } done: { [weak self] in
        self?.show($0, of: export, to: path)
      }
    }
    // Rows that are looked up are as they are saved.
    let controller = list.controller
    if controller.isWindowed, !controller.showsEarlierRequest, !session.context.hasChanges {
      begin()
    } else {
      list.whenComplete(begin)
    }
  }

  /// Says what has become of an export.
  func show(_ outcome: Export.Outcome, of export: Export, to path: String) {
    switch outcome {
    case .written(let rows, let gone, let bytes):
      let missing = gone > 0 ? ", \(groupedDigits(gone)) were gone" : ""
      let what = counted(rows, "row")
      let size = ValueText.bytes(bytes)
      say(
        "Exported \(what)\(missing), \(export.columnsPhrase), \(size), to \(path)")
    case .cancelled: say("Export cancelled: nothing was written")
    case .failed(let reason): fail("Nothing was exported: \(reason)")
    }
  }
}

extension ListScreen {
  /// What is exported; nil if nothing was fetched.
  func export() -> Export? {
    let (columns, hiddenCount) = columns.written
    return shownRows(columns).map {
      Export(rows: $0, columnsPhrase: ListColumns.phrase(columns.count, hidden: hiddenCount))
    }
  }
}
