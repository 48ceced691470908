import ManagedObjects
import ObjectModel

extension ResultsController {
  /// A part of the list that is being fetched.
  struct PartFetch {
    let part: ListPart
    let plan: FetchPlan
    let fetch: BackgroundFetch
  }

  /// How long a part is waited for before the caller goes on: most are there by then, and the
  /// person sees no other rows in between.
  static let partPatience = 20

  /// Shows another part of a list whose rows have not all been fetched, until they are; or of a
  /// windowed list.
  ///
  /// It is fetched in the background, by a query of its own: it is shown at once if that takes no
  /// longer than a person notices, else by ``takeBackgroundResults()``.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - count: How many rows to fetch.
  /// - Returns: Whether the part is shown or being fetched; false if the list has all rows, a limit,
  ///   or the rows of an earlier request, or if no fetch is under way.
  /// - Throws: `FetchPredicateError` if the part's condition does not fit the entity.
  package func show(_ part: ListPart, count: Int) throws -> Bool {
    cancelPart()
    if window != nil { return try showWindow(part, count: count) }
    guard self.part != nil, !isSuspended, !isNotifying, let query, let background,
      background.query.plan == query.plan,
      let plan = try part.plan(of: query.plan, count: count, in: managedObjectContext.model)
    else { return false }
    let fetch = BackgroundFetch(
      plan, firstScreen: nil, from: managedObjectContext.persistentStoreCoordinator.store,
      before: background.fetch, after: .zero, wake: wake ?? {})
    partFetch = PartFetch(part: part, plan: plan, fetch: fetch)
    fetch.wait(milliseconds: Self.partPatience)
    takePart()
    return true
  }

  /// Stops fetching a part; the rows stay.
  package func cancelPart() {
    partFetch?.fetch.control.cancel()
    partFetch = nil
    windowRead?.read.control.cancel()
    windowRead = nil
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
    guard part != nil, let query, background?.query.plan == query.plan,
      let new = try? list(
        result.fetched, by: partFetch.plan, of: query, open: partFetch.part.open), new.count > 0
    else { return false }
    show(new, of: query, part: partFetch.part, origin: .fetch)
    return true
  }
}
