/// The change for which a row is highlighted briefly.
enum RowFlash: Hashable, Sendable {
  case inserted, updated, moved
}

/// A deleted row that stays on the screen for the duration of the highlight.
struct GhostRow: Hashable, Sendable {
  /// The row it is drawn above; the number of rows to draw it below the last.
  var row: Int
  let cell: TableCell
}

/// The highlights of the rows that changed recently.
///
/// Only rows on the screen are kept, so the cost does not depend on the size of the update.
struct TableFlashes: Hashable, Sendable {
  /// The duration of a highlight in milliseconds.
  static let duration = 700

  private(set) var rows: [Int: RowFlash] = [:]
  private(set) var ghosts: [GhostRow] = []
  /// The time in milliseconds at which all highlights end; nil if there are none.
  private(set) var deadline: Int?

  /// Renumbers the existing highlights after a batch update and adds the update's own, by new row
  /// number, and the deleted rows that were on the screen; times are in milliseconds.
  mutating func update(
    _ map: RowMap, new: [Int: RowFlash], gone: [GhostRow], now: Int
  ) {
    expire(now: now)
    var kept: [Int: RowFlash] = [:]
    for (row, flash) in rows {
      if let newRow = map.newRow(for: row) { kept[newRow] = flash }
    }
    rows = kept.merging(new) { $1 }
    // One of the inserted rows may be a deleted one that has come back: it is not drawn twice.
    ghosts =
      (new.values.contains(.inserted) ? [] : ghosts).compactMap { ghost in
        let newRow = map.newRow(for: ghost.row) ?? map.neighbor(of: ghost.row)
        return newRow.map { GhostRow(row: $0, cell: ghost.cell) }
      } + gone
    if !new.isEmpty || !gone.isEmpty { deadline = now + Self.duration }
  }

  /// Removes the highlights if their time is up.
  mutating func expire(now: Int) {
    if let deadline, now >= deadline { self = TableFlashes() }
  }
}
