extension TableView {
  /// The rows on the screen that go with a batch, as they were drawn last.
  func ghosts(of batch: TableBatch, map: RowMap, old: SectionOffsets) -> [GhostRow] {
    guard highlightsChanges, !isHidden else { return [] }
    return drawn.cells.keys.sorted().compactMap { row in
      guard map.newRow(for: row) == nil, let cell = drawn.cells[row] else { return nil }
      // The next row that is still there; below all others when none is.
      var next = row + 1
      while next < old.numberOfRows, next <= row + drawn.cells.count {
        if map.moves[next] == nil, let place = map.newRow(for: next) {
          return GhostRow(row: place, cell: cell)
        }
        next += 1
      }
      return map.neighbor(of: row).map { GhostRow(row: $0 + 1, cell: cell) }
    }
  }

  /// The highlights of a batch for the rows that are on the screen after it.
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
