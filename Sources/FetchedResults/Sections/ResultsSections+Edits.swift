import ManagedObjects
import ObjectModel

/// An edit that would split a section in two.
///
/// The list is outdated then, or its order does not keep sections together.
struct SplitSection: Error {
  var name: String
  var index: Int
}

extension ResultsSections {
  /// A list after edits, and the changes of its sections.
  struct Edited {
    var list: ResultsSections
    /// Deleted sections, as indexes in the old list.
    var deletedSections: [Int] = []
    /// Inserted sections, as indexes in the new list.
    var insertedSections: [Int] = []
    /// For each inserted object, the old section it joined; nil for a new one.
    var joined: [Int?] = []
  }

  /// Where an inserted object goes: into an old section, or into a new one before it.
  private struct Target: Comparable {
    var section: Int
    var isNew: Bool
    static func < (lhs: Target, rhs: Target) -> Bool {
      lhs.section == rhs.section ? lhs.isNew && !rhs.isNew : lhs.section < rhs.section
    }
  }

  /// Removes and inserts rows.
  ///
  /// - Complexity: O(*k* log of the sections) and one move of the keys; O(sections) more if a
  ///   section is inserted or deleted.
  /// - Throws: ``SplitSection`` if an object does not belong between its neighbours.
  func applying(_ edits: ListEdits) throws(SplitSection) -> Edited {
    var edited = Edited(list: self)
    edited.list.ids = ids.applying(edits)
    guard isSectioned else {
      edited.list.counts = RunningCounts([edited.list.ids.count])
      edited.joined = edits.insertions.map { _ in 0 }
      return edited
    }

    for index in edits.removals {
      edited.list.counts.add(-1, at: counts.run(holding: index).index)
    }
    let remaining = RemainingRows(removals: edits.removals, count: count)
    var newSections: [(name: String, before: Int, count: Int)] = []
    var last = Target(section: 0, isNew: true)
    for (index, insertion) in edits.insertions.enumerated() {
      let target = target(of: insertion, in: remaining, counts: edited.list.counts)
      guard let target, last <= target else {
        throw SplitSection(name: insertion.sectionName, index: insertion.gap + index)
      }
      last = target
      edited.joined.append(target.isNew ? nil : target.section)
      if !target.isNew {
        edited.list.counts.add(1, at: target.section)
      } else if let end = newSections.indices.last, newSections[end].before == target.section,
        newSections[end].name == insertion.sectionName
      {
        newSections[end].count += 1
      } else {
        let isTaken =
          names.contains(insertion.sectionName)
          || newSections.contains { $0.name == insertion.sectionName }
        if isTaken { throw SplitSection(name: insertion.sectionName, index: insertion.gap + index) }
        newSections.append((insertion.sectionName, target.section, 1))
      }
    }
    edited.finishSections(
      adding: newSections, touching: Set(edits.removals.map { counts.run(holding: $0).index }))
    return edited
  }

  private func target(
    of insertion: ListEdits.Insertion, in remaining: RemainingRows, counts left: RunningCounts
  ) -> Target? {
    let before =
      insertion.gap > 0
      ? counts.run(holding: remaining.oldIndex(at: insertion.gap - 1)).index : -1
    let after =
      insertion.gap < remaining.count
      ? counts.run(holding: remaining.oldIndex(at: insertion.gap)).index : names.count
    if before >= 0, names[before] == insertion.sectionName {
      return Target(section: before, isNew: false)
    }
    if after < names.count, names[after] == insertion.sectionName {
      return Target(section: after, isNew: false)
    }
    if before == after { return nil }
    // A section that these edits have emptied can still be joined.
    if let emptied = (before + 1..<after).first(where: { names[$0] == insertion.sectionName }) {
      return Target(section: emptied, isNew: false)
    }
    return Target(section: after, isNew: true)
  }
}

extension ResultsSections.Edited {
  fileprivate mutating func finishSections(
    adding new: [(name: String, before: Int, count: Int)], touching old: Set<Int>
  ) {
    deletedSections = old.filter { list.counts.counts[$0] == 0 }.sorted()
    guard !new.isEmpty || !deletedSections.isEmpty else { return }
    var names: [String] = []
    var counts: [Int] = []
    names.reserveCapacity(list.names.count + new.count)
    counts.reserveCapacity(list.names.count + new.count)
    var nextNew = 0
    for section in 0...list.names.count {
      while nextNew < new.count, new[nextNew].before == section {
        insertedSections.append(names.count)
        names.append(new[nextNew].name)
        counts.append(new[nextNew].count)
        nextNew += 1
      }
      if section < list.names.count, list.counts.counts[section] > 0 {
        names.append(list.names[section])
        counts.append(list.counts.counts[section])
      }
    }
    list.names = names
    list.counts = RunningCounts(counts)
  }
}
