extension TableState {
  /// Applies a batch update: cursor, selection and scroll position stay on their objects.
  ///
  /// - Complexity: O(*k* log *k* + sections + ranges of the selection) for *k* changes, whatever
  ///   the number of rows.
  mutating func apply(
    _ map: RowMap, to new: SectionOffsets, hasHeaders: Bool, hasFooters: Bool
  ) {
    let newCursor = cursor.flatMap { map.newRow(for: $0) ?? map.neighbor(of: $0) }
    reload(
      new, hasHeaders: hasHeaders, hasFooters: hasFooters, rowHeight: rowHeight,
      cursor: newCursor ?? 0, selection: map.newRows(for: selection))
  }
}
