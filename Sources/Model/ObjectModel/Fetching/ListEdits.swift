/// Rows to remove from a list and objects to insert into it.
package struct ListEdits {
  /// An object to insert.
  package struct Insertion {
    /// Before which of the remaining rows it goes; their number for the end.
    package var gap: Int
    package var id: ObjectID
    /// The section it belongs to; "" in a list without sections.
    package var sectionName: String

    package init(gap: Int, id: ObjectID, sectionName: String) {
      self.gap = gap
      self.id = id
      self.sectionName = sectionName
    }
  }

  /// Indexes in the old list, ascending.
  package var removals: [Int]
  /// In their order in the new list; gaps ascending.
  package var insertions: [Insertion]

  package init(removals: [Int], insertions: [Insertion]) {
    self.removals = removals
    self.insertions = insertions
  }
}

/// The rows of a list that remain when some are removed.
package struct RemainingRows {
  /// The indexes of the removed rows, ascending.
  package let removals: [Int]
  /// How many rows remain.
  package let count: Int

  /// - Parameters:
  ///   - removals: The indexes of the removed rows, ascending.
  ///   - count: How many rows the list has with them.
  package init(removals: [Int], count: Int) {
    self.removals = removals
    self.count = count - removals.count
  }

  /// The index in the old list of a row, by its index among the remaining ones.
  ///
  /// - Complexity: O(log of the removals).
  package func oldIndex(at index: Int) -> Int {
    index + removals.indices.partitioningIndex { removals[$0] - $0 > index }
  }

  /// How many of the remaining rows come before an index of the old list.
  ///
  /// - Complexity: O(log of the removals).
  package func count(before oldIndex: Int) -> Int {
    oldIndex - removals.partitioningIndex { $0 >= oldIndex }
  }
}
