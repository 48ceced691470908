import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Starts typing what to look for; the rows stay.
  func startFind() {
    filterTyping = FilterTyping(.find, typedReader, history: session.findHistory)
  }

  /// Looks for what was typed, from the cursor on.
  func find(_ typed: TypedPredicate) {
    finder?.cancel()
    finder = newFinder(of: typed)
    if finder != nil { goToMatch(1) }
  }

  /// Goes to a match after the cursor, or before it if the count is negative, once it is found.
  func goToMatch(_ count: Int) {
    guard let typed = finder?.typed ?? lastTyped() else {
      return fail("Nothing was looked for yet — f finds")
    }
    finder?.uncounted = nil
    guard !willShowOtherRows, let list = controller.results, let row = table.cursorRow else {
      finder = finder ?? newFinder(of: typed)
      finder?.awaitedCount = count
      return
    }
    if let displayed = provider.displayedRequest, finder?.looks(in: displayed) != true {
      finder?.cancel()
      finder = newFinder(of: typed)
    }
    guard let finder else { return }
    guard finder.isComplete else {
      if finder.awaitedCount == nil, goToNearMatch(count, from: row, in: list) { return }
      finder.awaitedCount = count
      return
    }
    finder.awaitedCount = nil
    guard let match = finder.match(from: row, count: count, in: list) else {
      app?.heldKeys = []
      return fail("No row matches “\(finder.typed.text)”")
    }
    go(toMatch: match.row, in: list)
    let wrapped =
      match.isWrapped ? (count > 0 ? ", from the top again" : ", from the end again") : ""
    announce(match, wrapped)
  }

  private func go(toMatch row: Int, in list: ResultsSections) {
    cursorBeforeJump = cursor
    cursorToRestore = nil
    hasMovedCursor = true
    table.move(.row(row + 1))
    markMatchingColumn(of: list.ids[row])
  }

  private func announce(_ match: RowFinder.Match, _ addition: String = "") {
    show(
      "match \(groupedDigits(match.number)) of \(groupedDigits(match.count))\(addition)")
  }

  private static let uncounted = Message.done("match; all are being counted…")

  /// Goes to the next match, or the one before, while the others are being looked for.
  ///
  /// - Returns: Whether it is near.
  private func goToNearMatch(_ count: Int, from row: Int, in list: ResultsSections) -> Bool {
    guard abs(count) == 1, let finder else { return false }
    do {
      guard let match = try finder.nearMatch(to: row, isAfter: count > 0, in: list) else {
        return false
      }
      go(toMatch: match, in: list)
      finder.uncounted = list.ids[match]
      session.message = Self.uncounted
      return true
    } catch {
      session.report(error)
      return false
    }
  }

  /// Says which match the cursor is on, now that all are found.
  private func announceUncountedMatch() {
    guard let finder, let id = finder.uncounted, finder.isComplete, let list = controller.results
    else { return }
    finder.uncounted = nil
    guard session.message == Self.uncounted else { return }
    // The cursor may have moved, and its row too.
    guard let row = table.cursorRow, list.ids[row] == id,
      let match = finder.match(from: row - 1, count: 1, in: list), match.row == row
    else { return session.message = nil }
    announce(match)
  }

  /// What was looked for last, on whatever screen; nil for nothing.
  private func lastTyped() -> TypedPredicate? {
    session.findHistory.last.flatMap {
      try? TypedPredicate(
        $0, as: .words, for: entity, in: session.model, wordAttributes: wordKeyPaths)
    }
  }

  /// Starts looking in the rows that are displayed.
  private func newFinder(of typed: TypedPredicate) -> RowFinder? {
    guard let request = provider.displayedRequest else { return nil }
    do {
      return try RowFinder(typed, in: request, context: session.context, wake: session.wake)
    } catch {
      session.report(error)
      return nil
    }
  }

  /// Whether other rows than the displayed ones have been asked for: those will be looked at.
  private var willShowOtherRows: Bool { fetching.isPartial || provider.showsEarlierRequest }

  /// Goes on with what waits for matches, or for the rows in which they are looked for.
  func followMatches() {
    announceUncountedMatch()
    guard let finder, let count = finder.awaitedCount, !willShowOtherRows else { return }
    let isOfDisplayed = provider.displayedRequest.map(finder.looks) ?? true
    guard finder.isComplete || !isOfDisplayed else { return }
    finder.awaitedCount = nil
    goToMatch(count)
  }

  /// The words that are highlighted in the rows.
  var highlighted: [TextPattern] {
    guard let shown = soughtInRows, shown.form == .words else { return [] }
    return FetchPredicate.words(of: shown.text).compactMap { TextPattern($0) }
  }

  /// Marks the first column in which an object has a match.
  private func markMatchingColumn(of id: ObjectID) {
    columns.found.follow(soughtInRows, in: entity)
    if findInHiddenColumns([id]) { updateColumns() }
    let patterns = highlighted
    let object = session.context.object(with: id)
    let match = columns.shown.first { column in
      let field = field(of: object, in: column)
      return patterns.contains { $0.matches(field.text) }
    }
    if let match { columns.markedName = match.name }
  }
}
