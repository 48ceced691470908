extension FetchedIDs {
  /// The results after edits; `isSectioned` says whether the plan has a section key.
  ///
  /// Adjacent sections with the same name become one.
  ///
  /// - Complexity: O(*n*) for the keys as moves of memory, and one pass over the sections.
  package func applying(_ edits: ListEdits, isSectioned: Bool) -> FetchedIDs {
    var result = FetchedIDs(ids: ids.applying(edits))
    guard isSectioned else { return result }
    let remaining = RemainingRows(removals: edits.removals, count: ids.count)
    var (end, kept, next) = (0, 0, 0)
    for section in sections {
      end += section.count
      let keptEnd = remaining.count(before: end)
      while next < edits.insertions.count, edits.insertions[next].gap < keptEnd {
        let insertion = edits.insertions[next]
        result.append(insertion.gap - kept, to: section.name)
        result.append(1, to: insertion.sectionName)
        kept = insertion.gap
        next += 1
      }
      result.append(keptEnd - kept, to: section.name)
      kept = keptEnd
    }
    for insertion in edits.insertions[next...] { result.append(1, to: insertion.sectionName) }
    return result
  }

  private mutating func append(_ count: Int, to name: String) {
    guard count > 0 else { return }
    if let last = sections.indices.last, sections[last].name == name {
      sections[last].count += count
    } else {
      sections.append(SectionRun(name: name, count: count))
    }
  }
}
