/// Why a row is highlighted for a moment.
enum RowFlash: Hashable, Sendable {
  case inserted, updated, moved
}

/// A row that is seen to go: it is drawn once more, above the row that took its place.
struct GhostRow: Hashable, Sendable {
  /// The row that it is drawn above; the number of rows to stand below the last.
  var row: Int
  let cell: TableCell
}

/// What is highlighted for a moment after a batch.
///
/// Only what was on the screen is kept, so a batch of thousands costs no more than its visible part.
struct TableFlashes: Hashable, Sendable {
  /// How long a highlight stays, in milliseconds.
  static let duration = 700

  private(set) var rows: [Int: RowFlash] = [:]
  private(set) var ghosts: [GhostRow] = []
  /// When everything is as usual again; nil when it is.
  private(set) var deadline: Int?

  /// Takes the highlights along through a batch and adds those of the batch.
  mutating func follow(
    _ map: RowMap, new: [Int: RowFlash], gone: [GhostRow], now: Int
  ) {
    expire(now: now)
    var kept: [Int: RowFlash] = [:]
    for (row, flash) in rows {
      if let place = map.newRow(for: row) { kept[place] = flash }
    }
    rows = kept.merging(new) { $1 }
    ghosts =
      ghosts.compactMap { ghost in
        let place = map.newRow(for: ghost.row) ?? map.neighbor(of: ghost.row)
        return place.map { GhostRow(row: $0, cell: ghost.cell) }
      } + gone
    if !new.isEmpty || !gone.isEmpty { deadline = now + Self.duration }
  }

  /// Drops the highlights when their time is over.
  mutating func expire(now: Int) {
    if let deadline, now >= deadline { self = TableFlashes() }
  }
}
