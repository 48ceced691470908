import Foundation
package import ObjectModel

/// A summary of one column comes from a service that groups: the number of objects of each value.
extension RESTStore: ColumnSummarizing {
  /// Has the service group the values of a column if it can, and not all objects are here; else
  /// summarizes the cache, which a program that prints and ends brings up to date for that.
  package func summaries(_ plan: SummaryPlan, control: FetchControl?) throws(StoreError)
    -> [ColumnSummary]?
  {
    if !options.updatesBehind || listing(of: plan.fetch.entityName).completed == nil {
      do throws(StoreError) {
        if let tally = try groups(plan, control), let column = plan.columns.first {
          return [ColumnSummary(tally, of: column.attribute)]
        }
      } catch {
        // Offline it is of what is here.
        guard options.updatesBehind, error.reason == .unreachable else { throw error }
      }
    }
    if !options.updatesBehind {
      let paths = plan.columns.map { KeyPathText.text($0.path) }
      try update(for: plan.fetch, paths: paths, control: control)
    }
    return try (cache as? any ColumnSummarizing)?.summaries(plan, control: control)
  }

  /// What the service counts of the only column; nil if it cannot.
  private func groups(_ plan: SummaryPlan, _ control: FetchControl?) throws(StoreError)
    -> ColumnTally?
  {
    guard plan.columns.count == 1, let column = plan.columns.first, column.path.count == 1,
      column.counted == .value, plan.fetch.limit == nil, plan.fetch.offset == 0,
      let entity = model.entity(named: plan.fetch.entityName)
    else { return nil }
    let name = column.attribute.name
    var (tally, urls) = (ColumnTally(), Set<URL>())
    var next = try withClient { client throws(StoreError) in
      try client.request(forGroupsOf: name, in: plan.fetch)
    }
    if next == nil { return nil }
    // One page after the other: a `PageReader` reads ahead, and would ask a service that does not
    // group for a second page of its objects.
    while let request = next {
      guard urls.insert(request.url).inserted, tally.rowCount <= options.objectLimit else {
        return nil
      }
      let answer: RESTAnswer
      do { answer = try self.answer(to: request, of: entity, control: control) } catch {
        throw error.storeError
      }
      // Many services do not group.
      guard answer.response.isSuccess else { return nil }
      let (groups, following) = try withClient { client throws(StoreError) in
        (client.groups(of: name, in: answer), client.nextPage(after: answer))
      }
      guard let groups else { return nil }
      for (value, count) in groups {
        guard let stored = try? column.attribute.encode(value) else { return nil }
        stored.withStoredField { tally.add($0, rowCount: count) }
      }
      next = following
    }
    return tally
  }
}
