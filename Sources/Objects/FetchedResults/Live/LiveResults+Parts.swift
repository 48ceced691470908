import ManagedObjects
import ObjectModel

extension LiveResults {
  /// A part of the list that is being fetched.
  struct PartFetch {
    let part: ListPart
    let plan: FetchPlan
    let fetch: BackgroundFetch
  }

  /// How long a part is waited for before the caller goes on: most are there by then, and the
  /// person sees no other rows in between.
  private static let partPatience = 20

  /// Fetches another part of a list whose rows have not all been fetched, and shows it.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - count: How many rows to fetch.
  /// - Returns: Whether it is shown or being fetched; false if the list has all rows, those of an
  ///   earlier request, or a limit.
  /// - Throws: `FetchPredicateError` if the part's condition does not fit the entity.
  func show(_ part: ListPart, count: Int) throws -> Bool {
    cancelPart()
    guard isPartial, !isSuspended, !isNotifying, let query, let background,
      background.query.plan == query.plan,
      let plan = try part.plan(of: query.plan, count: count, in: context.model)
    else { return false }
    let fetch = BackgroundFetch(
      plan, firstScreen: nil, from: context.persistentStoreCoordinator.store,
      before: background.fetch, after: .zero, wake: wake ?? {})
    partFetch = PartFetch(part: part, plan: plan, fetch: fetch)
    fetch.wait(milliseconds: Self.partPatience)
    takePart()
    return true
  }

  /// Stops fetching a part; the rows are unchanged.
  func cancelPart() {
    partFetch?.fetch.control.cancel()
    partFetch = nil
  }

  /// Shows a part that has been fetched, with the changes of the context laid over it.
  ///
  /// A part without rows is not shown: the list that follows has the answer. An error is left to
  /// the fetch of all rows, which meets it too.
  ///
  /// - Returns: Whether one was shown.
  @discardableResult
  func takePart() -> Bool {
    guard let partFetch, let result = partFetch.fetch.takeResults().first else { return false }
    self.partFetch = nil
    guard isPartial, let query, background?.query.plan == query.plan,
      let new = try? list(
        result.fetched, by: partFetch.plan, of: query, part: partFetch.part), new.count > 0
    else { return false }
    show(new, of: query, part: partFetch.part, origin: .fetch)
    return true
  }
}
