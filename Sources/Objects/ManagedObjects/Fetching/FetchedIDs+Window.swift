import ObjectModel

extension FetchedIDs {
  /// The part of the results within the offset and the limit of a plan.
  func slice(for plan: FetchPlan) -> FetchedIDs {
    let range = plan.window(of: ids.count)
    guard range != ids.indices else { return self }
    var result = self
    result.ids.removeSubrange(range.upperBound...)
    result.ids.removeSubrange(..<range.lowerBound)
    var end = 0
    result.sections = sections.compactMap { section in
      end += section.count
      let part = (end - section.count..<end).clamped(to: range)
      return part.isEmpty ? nil : SectionRun(name: section.name, count: part.count)
    }
    return result
  }
}
