package import FetchedResults
import ListProviders
package import ManagedObjects
package import ObjectModel
package import TerminalKit

/// The rows of a list that match what is looked for; the store finds them in the background.
///
/// It follows changes as the list does, because it is a list of its own: the matches only.
@MainActor
package final class RowFinder: BackgroundWork {
  /// What is looked for.
  package let typed: TypedPredicate
  /// The request of the rows that are looked at.
  private let displayed: ListRequest
  /// The request of those that match.
  private let request: ListRequest
  private let controller: FetchedResultsController<ManagedObject>
  /// How many matches to go once all are found; nil for none.
  var awaitedCount: Int?
  /// A match that was gone to before all were found.
  var uncounted: ObjectID?
  /// The rows of the list that match, in order; nil until they are needed again.
  private var rows: [Int]?

  /// Starts looking for the rows of a displayed request that match.
  ///
  /// - Throws: An error of the request.
  init(
    _ typed: TypedPredicate, in request: ListRequest, context: ManagedObjectContext,
    wake: @escaping @Sendable () -> Void
  ) throws {
    self.typed = typed
    var matches = request
    let conditions = [request.fetchRequest.predicate, request.filter?.predicate.predicate]
      .compactMap(\.self)
    matches.fetchRequest.predicate = conditions.isEmpty ? nil : .all(conditions)
    matches.filter = typed
    // The same order, without sections.
    matches.fetchRequest.sortDescriptors = request.sortDescriptors
    matches.sectionKey = nil
    matches.extent = .whole
    displayed = request
    self.request = matches
    controller = FetchedResultsController(matches, context: context)
    try controller.performFetchInBackground(wake: wake)
    controller.delegate = self
  }

  /// Whether it looks at the rows of a request.
  func looks(in displayed: ListRequest) -> Bool { self.displayed == displayed }

  package var isRunning: Bool { controller.fetchProgress != nil }

  /// The progress of the search while a match is waited for.
  package var busyLine: BusyLine? {
    guard awaitedCount != nil, let progress = controller.fetchProgress else { return nil }
    return BusyLine(
      "Finding “\(typed.text)”", completed: progress.completed, of: progress.total)
  }

  /// Whether all matches are found.
  var isComplete: Bool { controller.fetchState == .complete }

  package func takeResults() {
    if controller.takeBackgroundResults() { rows = nil }
  }

  package func cancel() { controller.cancelFetch() }

  /// Must be called when the list has changed.
  func listChanged() { rows = nil }

  /// A match, and where it is among all of them.
  struct Match {
    let row: Int
    /// The number of the match, from 1.
    let number: Int
    let count: Int
    /// Whether it was reached past the end or the beginning of the list.
    let isWrapped: Bool
  }

  /// The match that is some matches after a row, or before it, wrapping around; nil if there is none.
  ///
  /// - Parameters:
  ///   - row: The row of the list to begin at.
  ///   - count: How many matches to go: positive for after, negative for before.
  ///   - list: The list.
  /// - Returns: The match.
  /// - Complexity: O(*n*) the first time after a change of the list, then O(log *matches*).
  func match(from row: Int, count: Int, in list: ResultsSections) -> Match? {
    let rows = self.rows ?? rows(in: list)
    self.rows = rows
    guard !rows.isEmpty, count != 0 else { return nil }
    let after = rows.partitioningIndex { $0 > row }
    let before = rows.partitioningIndex { $0 >= row }
    let target = count > 0 ? after + count - 1 : before + count
    let index = ((target % rows.count) + rows.count) % rows.count
    return Match(
      row: rows[index], number: index + 1, count: rows.count,
      isWrapped: !rows.indices.contains(target))
  }

  /// The number of a match among all of them, from 1, and how many there are; nil while they are being
  /// looked for.
  func number(of id: ObjectID) -> (number: Int, count: Int)? {
    guard isComplete, let ids = controller.results?.ids, let index = ids.index(of: id) else {
      return nil
    }
    return (index + 1, ids.count)
  }

  /// The match next to a row, if it is near: it need not wait until all are found.
  ///
  /// - Parameters:
  ///   - row: The row of the list to begin at.
  ///   - isAfter: Whether it is the next match; the one before if false.
  ///   - list: The list.
  /// - Returns: The row of the match; nil if none of the rows that are looked at matches.
  /// - Throws: An error of the store.
  func nearMatch(to row: Int, isAfter: Bool, in list: ResultsSections) throws -> Int? {
    let rows =
      isAfter
      ? row + 1..<min(row + 1 + Self.reach, list.ids.count) : max(row - Self.reach, 0)..<row
    guard !rows.isEmpty else { return nil }
    var near = request
    let among = FetchPredicate(
      .comparison(.init(.selfObject, .in, .list(list.ids[rows].map { .object($0) }))))
    near.fetchRequest.predicate = .all([near.fetchRequest.predicate, among].compactMap(\.self))
    near.fetchRequest.sortDescriptors = []
    near.fetchRequest.fetchLimit = rows.count
    let context = controller.managedObjectContext
    let found = Set(try context.fetchIDs(near.plan(in: context.model)).ids)
    let isMatch = { found.contains(list.ids[$0]) }
    return isAfter ? rows.first(where: isMatch) : rows.last(where: isMatch)
  }

  /// How many rows are looked at for a near match.
  private static let reach = 1_000

  private func rows(in list: ResultsSections) -> [Int] {
    guard let matches = controller.results?.ids else { return [] }
    return list.ids.indexes(of: Set(matches)).map(\.index).sorted()
  }
}

extension RowFinder: @MainActor FetchedResultsControllerDelegate {
  package func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChangeContent change: ResultsChange
  ) { rows = nil }
}
