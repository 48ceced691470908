import TerminalKit
import TestSupport

/// Two random states of a sectioned list, and the batch that leads from one to the other.
///
/// The states are plain arrays of object numbers, one array for each section.
struct RandomBatch {
  let old: [[Int]]
  let new: [[Int]]
  let batch: TableBatch
  /// The objects that were neither deleted nor moved.
  let stayed: Set<Int>

  init(from old: [[Int]], firstNewID: Int, using generator: inout SeededGenerator) {
    self.old = old
    var batch = TableBatch()
    var moved: Set<Int> = []
    var stayed: Set<Int> = []
    let listsRowsOfSections = Bool.random(using: &generator)
    var sections: [(ids: [Int], isNew: Bool)] = []
    let moveShare = Int.random(in: 0...4, using: &generator)
    for (section, ids) in old.enumerated() {
      let isGone = Int.random(in: 0..<6, using: &generator) == 0
      if isGone { batch.deletedSections.append(section) }
      var kept: [Int] = []
      for (row, id) in ids.enumerated() {
        let path = TablePath(section: section, row: row)
        let chance = Int.random(in: 0..<12, using: &generator)
        if chance < moveShare {
          moved.insert(id)
        } else if isGone || chance > 9 {
          if !isGone || listsRowsOfSections { batch.deletedRows.append(path) }
        } else {
          kept.append(id)
          stayed.insert(id)
        }
      }
      if !isGone { sections.append((kept, false)) }
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      sections.insert(([], true), at: .random(in: 0...sections.count, using: &generator))
    }
    if sections.isEmpty { sections = [([], true)] }
    var came: Set<Int> = []
    for id in moved.sorted()
      + (0..<Int.random(in: 0...5, using: &generator)).map({ firstNewID + $0 })
    {
      if !moved.contains(id) { came.insert(id) }
      let section = Int.random(in: 0..<sections.count, using: &generator)
      let row = Int.random(in: 0...sections[section].ids.count, using: &generator)
      sections[section].ids.insert(id, at: row)
    }
    new = sections.map(\.ids)
    batch.insertedSections = sections.indices.filter { sections[$0].isNew }
    var oldPaths: [Int: TablePath] = [:]
    for (section, ids) in old.enumerated() {
      for (row, id) in ids.enumerated() { oldPaths[id] = TablePath(section: section, row: row) }
    }
    for (section, ids) in new.enumerated() {
      for (row, id) in ids.enumerated() {
        let path = TablePath(section: section, row: row)
        if came.contains(id) {
          if !sections[section].isNew || listsRowsOfSections { batch.insertedRows.append(path) }
        } else if let from = oldPaths[id] {
          if moved.contains(id) {
            batch.moves.append(TableBatch.Move(from: from, to: path))
          } else if Int.random(in: 0..<8, using: &generator) == 0 {
            batch.updates.append(TableBatch.Move(from: from, to: path))
          }
        }
      }
    }
    // The order within the arrays must not matter.
    batch.deletedRows.shuffle(using: &generator)
    batch.insertedRows.shuffle(using: &generator)
    batch.moves.shuffle(using: &generator)
    self.batch = batch
    self.stayed = stayed
  }
}
