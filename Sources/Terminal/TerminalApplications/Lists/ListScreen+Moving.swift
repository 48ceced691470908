import FetchedResults
import ListProviders
package import TerminalKit

extension ListScreen {
  var motionCommands: [KeyCommand] {
    var commands = [
      motion(["j", .down], "j k ↓ ↑", "down, up") { .down($0 ?? 1) },
      motion(["k", .up]) { .up($0 ?? 1) },
      motion(["g", .home], "g G Home End", "first, last") { $0.map { .row($0) } ?? .first },
      motion(["G", .end]) { $0.map { .row($0) } ?? .last },
      motion([.control("d")], "C-d C-u", "half a page") { .halfPageDown($0 ?? 1) },
      motion([.control("u")]) { .halfPageUp($0 ?? 1) },
      motion([.pageDown, .control("f")], "PgDn PgUp", "page, also C-f C-b") {
        .pageDown($0 ?? 1)
      },
      motion([.pageUp, .control("b")]) { .pageUp($0 ?? 1) },
      motion(["%"], "42G  50%", "row, percent") { .percent($0 ?? 50) },
      motion(["H"], "H M L", "top, middle, bottom") { _ in .screenTop },
      motion(["M"]) { _ in .screenMiddle },
      motion(["L"]) { _ in .screenBottom },
      KeyCommand("z", section: .move, label: "zt zz zb", help: "scroll to top, middle, bottom") {
        [weak self] in self?.startScroll()
      },
      KeyCommand(
        "'", section: .move, label: "' letters", help: "go to a section or row",
        hint: provider.sectionKey == nil ? nil : "index"
      ) { [weak self] in self?.startTypeAhead() },
    ]
    if tableView is GridView {
      commands += [
        motion(["h", .left], "h l ← →", "left, right") { .left($0 ?? 1) },
        motion(["l", .right]) { .right($0 ?? 1) },
      ]
    }
    if provider.sectionKey != nil {
      commands += [
        motion(["]", "}"], "[ ]", "section − / +") { .nextSection($0 ?? 1) },
        motion(["[", "{"]) { .previousSection($0 ?? 1) },
      ]
    }
    return commands
  }

  private func motion(
    _ keys: [Key], _ label: String? = nil, _ help: String = "",
    _ motion: @escaping @MainActor (Int?) -> TableMotion
  ) -> KeyCommand {
    .motion(keys, label, help, motion) { [weak self] in self?.move($0) }
  }

  /// Moves now, or once the rows are fetched that the motion needs.
  package func move(_ motion: TableMotion) {
    cursorToRestore = nil
    hasMovedCursor = true
    switch motion {
    case .first, .last, .percent, .row, .nextSection, .previousSection: cursorBeforeJump = cursor
    default: break
    }
    fetching.dropWaiting()
    if controller.isWindowed { return moveInWindow(motion) }
    guard fetching.isPartial, needsOtherRows(motion) else { return moveNow(motion) }
    fetching.whenShown(part(for: motion)) { [weak self] in
      guard let self else { return }
      moveNow(motion.within(controller.part))
    }
  }

  /// Whether a motion needs rows that may not be here yet.
  private func needsOtherRows(_ motion: TableMotion) -> Bool {
    switch motion {
    case .last, .percent: true
    case .first: !startsAtFirstRow
    case .row(let row): row > tableView.numberOfRows || !startsAtFirstRow
    case .nextSection(let count):
      controller.isOpenAtEnd
        && (tableView.currentSection ?? 0) + count >= tableView.numberOfSections
    case .previousSection(let count):
      !startsAtFirstRow && (tableView.currentSection ?? 0) - count < 1
    default: false
    }
  }

  /// The part of the list to which a motion leads; nil if only the whole list has the answer.
  private func part(for motion: TableMotion) -> ListPart? {
    switch motion {
    case .first: .first
    case .last, .percent(100...): .last
    case .percent(...0): .first
    case .percent(let percent): part(at: percent)
    default: nil
    }
  }

  func moveNow(_ motion: TableMotion) {
    tableView.move(motion)
    extendRange()
  }

  /// Moves the cursor over a number of objects.
  package func moveForward(by count: Int) {
    tableView.move(tableView is GridView ? .right(count) : .down(count))
  }

  /// Handles the key after `z`.
  func scroll(_ key: Key) -> Bool {
    awaitsScrollKey = false
    switch key {
    case .character("t"): tableView.move(.cursorToTop)
    case .character("z"): tableView.move(.cursorToMiddle)
    case .character("b"): tableView.move(.cursorToBottom)
    case .escape: break
    default: fail("z is followed by t, z or b")
    }
    return true
  }

  /// Waits for the key that says where to scroll.
  package func startScroll() { awaitsScrollKey = true }
}

extension TableMotion {
  /// The motion within a part of the list: a percentage leads to the first row of its part.
  fileprivate func within(_ part: ListPart?) -> TableMotion {
    if case .percent = self, case .matching = part { .first } else { self }
  }
}
