import ManagedObjects
import ObjectModel

extension LiveResults {
  /// Looks at what was touched, and changes the list where its rows came, went, moved or have new content.
  ///
  /// - Complexity: O(*k* log *n*) row reads and one pass over the keys for *k* touched objects. A refetch when they
  ///   are a large part of the list, when a limit must be refilled, or when the list is found to be out of date.
  func follow(_ touches: Touches, origin: ChangeOrigin) {
    guard let query, let old = list, !touches.isEmpty else { return }
    let isMany = touches.ids.count > max(min(old.count / 4, ResultsChange.rowLimit), 256)
    let isCut = query.plan.offset > 0 || query.plan.limit.map { old.count >= $0 } ?? false
    if touches.needsRefetch || touches.needsReload || isMany
      || (isCut && concerns(touches, old, query))
    {
      return refetch(touching: touches, origin: origin)
    }
    if isCut { return }
    do {
      let placed = try ListUpdate(touches, in: old, query, context, isOpenEnded: isPartial)
      if let limit = query.plan.limit, placed.new.count > limit {
        return refetch(touching: touches, origin: origin)
      }
      mostRecentError = nil
      flip(to: placed.new, placed.change, from: placed.old, origin: origin)
    } catch is TornSection {
      refetch(touching: touches, origin: origin)
    } catch {
      putOff(touches, origin, after: error)
    }
  }

  /// Keeps changes that could not be followed for the next one: the store may be readable then.
  private func putOff(_ touches: Touches, _ origin: ChangeOrigin, after error: any Error) {
    wait(touches, origin)
    fail(error)
  }

  /// Whether a limited list may change: an object is in it, or would be.
  private func concerns(_ touches: Touches, _ list: ResultsSections, _ query: LiveQuery) -> Bool {
    !touches.permanentIDs.isEmpty || !list.ids.indexes(of: touches.ids).isEmpty
      || touches.ids.contains { query.includes(context.object(with: $0)) }
  }

  /// Fetches the whole list anew, at once, and tells the difference.
  ///
  /// A list that has only its first rows stays so.
  func refetch(touching touches: Touches, origin: ChangeOrigin) {
    guard let query, let old = list else { return }
    do {
      let fetched = try fetch(query, limit: isPartial ? max(old.count, 1) : nil)
      let renamed = old.renaming(touches.permanentIDs)
      let change =
        touches.needsReload
        ? .reload : ResultsChange(from: renamed, to: fetched, updated: touches.ids)
      mostRecentError = nil
      flip(to: fetched, change, from: renamed, origin: origin)
    } catch {
      putOff(touches, origin, after: error)
    }
  }

  /// Fetches through the context.
  ///
  /// - Throws: ``FetchedResultsError`` when the order does not keep sections together; what the store throws.
  func fetch(_ query: LiveQuery, limit: Int? = nil) throws -> ResultsSections {
    var plan = query.plan
    if let limit { plan.limit = min(limit, plan.limit ?? .max) }
    return try checked(context.fetchIDs(plan), query)
  }

  /// Makes a list of an answer.
  func checked(_ fetched: FetchedIDs, _ query: LiveQuery) throws -> ResultsSections {
    let new = ResultsSections(fetched, isSectioned: query.plan.sectionKey != nil)
    if new.isSectioned, let torn = new.firstOutOfOrder {
      throw FetchedResultsError(
        .outOfOrderSection(name: torn.name, index: torn.place), entityName: query.plan.entityName)
    }
    return new
  }
}

extension ResultsSections {
  /// The list with permanent IDs in the places of temporary ones.
  func renaming(_ permanentIDs: [ObjectID: ObjectID]) -> ResultsSections {
    guard !permanentIDs.isEmpty else { return self }
    var renamed = self
    for (place, id) in ids.indexes(of: Set(permanentIDs.keys)) {
      if let permanent = permanentIDs[id] { renamed.ids[place] = permanent }
    }
    return renamed
  }
}
