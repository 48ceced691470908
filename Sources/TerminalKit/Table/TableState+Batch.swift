extension TableState {
  /// Follows a batch: cursor, selection and scroll position stay with their objects.
  ///
  /// - Complexity: O(*k* log *k* + sections + ranges of the selection) for *k* changes, whatever the
  ///   number of rows.
  mutating func follow(
    _ map: RowMap, to new: SectionOffsets, hasHeaders: Bool, hasFooters: Bool
  ) {
    let place = cursor.flatMap { map.newRow(for: $0) ?? map.neighbor(of: $0) }
    reload(
      new, hasHeaders: hasHeaders, hasFooters: hasFooters, rowHeight: rowHeight,
      cursor: place ?? 0, selection: map.newRows(for: selection))
  }
}
