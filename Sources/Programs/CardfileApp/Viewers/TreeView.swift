import ListProviders
import Foundation
import ObjectModel
import TerminalKit

/// A tree whose nodes are folded and unfolded.
struct TreeView: ValueView {
  /// A visible row.
  private struct Row {
    let node: ValueTree
    let depth: Int
    var isOpen = false
    /// The members of the parent that are not shown yet, of which this row stands for all.
    var rest: [ValueTree] = []
  }

  private var rows: [Row] {
    didSet { scroll.setRows(rows.count) }
  }
  private var scroll = LineScroll()

  /// How many members are shown at once; Enter on the row after them shows more.
  private static let mostMembers = 1000
  /// How many folded nodes are looked at to find a text, and how deep.
  private static let mostSearched = 200_000
  private static let deepestSearched = 60

  /// Makes a view with the root unfolded.
  init(_ tree: ValueTree) {
    rows = [Row(node: tree, depth: 0)]
    scroll.setRows(1)
    unfold(0)
  }

  // MARK: Folding

  private mutating func unfold(_ index: Int) {
    guard rows[index].node.isContainer, !rows[index].isOpen else { return }
    rows[index].isOpen = true
    insert(rows[index].node.members, depth: rows[index].depth + 1, at: index + 1)
  }

  /// Inserts members, and a row for those beyond the most that are shown at once.
  private mutating func insert(
    _ members: [ValueTree], depth: Int, at index: Int, most: Int = Self.mostMembers
  ) {
    var new = members.prefix(most).map { Row(node: $0, depth: depth) }
    if members.count > most {
      let rest = Array(members.dropFirst(most))
      let text = "\(groupedDigits(rest.count)) more"
      new.append(Row(node: ValueTree("", .plain(text)), depth: depth, rest: rest))
    }
    rows.insert(contentsOf: new, at: index)
  }

  private mutating func fold(_ index: Int) {
    rows[index].isOpen = false
    let end = rows[(index + 1)...].firstIndex { $0.depth <= rows[index].depth } ?? rows.count
    rows.removeSubrange(index + 1..<end)
  }

  private mutating func showRest(_ index: Int) {
    let row = rows.remove(at: index)
    insert(row.rest, depth: row.depth, at: index)
  }

  mutating func open() -> ValueViewOutcome {
    let index = scroll.cursor
    let row = rows[index]
    if !row.rest.isEmpty {
      showRest(index)
    } else if row.node.isContainer {
      if row.isOpen { fold(index) } else { unfold(index) }
    } else if let content = current {
      return .view(row.node.label, content)
    } else {
      return .nothing
    }
    return .done
  }

  mutating func close() -> ValueViewOutcome {
    let index = scroll.cursor
    if rows[index].isOpen, index > 0 {
      fold(index)
    } else if let parent = rows[..<index].lastIndex(where: { $0.depth < rows[index].depth }) {
      scroll.setCursor(parent)
    } else {
      return .back
    }
    return .done
  }

  var current: ValueContent? {
    switch rows[scroll.cursor].node.content {
    case .text(let text): .text(text)
    case .bytes(let data): .bytes(data)
    case .plain, .members: nil
    }
  }

  // MARK: Moving

  mutating func move(_ motion: TableMotion) { scroll.move(motion) }

  // MARK: Finding

  mutating func find(_ pattern: TextPattern, isForward: Bool, includesCurrent: Bool) -> Bool {
    if includesCurrent, matches(rows[scroll.cursor].node, pattern) { return true }
    guard isForward else { return findBack(pattern) }
    var budget = Self.mostSearched
    for step in 0...rows.count {
      let index = (scroll.cursor + step) % rows.count
      if step > 0, matches(rows[index].node, pattern) {
        scroll.setCursor(index)
        return true
      }
      guard !rows[index].isOpen,
        let path = path(to: pattern, in: rows[index].node, depth: 0, budget: &budget)
      else { continue }
      show(path, below: index)
      return true
    }
    return false
  }

  private mutating func findBack(_ pattern: TextPattern) -> Bool {
    for step in 1...rows.count {
      let index = (scroll.cursor - step + rows.count) % rows.count
      guard matches(rows[index].node, pattern) else { continue }
      scroll.setCursor(index)
      return true
    }
    return false
  }

  private func matches(_ node: ValueTree, _ pattern: TextPattern) -> Bool {
    if case .text(let text) = node.content { return pattern.matches("\(node.label)\n\(text)") }
    return pattern.matches("\(node.label)\n\(node.summary)")
  }

  /// The indexes of the members that lead to the first match in a folded node; nil if none does.
  private func path(
    to pattern: TextPattern, in node: ValueTree, depth: Int, budget: inout Int
  ) -> [Int]? {
    guard node.isContainer, depth < Self.deepestSearched, budget > 0 else { return nil }
    for (index, member) in node.members.enumerated() {
      budget -= 1
      if budget <= 0 { return nil }
      if matches(member, pattern) { return [index] }
      if let rest = path(to: pattern, in: member, depth: depth + 1, budget: &budget) {
        return [index] + rest
      }
    }
    return nil
  }

  /// Unfolds what leads to a member, and moves to it.
  private mutating func show(_ path: [Int], below start: Int) {
    var index = start
    for member in path {
      rows[index].isOpen = true
      let (node, depth) = (rows[index].node, rows[index].depth)
      insert(
        node.members, depth: depth + 1, at: index + 1, most: max(member + 1, Self.mostMembers))
      index += 1 + member
    }
    scroll.setCursor(index)
  }

  // MARK: Drawing

  mutating func draw(in canvas: inout Canvas, highlighting pattern: TextPattern?) -> Point {
    scroll.setHeight(canvas.height)
    for (y, index) in scroll.visibleLines.enumerated() {
      draw(rows[index], isCursor: index == scroll.cursor, y: y, in: &canvas)
      canvas.highlight(pattern.map { [$0] } ?? [], columns: 2..<canvas.width, y: y)
    }
    return Point(x: 0, y: scroll.cursor - scroll.top)
  }

  private func draw(_ row: Row, isCursor: Bool, y: Int, in canvas: inout Canvas) {
    let (signs, theme) = (canvas.signs, canvas.theme)
    let style = isCursor ? theme.cursorRow : .plain
    if isCursor { canvas.put(signs.cursor, x: 0, y: y, style: theme.cursorSign) }
    let closed = signs.isUnicode ? "▸" : "+"
    let opened = signs.isUnicode ? "▾" : "-"
    // A deep node keeps room for its value.
    var x = 2 + min(row.depth * 2, max(canvas.width / 2, 2))
    if row.node.isContainer {
      canvas.put(row.isOpen ? opened : closed, x: x, y: y, style: style)
    } else if !row.rest.isEmpty {
      canvas.put(signs.ellipsis, x: x, y: y, style: style)
    }
    x += 2
    if !row.node.label.isEmpty {
      let label = signs.cut(row.node.label, to: max((canvas.width - x) / 2, 4))
      x += canvas.put(label, x: x, y: y, style: style.overlaid(by: Style(.bold))) + 2
    }
    let isQuiet = row.node.isContainer || !row.rest.isEmpty
    canvas.put(
      signs.cut(row.node.summary, to: canvas.width - x - 1), x: x, y: y,
      style: isQuiet ? style.overlaid(by: theme.dim) : style)
  }

  var position: String { "\(groupedDigits(scroll.cursor + 1))/\(groupedDigits(rows.count))" }
}
