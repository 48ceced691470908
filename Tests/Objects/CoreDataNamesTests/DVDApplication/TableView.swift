import Foundation
import Testing

/// Stands for a table view: it notes the updates, and checks at the end of each batch, as UIKit
/// does, that they lead from the rows before to those of its data source.
final class TableView {
  /// What was called, one call a line.
  private(set) var calls: [String] = []
  /// The rows of each section.
  private(set) var rows: [[String]] = []
  /// The data source.
  var source: () -> [[String]] = { [] }

  private var batch: Batch?

  private struct Batch {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var deleted: Set<IndexPath> = []
    var inserted: [IndexPath] = []
  }

  func reloadData() {
    rows = source()
    calls.append("reload")
  }

  func beginUpdates() {
    calls.append("begin")
    batch = Batch()
  }

  func insertSections(_ sections: IndexSet) {
    calls.append("insert section \(sections.map(\.self))")
    batch?.insertedSections += sections
  }

  func deleteSections(_ sections: IndexSet) {
    calls.append("delete section \(sections.map(\.self))")
    batch?.deletedSections += sections
  }

  func insertRows(at paths: [IndexPath]) {
    calls.append("insert \(paths)")
    batch?.inserted += paths
  }

  func deleteRows(at paths: [IndexPath]) {
    calls.append("delete \(paths)")
    batch?.deleted.formUnion(paths)
  }

  func moveRow(at path: IndexPath, to newPath: IndexPath) {
    calls.append("move \(path) \(newPath)")
    batch?.deleted.insert(path)
    batch?.inserted.append(newPath)
  }

  /// Sets the text of a visible row, whose index path is that before the updates.
  func setText(_ text: String, at path: IndexPath) {
    calls.append("set \(path) \(text)")
    rows[path[0]][path[1]] = text
  }

  func endUpdates() {
    calls.append("end")
    guard let batch else { return }
    self.batch = nil
    let new = source()
    rows = rows.indices.map { section in
      rows[section].indices.filter { !batch.deleted.contains([section, $0]) }
        .map { rows[section][$0] }
    }
    for section in batch.deletedSections.sorted(by: >) {
      #expect(rows[section].isEmpty)
      rows.remove(at: section)
    }
    for section in batch.insertedSections.sorted() { rows.insert([], at: section) }
    for path in batch.inserted.sorted() {
      rows[path[0]].insert(new[path[0]][path[1]], at: path[1])
    }
    #expect(rows == new, "\(calls.suffix(20))")
  }
}
