import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// Starts the mode in which letters go to a section or a row.
  package func startTypeAhead() {
    guard tableView.numberOfRows > 0 || fetching.isPartial else {
      return fail("There are no rows to go to")
    }
    typeAhead = TypeAhead(now: application?.clock() ?? 0)
    cursorBeforeTypeAhead = cursor
  }

  /// Ends that mode when no key was pressed for some seconds.
  func endTypeAheadIfDue() {
    if typeAhead?.delay(now: application?.clock() ?? 0) == 0 { typeAhead = nil }
  }

  /// Handles a key in that mode.
  func handleTypeAheadKey(_ key: Key) -> Bool {
    guard var mode = typeAhead else { return false }
    let outcome = mode.handle(key, now: application?.clock() ?? 0)
    typeAhead = mode
    switch outcome {
    case .end: typeAhead = nil
    case .passOn:
      typeAhead = nil
      return false
    case .back:
      typeAhead = nil
      goBackBeforeJump()
    case .search: goTo(mode.letters)
    case .typed: typed()
    }
    return true
  }

  /// Goes to what begins with the letters, without the last one if nothing does.
  private func typed() {
    guard var mode = typeAhead, !goTo(mode.letters) else { return }
    if fetching.isPartial {
      waitForRows(mode.letters)
      return
    }
    if mode.letters.last == "'" {
      // A quote within a name, or that of the next jump.
      mode.restart()
      cursorBeforeTypeAhead = cursor
    } else {
      fail("Nothing begins with “\(mode.letters)”")
      mode.rejectLast()
    }
    typeAhead = mode
  }

  /// Goes there once the rows that begin with the letters are fetched, or all rows.
  private func waitForRows(_ letters: String) {
    if controller.isWindowed { return lookUp(letters) }
    fetching.whenShown(part(beginningWith: letters)) { [weak self] in
      guard let self else { return }
      if case .matching = controller.part { return jump(.first) }
      guard !goTo(letters) else { return }
      fail("Nothing begins with “\(letters)”")
      if typeAhead?.letters == letters { typeAhead?.rejectLast() }
    }
  }

  /// Goes there once the rows of a windowed list are looked up, beginning with a capital too.
  private func lookUp(_ letters: String) {
    let capitalised = letters.prefix(1).uppercased() + letters.dropFirst()
    var texts = [letters] + (capitalised == letters ? [] : [capitalised])
    func lookUpNext() {
      guard let text = texts.first else {
        fail("Nothing begins with “\(letters)”")
        if typeAhead?.letters == letters { typeAhead?.rejectLast() }
        return
      }
      texts.removeFirst()
      guard let part = part(beginningWith: letters) ?? part(from: text) else {
        if isSearchedByKeys { return lookUpNext() }
        return fail("This order cannot be searched by letters before all rows are read")
      }
      let before = cursorBeforeTypeAhead ?? cursor
      fetching.whenShown(part) { [weak self] in
        guard let self, let row = controller.targetRow else { return }
        jump(isAtSection(row) ? .section(tableView.currentSection ?? 0) : .row(row + 1))
        cursorBeforeJump = before
      } missing: {
        lookUpNext()
      }
    }
    lookUpNext()
  }

  /// Whether a row is the first of a section that letters lead to.
  private func isAtSection(_ row: Int) -> Bool {
    results?.isSectioned == true && tableView.cursorRow == row && tableView.cursor?.row == 0
  }

  /// Goes to the first section, or else the first row, that begins with letters.
  ///
  /// - Returns: Whether there is one among the rows fetched so far.
  @discardableResult
  private func goTo(_ letters: String) -> Bool {
    fetching.dropWaiting()
    if controller.displayedRequest?.sectionKey != nil,
      let section = tableView.sections(matching: letters).first, section > 0 || startsAtFirstRow
    {
      jump(.section(section))
      return true
    }
    // Where case counts, most texts begin with a capital.
    let capitalised = letters.prefix(1).uppercased() + letters.dropFirst()
    guard let row = row(beginningWith: letters) ?? row(beginningWith: capitalised) else {
      return false
    }
    jump(.row(row + 1))
    return true
  }

  private func jump(_ motion: TableMotion) {
    cursorToRestore = nil
    hasMovedCursor = true
    if let cursorBeforeTypeAhead {
      cursorBeforeJump = cursorBeforeTypeAhead
      self.cursorBeforeTypeAhead = nil
    }
    switch motion {
    case .row(let number):
      whenHeld(around: number - 1) { [weak self] in self?.tableView.move(.row($0 + 1)) }
    case .section(let section) where results != nil:
      let start = results?.range(ofSection: section).lowerBound ?? 0
      whenHeld(around: start) { [weak self] row in
        guard let self, let section = tableView.path(ofRow: row)?.section else { return }
        tableView.move(.section(section))
      }
    default: tableView.move(motion)
    }
  }

  /// Returns to the cursor before the last jump.
  private func goBackBeforeJump() {
    guard let target = cursorBeforeJump else { return show("There was no jump before") }
    hasMovedCursor = true
    let here = cursor
    fetching.dropWaiting()
    func goBack(in list: ListScreen) -> Bool {
      guard list.restore(target) else { return false }
      list.cursorBeforeJump = here
      return true
    }
    guard !goBack(in: self) else { return }
    let isGone = "The object from before the jump is not in this list"
    guard !controller.isWindowed else {
      return fetching.whenShown(.objects([target.id])) { [weak self] in
        if let self { _ = goBack(in: self) }
      } missing: { [weak self] in
        self?.fail(isGone)
      }
    }
    whenComplete { [weak self] in
      guard let self, !goBack(in: self) else { return }
      fail(isGone)
    }
  }

  // MARK: Rows

  /// The first row whose value of the sort attribute begins with a text, or for numbers and dates is
  /// not before it; nil if there is none, or not all rows are fetched.
  ///
  /// It reads O(log *n*) rows of each section, because they are sorted by the attribute.
  private func row(beginningWith text: String) -> Int? {
    guard controller.fetchState == .complete, let list = results,
      let request = controller.displayedRequest
    else { return nil }
    var orders = request.sortDescriptors[...]
    if let key = request.sectionKey, key.transform == .value, key.keyPath == orders.first?.keyPath,
      orders.count > 1
    {
      // Each section has one value of the first descriptor.
      orders.removeFirst()
    }
    guard let order = orders.first,
      let attribute = attribute(at: order.keyPath),
      let search = SortedSearch(text, order: order, attribute: attribute)
    else { return nil }
    func row(in range: Range<Int>) -> Int? {
      func value(at index: Int) -> Value {
        context.value(at: order.keyPath, of: list.ids[index])
      }
      return search.first(in: range, value: value(at:))
    }
    if order.keyPath == request.sortDescriptors.first?.keyPath { return row(in: list.ids.indices) }
    // Each section is sorted by itself: this one first, then those after and before it.
    let current = tableView.currentSection ?? 0
    let count = list.sectionCount
    return (0..<min(count, Self.mostSearchedSections)).lazy
      .compactMap { row(in: list.range(ofSection: (current + $0) % count)) }.first
  }

  /// The most sections that are searched when they are not in the order of the sort attribute.
  private static var mostSearchedSections: Int { 64 }
}
