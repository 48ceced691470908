import FetchedResults
import ListProviders
import ManagedObjects
package import ObjectModel
import TerminalKit

/// A list that holds only the rows around what is looked at: other rows are looked up by the keys of
/// its order.
extension ListScreen {
  /// How far a motion may lead from row to row: further rows are looked up by the distribution of the
  /// order's keys.
  private static var farthest: Int { 20_000 }

  /// Moves now, or once the rows are here that the motion needs.
  func moveInWindow(_ motion: TableMotion) {
    guard let row = tableView.cursorRow else { return }
    let (list, last) = (controller.listCount, tableView.numberOfRows - 1)
    switch motion {
    case .first, .percent(...0): look(for: .first, unless: startsAtFirstRow, .first)
    case .last, .percent(100...): look(for: .last, unless: !controller.isOpenAtEnd, .last)
    case .percent(let percent):
      goToPercent(percent, of: list)
    case .row(let number):
      let share = list.map { Double(number - 1) / Double(max($0.count, 1)) }
      goToRow(max(number, 1), share: share)
    case .nextSection, .previousSection:
      if controller.displayedRequest?.sectionKey == nil {
        // Its rows are one section.
        let isNext = if case .nextSection = motion { true } else { false }
        look(
          for: isNext ? .last : .first,
          unless: isNext ? !controller.isOpenAtEnd : startsAtFirstRow, motion)
      } else {
        moveBySection(motion)
      }
    default:
      let reach = min(reach(of: motion), Self.farthest)
      if reach > 0, controller.isOpenAtEnd, row + reach + screenRows > last {
        look(for: .next, count: reach + screenRows, unless: false, motion)
      } else if reach < 0, controller.isOpenAtStart, row + reach - screenRows < 0 {
        look(for: .previous, count: -reach + screenRows, unless: false, motion)
      } else {
        moveNow(motion)
      }
    }
  }

  private func goToPercent(_ percent: Int, of list: (count: Int, isExact: Bool)?) {
    let share = Double(percent) / 100
    guard let list, !list.isExact, list.count < Self.farthest else {
      // As a table does it: rounded up.
      let number = list.flatMap { $0.isExact ? max(($0.count * percent + 99) / 100, 1) : nil }
      return goToRow(number, share: share)
    }
    // With unsaved changes the matches of a filter are not counted exactly: few are read.
    fetching.whenShown(.first, count: list.count + screenRows) { [weak self] in
      guard let self else { return }
      let isWhole = startsAtFirstRow && !controller.isOpenAtEnd
      if isWhole { moveNow(.percent(percent)) } else { goToRow(nil, share: share) }
    }
  }

  /// At most how many rows are on the screen, beside others in a grid.
  private var screenRows: Int {
    (application?.terminal.size.height ?? 25) * (tableView is GridView ? 16 : 1)
  }

  /// At most how many rows a motion goes on, negative for back.
  private func reach(of motion: TableMotion) -> Int {
    func rows(_ count: Int, _ each: Int) -> Int {
      let (rows, isHuge) = max(count, 0).multipliedReportingOverflow(by: each)
      return isHuge ? Self.farthest : rows
    }
    return switch motion {
    case .down(let count), .right(let count): rows(count, tableView is GridView ? 16 : 1)
    case .up(let count), .left(let count): -rows(count, tableView is GridView ? 16 : 1)
    case .halfPageDown(let count), .pageDown(let count): rows(count, screenRows)
    case .halfPageUp(let count), .pageUp(let count): -rows(count, screenRows)
    default: 0
    }
  }

  /// Moves once a part of the list is here, which is looked up unless it is held.
  private func look(for part: ListPart, count: Int = 0, unless isHeld: Bool, _ motion: TableMotion)
  {
    guard !isHeld else { return moveNow(motion) }
    fetching.whenShown(part, count: count) { [weak self] in self?.moveNow(motion) }
  }

  private func moveBySection(_ motion: TableMotion) {
    guard let path = tableView.cursor else { return }
    var target = path.section
    var distance = 0
    switch motion {
    case .nextSection(let count): distance = count
    case .previousSection(let count): distance = -count
    default: break
    }
    // The first step back goes to the start of the same section.
    target += distance < 0 && path.row > 0 ? distance + 1 : distance
    let isBeyond =
      target >= tableView.numberOfSections
      ? controller.isOpenAtEnd : target < 1 && !startsAtFirstRow
    guard isBeyond else {
      let held = max(target, 0)
      guard held < tableView.numberOfSections, let list = results else { return moveNow(motion) }
      return whenHeld(around: list.range(ofSection: held).lowerBound) { [weak self] row in
        guard let self, let section = results?.indexPath(at: row).section else { return }
        moveNow(.section(section))
      }
    }
    guard let id = cursorID, !id.isTemporary else { return moveNow(motion) }
    fetching.whenShown(.section(of: id, by: distance)) { [weak self] in
      guard let self else { return }
      // Past the last section the motion leads to the last row.
      let isStart = tableView.cursor?.row == 0 && (distance < 0 || !isAtEnd)
      if isStart { moveNow(.section(tableView.currentSection ?? 0)) } else { extendRange() }
    }
  }

  /// Runs something with the row of an object once the rows around it are here that a screen shows with
  /// it.
  func whenHeld(around row: Int, _ body: @escaping (Int) -> Void) {
    guard controller.isWindowed, let id = results?.ids[row] else { return body(row) }
    let part: ListPart
    if controller.isOpenAtEnd, row + screenRows >= tableView.numberOfRows {
      part = .next
    } else if controller.isOpenAtStart, row - screenRows < 0 {
      part = .previous
    } else {
      return body(row)
    }
    fetching.whenShown(part, count: screenRows) { [weak self] in
      guard let self, let row = results?.ids.index(of: id) else { return }
      whenHeld(around: row, body)
    }
  }

  // MARK: Sections that are not held

  /// Goes to a section of the index strip that is not held.
  ///
  /// - Returns: Whether the event is for one.
  func goesToOtherSection(_ event: MouseEvent) -> Bool {
    guard [.press, .drag].contains(event.kind), controller.isWindowed,
      case .index(let section)? = tableView.hit(at: event.position),
      !(0..<tableView.numberOfSections).contains(section), let found = controller.lookedUpSections,
      found.all.indices.contains(found.firstHeld + section)
    else { return false }
    goToSection(of: found.all[found.firstHeld + section].first)
    return true
  }

  /// Goes to the section of an object, which need not be held.
  package func goToSection(of id: ObjectID) {
    let before = cursor
    fetching.whenShown(.objects([id])) { [weak self] in
      guard let self else { return }
      goToSection(tableView.currentSection ?? 0, from: before)
    } missing: { [weak self] in
      self?.fail("Where this section began there is no row any more")
    }
  }

  /// Goes to a section that is held; `''` returns to where the cursor was.
  package func goToSection(_ section: Int, from before: ListCursor?) {
    cursorBeforeJump = before
    hasMovedCursor = true
    tableView.move(.section(section))
    extendRange()
  }

  private var isAtEnd: Bool {
    !controller.isOpenAtEnd && tableView.cursorRow == tableView.numberOfRows - 1
  }

  /// Goes to a row by its number in the list: exactly if it is held or near an end, else to about
  /// where it is.
  private func goToRow(_ number: Int?, share: Double?) {
    if let number, let offset = controller.heldOffset,
      number > offset && number <= offset + tableView.numberOfRows
    {
      return whenHeld(around: number - offset - 1) { [weak self] in self?.moveNow(.row($0 + 1)) }
    }
    if let number, number <= Self.farthest {
      return fetching.whenShown(.first, count: number + screenRows) { [weak self] in
        guard let self else { return }
        // Rows may have been let go at the start since.
        moveNow(.row(number - (controller.heldOffset ?? 0)))
      }
    }
    if let number, let list = controller.listCount, list.isExact,
      list.count - number < Self.farthest
    {
      guard number <= list.count else { return moveInWindow(.last) }
      return fetching.whenShown(.last, count: list.count - number + screenRows) { [weak self] in
        guard let self else { return }
        moveNow(.row(max(tableView.numberOfRows - (list.count - number), 1)))
      }
    }
    let unknown = "Where that is could not be found without reading all rows"
    guard let share, share < 1 else { return share == nil ? fail(unknown) : moveInWindow(.last) }
    fetching.whenShown(.share(share)) { [weak self] in
      self?.extendRange()
    } missing: { [weak self] in
      self?.fail(unknown)
    }
  }

  // MARK: What is known

  /// The number of objects of a windowed list, with `≈` if it is an estimate; nil for a whole list.
  package var listCountText: String? {
    guard controller.isWindowed else { return nil }
    guard let list = controller.listCount else { return "…" }
    return (list.isExact ? "" : "≈ ") + groupedDigits(list.count)
  }

  /// The position of the cursor in a windowed list, as far as it is known.
  func windowedPosition(of row: Int) -> String {
    let number = controller.heldOffset.map { $0 + row + 1 }
    let text = "\(number.map(groupedDigits) ?? "…")/\(listCountText ?? "…")"
    guard let number, let list = controller.listCount else { return text }
    return text + "  \(number * 100 / max(list.count, 1))%"
  }

  // MARK: Parts

  /// The rows around an object, or around where an object that was never saved will be; nil if that
  /// is not known.
  func part(around id: ObjectID) -> ListPart? {
    guard id.isTemporary else { return .objects([id]) }
    guard let order = controller.displayedRequest?.sortDescriptors.first else { return .last }
    let value = context.value(at: order.keyPath, of: id)
    guard !value.isNull else { return order.ascending ? .first : .last }
    if order.collation != nil { return value.text.map { .text($0) } }
    return .matching(Self.condition(order, value))
  }

  /// The rows from the first one on whose value begins with a text, or for numbers and dates is not
  /// before it; nil if the order is not that of the values.
  func part(from text: String) -> ListPart? {
    guard isSearchedByKeys, let order = controller.displayedRequest?.sortDescriptors.first,
      let attribute = attribute(at: order.keyPath),
      let search = SortedSearch(text, order: order, attribute: attribute)
    else { return nil }
    if order.collation != nil { return .text(text) }
    let start = Self.condition(order, search.target)
    guard Self.isText(attribute) else { return .matching(start) }
    // All texts that begin so, by their bytes.
    let ends = [text, text + "\u{10FFFF}"].map { FetchPredicate.Expression.constant(.string($0)) }
    let path = KeyPathText.components(of: order.keyPath) ?? [order.keyPath]
    return .matching(
      FetchPredicate(.comparison(.init(.keyPath(path), .between, .list(ends)))))
  }

  /// Whether the store looks rows up by their values in this order: numbers, dates, or texts by
  /// bytes or a collation.
  var isSearchedByKeys: Bool {
    guard let order = controller.displayedRequest?.sortDescriptors.first,
      let attribute = attribute(at: order.keyPath)
    else { return false }
    return !Self.isText(attribute) || order.comparison == .binary || order.collation != nil
  }

  /// Whether a column has texts, or values of any kind.
  private static func isText(_ attribute: AttributeDescription) -> Bool {
    attribute.kind == .text || attribute.kind == nil
  }

  /// That a value is not before another one in an order.
  private static func condition(_ order: FetchSortDescriptor, _ value: Value) -> FetchPredicate {
    let path = KeyPathText.components(of: order.keyPath) ?? [order.keyPath]
    return FetchPredicate(
      .comparison(
        .init(
          .keyPath(path), order.ascending ? .greaterOrEqual : .lessOrEqual, .constant(value))))
  }
}
