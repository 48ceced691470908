import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// Starts typing what to look for; the rows stay.
  package func startFind() {
    guard let reader else { return }
    filterTyping = FilterTyping(.find, reader, history: application?.findHistory ?? [])
  }

  /// The text that `f` looked for last, or else that the list is filtered by; nil for none.
  public var searchedText: String? {
    (finder?.typed ?? controller.displayedRequest?.filter)?.text
  }

  /// Looks for what was typed, from the cursor on.
  func find(_ typed: TypedPredicate) {
    finder?.cancel()
    finder = newFinder(of: typed)
    if finder != nil { goToMatch(1) }
  }

  /// Goes to a match after the cursor, or before it if the count is negative, once it is found.
  package func goToMatch(_ count: Int) {
    guard let typed = finder?.typed ?? lastTyped() else {
      return fail("Nothing was looked for yet" + advice(("f", "finds")))
    }
    finder?.uncounted = nil
    guard !willShowOtherRows, let list = results, let row = tableView.cursorRow else {
      finder = finder ?? newFinder(of: typed)
      finder?.awaitedCount = count
      return
    }
    if let displayed = controller.displayedRequest, finder?.looks(in: displayed) != true {
      finder?.cancel()
      finder = newFinder(of: typed)
    }
    guard let finder else { return }
    if controller.isWindowed { return goToWindowedMatch(count, from: row, in: list, finder) }
    guard finder.isComplete else {
      if finder.awaitedCount == nil, goToNearMatch(count, from: row, in: list) { return }
      finder.awaitedCount = count
      return
    }
    finder.awaitedCount = nil
    guard let match = finder.match(from: row, count: count, in: list) else {
      application?.heldKeys = []
      return fail("No row matches “\(finder.typed.text)”")
    }
    go(toMatch: match.row, in: list)
    let wrapped =
      match.isWrapped ? (count > 0 ? ", from the top again" : ", from the end again") : ""
    announce(match, wrapped)
  }

  /// Goes to a match of a windowed list: a near one, or one that is looked up.
  private func goToWindowedMatch(
    _ count: Int, from row: Int, in list: ResultsSections, _ finder: RowFinder
  ) {
    finder.awaitedCount = nil
    if goToNearMatch(count, from: row, in: list) { return announceUncountedMatch() }
    guard count != 0, let id = cursorID, !id.isTemporary else { return }
    let before = cursor
    fetching.whenShown(.match(finder.typed.predicate.predicate, beside: id, by: count)) {
      [weak self] in
      guard let self, let list = results, let row = controller.targetRow else { return }
      let isWrapped = controller.isTargetWrapped
      go(toMatch: row, in: list)
      tableView.move(.cursorToMiddle)
      cursorBeforeJump = before
      finder.uncounted = list.ids[row]
      wrapped = isWrapped ? (count > 0 ? ", from the top again" : ", from the end again") : ""
      application?.message = Self.uncounted
      announceUncountedMatch()
    } missing: { [weak self] in
      self?.application?.heldKeys = []
      self?.fail("No row matches “\(finder.typed.text)”")
    }
  }

  private func go(toMatch row: Int, in list: ResultsSections) {
    cursorBeforeJump = cursor
    cursorToRestore = nil
    hasMovedCursor = true
    whenHeld(around: row) { [weak self] in self?.tableView.move(.row($0 + 1)) }
    matchFound(list.ids[row])
  }

  private func announce(_ match: RowFinder.Match, _ addition: String = "") {
    show(
      "match \(groupedDigits(match.number)) of \(groupedDigits(match.count))\(addition)")
  }

  private static var uncounted: Message { .done("match; all are being counted…") }

  /// Goes to the next match, or the one before, while the others are being looked for.
  ///
  /// - Returns: Whether it is near.
  private func goToNearMatch(_ count: Int, from row: Int, in list: ResultsSections) -> Bool {
    guard abs(count) == 1 || controller.isWindowed, let finder else { return false }
    do {
      var match = row
      for _ in 0..<abs(count) {
        guard let next = try finder.nearMatch(to: match, isAfter: count > 0, in: list) else {
          return false
        }
        match = next
      }
      go(toMatch: match, in: list)
      wrapped = ""
      finder.uncounted = list.ids[match]
      application?.message = Self.uncounted
      return true
    } catch {
      show(error)
      return false
    }
  }

  /// Says which match the cursor is on, now that all are found.
  private func announceUncountedMatch() {
    guard let finder, let id = finder.uncounted, finder.isComplete, let list = results
    else { return }
    finder.uncounted = nil
    guard application?.message == Self.uncounted else { return }
    // The cursor may have moved, and its row too.
    if let all = finder.number(of: id), controller.isWindowed, cursorID == id {
      return show(
        "match \(groupedDigits(all.number)) of \(groupedDigits(all.count))\(wrapped)")
    }
    guard let row = tableView.cursorRow, list.ids[row] == id,
      let match = finder.match(from: row - 1, count: 1, in: list), match.row == row
    else {
      application?.message = nil
      return
    }
    announce(match)
  }

  /// What was looked for last, on whatever screen; nil for nothing.
  private func lastTyped() -> TypedPredicate? {
    guard let reader else { return nil }
    return application?.findHistory.last.flatMap {
      try? TypedPredicate(
        $0, as: .words, for: reader.entity, in: reader.model,
        wordAttributes: reader.wordAttributes)
    }
  }

  /// Starts looking in the rows that are displayed.
  private func newFinder(of typed: TypedPredicate) -> RowFinder? {
    guard let request = controller.displayedRequest else { return nil }
    do {
      return try RowFinder(typed, in: request, context: context, wake: wake)
    } catch {
      show(error)
      return nil
    }
  }

  /// Whether other rows than the displayed ones have been asked for: those will be looked at.
  private var willShowOtherRows: Bool {
    fetching.isPartial && !controller.isWindowed || controller.showsEarlierRequest
  }

  /// Goes on with what waits for matches, or for the rows in which they are looked for.
  func followMatches() {
    announceUncountedMatch()
    guard let finder, let count = finder.awaitedCount, !willShowOtherRows else { return }
    let isOfDisplayed = controller.displayedRequest.map(finder.looks) ?? true
    guard finder.isComplete || !isOfDisplayed else { return }
    finder.awaitedCount = nil
    goToMatch(count)
  }
}
