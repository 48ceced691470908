import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// Starts typing what to look for; the rows stay.
  func startFind() {
    openBar(
      FilterBar(
        nil, for: .find, entity: entity, model: session.model, wordAttributes: wordKeyPaths,
        history: session.findHistory))
  }

  /// Looks for what was typed, from the cursor on.
  func find(_ typed: TypedPredicate) {
    finder?.cancel()
    finder = nil
    guard let request = provider.displayedRequest else { return }
    do {
      finder = try RowFinder(typed, in: request, context: session.context, wake: session.wake)
      goToMatch(1)
    } catch {
      session.report(error)
    }
  }

  /// Goes to a match after the cursor, or before it if the count is negative, once it is found.
  func goToMatch(_ count: Int) {
    guard let finder = finder ?? finderOfHistory() else {
      session.message = .failed("Nothing was looked for yet — f finds")
      return
    }
    self.finder = finder
    guard finder.isComplete, !isPartial, let list = controller.results, let row = table.cursorRow
    else {
      awaitedMatch = count
      return
    }
    awaitedMatch = nil
    guard let match = finder.match(from: row, count: count, in: list) else {
      heldKeys = []
      session.message = .failed("No row matches “\(finder.typed.text)”")
      return
    }
    cursorBeforeJump = cursor
    cursorToRestore = nil
    hasMovedCursor = true
    table.move(.row(match.row + 1))
    let wrapped =
      match.isWrapped ? (count > 0 ? ", from the top again" : ", from the end again") : ""
    session.message = .done(
      "match \(groupedDigits(match.number)) of \(groupedDigits(match.count))\(wrapped)")
    markMatchingColumn(of: list.ids[match.row])
  }

  /// Looks for what was looked for last, on whatever screen; nil for nothing.
  private func finderOfHistory() -> RowFinder? {
    guard let text = session.findHistory.last, let request = provider.displayedRequest,
      let typed = try? TypedPredicate(
        text, as: .words, for: entity, in: session.model, wordAttributes: wordKeyPaths)
    else { return nil }
    return try? RowFinder(typed, in: request, context: session.context, wake: session.wake)
  }

  /// Takes what was found in the background.
  func takeMatches() {
    finder?.takeResults()
    if let awaitedMatch, finder?.isComplete == true, !isPartial { goToMatch(awaitedMatch) }
  }

  /// Stops looking.
  func cancelFind() {
    finder?.cancel()
    finder = nil
    awaitedMatch = nil
    heldKeys = []
    session.message = .done("Cancelled")
  }

  /// Whether matches are being looked for.
  var isFinding: Bool { awaitedMatch != nil && finder?.progress != nil }

  /// The words that are highlighted in the rows.
  var highlighted: [TextPattern] {
    let typed = filterBar?.purpose == .filter ? nil : finder?.typed
    guard let shown = typed ?? provider.displayedRequest?.filter, shown.form == .words else {
      return []
    }
    return FetchPredicate.words(of: shown.text).compactMap { TextPattern($0) }
  }

  /// Marks the first column in which an object has a match.
  private func markMatchingColumn(of id: ObjectID) {
    let patterns = highlighted
    let object = session.context.object(with: id)
    let match = tableColumns.first { column in
      let field = field(of: object, in: column)
      return patterns.contains { $0.matches(field.text) }
    }
    if let match { markedColumnName = match.name }
  }
}
