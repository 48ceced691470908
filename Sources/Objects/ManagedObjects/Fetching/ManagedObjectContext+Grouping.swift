import ObjectModel

extension ManagedObjectContext {
  /// Fetches groups: by one statement with GROUP BY and HAVING where the store can, else from the
  /// objects in memory, with the same results.
  func fetchGroups(_ plan: GroupedFetchPlan) throws -> [[Value]] {
    if let store = store as? any GroupFetching, try !changesResults(of: plan) {
      let groups = try reading("grouping \(plan.fetch.entityName)") { _ throws(StoreError) in
        try store.fetchGroups(plan)
      }
      if let groups { return plan.results(of: groups) }
    }
    var all = plan.fetch
    (all.limit, all.offset) = (nil, 0)
    var groups = GroupAccumulator(plan)
    let sources = plan.columns.map(\.source)
    let related = Set(sources.compactMap { $0.map { Array($0.path.dropLast()) } })
      .filter { !$0.isEmpty }.map { KeyPathText.text($0) }.sorted()
    for part in try fetchIDs(all).ids.chunks(of: Self.chunk).lazy.map(Array.init) {
      try prefetch(relationships: related, of: part)
      for id in part {
        groups.add(
          try sources.map { source in
            guard let source else { return .null }
            return source.isRelationship
              ? destinationURI(at: source.path, of: id)
              : try wholeStoredValue(at: source.path, of: id)
          })
      }
    }
    return plan.results(of: try groups.rows())
  }

  /// Whether unsaved changes can alter the groups.
  private func changesResults(of plan: GroupedFetchPlan) throws -> Bool {
    guard hasChanges else { return false }
    var read = plan.fetch
    read.sortDescriptors = plan.columns.compactMap(\.source).map {
      FetchSortDescriptor(KeyPathText.text($0.path))
    }
    return try !Dependencies(read, in: self).affectedByUnsavedChanges(of: self).isEmpty
  }
}
