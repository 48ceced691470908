extension GroupedFetchPlan {
  /// Makes the results of groups: decodes, orders and selects their values, and removes what is
  /// outside of limit and offset.
  ///
  /// It is done here for every store, because a group has few values and there are few groups.
  ///
  /// - Parameter groups: The stored values of the groups that meet the condition.
  /// - Returns: The decoded values of the selected columns.
  package func results(of groups: [[Value]]) -> [[Value]] {
    let rows = sorted(groups).map { group in
      selected.map { columns[$0].output.decode(group[$0]) }
    }
    guard isDistinct else { return Array(rows[fetch.window(of: rows.count)]) }
    var seen: Set<[Value]> = []
    let distinct = rows.filter { seen.insert($0).inserted }
    return Array(distinct[fetch.window(of: distinct.count)])
  }

  private func sorted(_ groups: [[Value]]) -> [[Value]] {
    let keyed = groups.map { group in
      (
        group: group,
        keys: order.map { part in
          let output = columns[part.column].output
          return part.descriptor.sortValue(output.decode(group[part.column]), of: output)
        }
      )
    }
    return keyed.sorted { a, b in
      for (index, part) in order.enumerated() {
        let order = part.descriptor.compare(a.keys[index], b.keys[index])
        if order != 0 { return order < 0 }
      }
      for index in 0..<groupCount {
        let output = columns[index].output
        if output.isGroupValue(a.group[index], before: b.group[index]) { return true }
        if output.isGroupValue(b.group[index], before: a.group[index]) { return false }
      }
      return false
    }.map(\.group)
  }
}
