import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import RowOutput
import TerminalKit

extension App {
  /// Writes what the list shows to a file: rows, filter, columns and order.
  ///
  /// - Parameters:
  ///   - name: The name of the file; its ending is the format: `.csv`, also without one, `.json`,
  ///     `.jsonl` or `.md`.
  ///   - replacing: Whether a file of that name is replaced.
  func exportList(to name: String, replacing: Bool) {
    guard export == nil else {
      session.message = .failed("An export is under way — Esc cancels it")
      return
    }
    guard let list = screens.last(where: { $0 is ListScreen }) as? ListScreen else {
      session.message = .failed("There is no list to export — open an entity first")
      return
    }
    guard !name.isEmpty, let (name, format) = ExportFormat.file(name) else {
      let endings = ExportFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: " ")
      session.message = .failed("A file is exported as one of \(endings)")
      return
    }
    let path = FileOutput.path(name)
    let target: FileTarget
    do {
      target = try FileTarget(path: path)
    } catch {
      session.message = .failed("Nothing was exported: \(error)")
      return
    }
    if let refusal = FileOutput.refusal(of: target, named: name) {
      session.message = .failed(refusal)
      return
    }
    guard replacing || target.occupant == .nothing else {
      session.message = .failed("\(name) exists — :export! \(name) replaces it")
      return
    }
    list.whenComplete { [weak self] list in
      guard let self, let request = list.exportRequest() else { return }
      let export = Export(
        request, to: target, path: path, format: format, store: session.store,
        wake: session.wake)
      self.export = export
      export.start()
    }
  }

  /// Shows what has become of the export, once it has ended.
  func takeExport() {
    guard let export, let outcome = export.outcome else { return }
    self.export = nil
    switch outcome {
    case .written(let rows, let gone, let bytes):
      let missing = gone > 0 ? ", \(groupedDigits(gone)) were gone" : ""
      let what = rows == 1 ? "1 row" : "\(groupedDigits(rows)) rows"
      let size = ValueText.bytes(bytes)
      session.message = .done(
        "Exported \(what)\(missing), \(export.columnsPhrase), \(size), to \(export.path)")
    case .cancelled: session.message = .done("Export cancelled: nothing was written")
    case .failed(let reason): session.message = .failed("Nothing was exported: \(reason)")
    }
  }

  /// The progress of the export; nil without one.
  var exportProgress: BusyLine? {
    guard let (completed, total) = export?.progress else { return nil }
    return BusyLine("Exporting", completed: completed, total: total)
  }
}

extension ListScreen {
  /// What is exported; nil if nothing was fetched.
  func exportRequest() -> Export.Request? {
    guard let ids = controller.results?.ids else { return nil }
    let form = session.services.decodesValues ? ValueForm.logical : .stored
    let (written, hiddenCount) = writtenColumns
    let columns = written.map(\.outputColumn)
    let changed = session.context.updatedObjects + session.context.insertedObjects
    var unsaved: [ObjectID: OutputRow] = [:]
    for object in changed where ids.index(of: object.objectID) != nil {
      unsaved[object.objectID] = ObjectText.row(of: object, columns: columns, form: form)
    }
    return Export.Request(
      ids: ids, columns: columns, unsaved: unsaved, form: form,
      columnsPhrase: Self.phrase(columns: columns.count, hidden: hiddenCount))
  }
}
