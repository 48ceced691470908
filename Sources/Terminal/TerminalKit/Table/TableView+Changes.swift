extension TableView {
  /// Returns the rows on the screen that a batch deletes, as they were drawn last.
  func ghosts(of batch: TableBatch, map: RowMap, old: SectionOffsets) -> [GhostRow] {
    guard highlightsChanges, !isHidden else { return [] }
    return drawn.cells.keys.sorted().compactMap { row in
      guard map.newRow(for: row) == nil, let cell = drawn.cells[row] else { return nil }
      // Draw it above the next row that remains, or below the nearest row before it.
      var next = row + 1
      while next < old.numberOfRows, next <= row + drawn.cells.count {
        if map.moves[next] == nil, let newRow = map.newRow(for: next) {
          return GhostRow(row: newRow, cell: cell)
        }
        next += 1
      }
      return map.neighbor(of: row).map { GhostRow(row: $0 + 1, cell: cell) }
    }
  }

  /// Returns the highlights for the rows of a batch that are visible after it.
  func visibleFlashes(of batch: TableBatch) -> [Int: RowFlash] {
    var result: [Int: RowFlash] = [:]
    func add(_ path: TablePath, _ flash: RowFlash) {
      if let row = state.offsets.row(at: path), state.isVisible(row) { result[row] = flash }
    }
    for update in batch.updates { add(update.to, .updated) }
    for move in batch.moves { add(move.to, .moved) }
    for path in batch.insertedRows { add(path, .inserted) }
    return result
  }
}
