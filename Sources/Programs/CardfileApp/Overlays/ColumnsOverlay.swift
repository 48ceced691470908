import TerminalKit

/// The columns of a list: which are shown, their order and widths.
final class ColumnsOverlay: ItemOverlay {
  /// A column that the list can have.
  struct Item {
    var column: ListColumn
    var isShown: Bool
    /// The type of its values.
    let type: String
  }

  private var items: [Item]
  private var list = PanelList()
  /// Called with the shown columns after each change; nil for the entity's default.
  private let change: ([ListColumn]?) -> Void
  /// Asks what a column is.
  private let chooseKind: (ListColumn) -> Void

  init(
    _ items: [Item], change: @escaping ([ListColumn]?) -> Void,
    chooseKind: @escaping (ListColumn) -> Void = { _ in }
  ) {
    self.items = items
    self.change = change
    self.chooseKind = chooseKind
  }

  private static let narrowest = 3
  private static let widest = 300

  func handle(_ key: Key) -> OverlayReply {
    let names = items.map(\.column.name)
    if list.handle(key, names) { return .stay }
    switch key {
    case .escape, .enter, .character("q"), .character("c"), .control("c"): return .close
    case .character("0"):
      change(nil)
      return .close
    default: break
    }
    guard let item = list.item(names) else { return .stay }
    switch key {
    case .character("t"):
      let column = items[item].column
      return .perform { [chooseKind] in chooseKind(column) }
    case .character(" "): toggle(item)
    case .character("J"): move(item, by: 1)
    case .character("K"): move(item, by: -1)
    case .character(">"), .character("+"): widen(item, by: 2)
    case .character("<"), .character("-"): widen(item, by: -2)
    case .character("="): items[item].column.width = nil
    default: return .stay
    }
    let shown = items.filter(\.isShown).map(\.column)
    if !shown.isEmpty { change(shown) }
    return .stay
  }

  /// Shows or hides a column; the last shown one stays.
  private func toggle(_ item: Int) {
    guard !items[item].isShown || items.count(where: \.isShown) > 1 else { return }
    items[item].isShown.toggle()
    _ = list.handle(.down, items.map(\.column.name))
  }

  private func move(_ item: Int, by step: Int) {
    guard items.indices.contains(item + step), list.filter.prompt == nil else { return }
    items.swapAt(item, item + step)
    list.setCursor(on: item + step, items.map(\.column.name))
  }

  private func widen(_ item: Int, by step: Int) {
    let width = items[item].column.width ?? max(displayWidth(of: items[item].column.name), 10)
    items[item].column.width = min(max(width + step, Self.narrowest), Self.widest)
  }

  func paste(_ text: String) { list.paste(text) }

  func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    list.setCursor(on: item, items.map(\.column.name))
    return handle(.character(" "))
  }

  func draw(in canvas: inout Canvas) -> Point? {
    let names = items.map(\.column.name)
    let signs = canvas.signs
    let widest = names.reduce(12) { max($0, displayWidth(of: signs.visible($1, columns: 40))) }
    let details = items.map { ($0.column.width.map { "width \($0)   " } ?? "") + $0.type }
    let detailWidth = details.reduce(0) { max($0, displayWidth(of: $1)) }
    let width = min(canvas.width, max(min(widest, 40) + detailWidth + 12, 64))
    let height = min(canvas.height, items.count + 2 + (list.filter.prompt == nil ? 0 : 1))
    let title = "Columns   Space show, J K move, < > = width, t type, 0 default"
    return canvas.withinCenteredBox(width: width, height: height, title: title) { part in
      list.draw(names, in: &part) { item, y, style, part in
        let (column, isShown) = (items[item].column, items[item].isShown)
        part.put(isShown ? "[x]" : "[ ]", x: 2, y: y, style: style)
        let room = max(min(widest, part.width - detailWidth - 10), 1)
        part.put(part.signs.cut(column.name, to: room), x: 6, y: y, style: style)
        part.put(
          part.signs.cut(details[item], to: part.width - room - 10), x: room + 8, y: y, style: style
        )
      }
    }
  }
}
