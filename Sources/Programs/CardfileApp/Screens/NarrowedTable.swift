import ObjectModel
import TerminalKit

/// A table of items that typing narrows: the entities of a store, the stores to open.
final class NarrowedTable<Item> {
  /// Items under a header.
  struct Section {
    /// The title of the header; nil for a table without headers.
    var title: String?
    var items: [Item]
  }

  let table = TableView()
  private(set) var filter = LineFilter()
  private(set) var sections: [Section] = []
  /// The name of an item, by which the cursor follows it when others come and go.
  private let name: (Item) -> String
  private let cell: (Item) -> TableCell
  private let open: (Item) -> Void
  private let contents: (_ filter: String) -> [Section]
  private var shownNames: [[String]] = []
  /// The item to put the cursor on when the table is shown; nil for the one under it.
  private var wantedName: String?

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - wantedName: The name of the item that the cursor begins on; nil for the first.
  ///   - name: The name of an item.
  ///   - cell: The cell of an item.
  ///   - open: Opens an item.
  ///   - contents: The sections for the text of the filter; asked again and again.
  init(
    startingAt wantedName: String? = nil, name: @escaping (Item) -> String,
    cell: @escaping (Item) -> TableCell, open: @escaping (Item) -> Void,
    contents: @escaping (_ filter: String) -> [Section]
  ) {
    (self.wantedName, self.name, self.cell, self.open) = (wantedName, name, cell, open)
    self.contents = contents
    (table.dataSource, table.delegate) = (self, self)
  }

  /// The item under the cursor; nil if there is none.
  var current: Item? { table.cursor.flatMap(item) }

  private func item(at path: TablePath) -> Item? {
    guard sections.indices.contains(path.section) else { return nil }
    let items = sections[path.section].items
    return items.indices.contains(path.row) ? items[path.row] : nil
  }

  /// Shows the present items; the cursor stays on its item, or goes to the best match of the filter.
  func update(selectsFirst: Bool = false) {
    let wanted = selectsFirst ? nil : wantedName ?? current.map(name)
    sections = contents(filter.text).filter { !$0.items.isEmpty }
    let names = sections.map { $0.items.map(name) }
    guard selectsFirst || names != shownNames else { return }
    shownNames = names
    let path = names.indices.lazy.compactMap { section in
      names[section].firstIndex { $0 == wanted }.map { TablePath(section: section, row: $0) }
    }.first
    if path != nil || selectsFirst { wantedName = nil }
    table.reloadData(cursor: selectsFirst ? TablePath(section: 0, row: 0) : path)
  }

  // MARK: Keys

  /// Handles a key while the filter is typed; returns whether it was used.
  func intercept(_ key: Key) -> Bool {
    let reply = filter.handle(key)
    if reply != .ignored { update(selectsFirst: reply == .changed) }
    return reply != .ignored
  }

  /// Adds pasted text to the filter while it is typed; returns whether it is.
  func paste(_ text: String) -> Bool {
    guard filter.paste(text) else { return false }
    update(selectsFirst: true)
    return true
  }

  /// Performs what moves, narrows and opens; returns whether it was that.
  func perform(_ action: Action, count: Int?) -> Bool {
    update()
    switch action {
    case .open: table.chooseCursorRow()
    case .filter: filter.begin()
    case .escape: filter.clear()
    default:
      guard let motion = action.motion(count: count) else { return false }
      table.move(motion)
    }
    return true
  }

  /// Shows all items.
  func clearFilter() { filter.clear() }

  // MARK: Drawing

  /// Draws the table, and below it the filter while it is typed.
  ///
  /// - Returns: The position of the hardware cursor.
  func draw(in canvas: inout Canvas) -> Point? {
    update()
    let air = canvas.height >= 12 ? 1 : 0
    let height = canvas.height - air - (filter.isTyping ? 1 : 0)
    canvas.within(Rect(x: 0, y: air, width: canvas.width, height: height)) { table.draw(in: &$0) }
    return filter.isTyping
      ? filter.draw(in: &canvas, y: canvas.height - 1) : table.hardwareCursor
  }
}

extension NarrowedTable: TableViewDataSource, TableViewDelegate {
  func numberOfSections(in tableView: TableView) -> Int { sections.count }

  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].items.count
  }

  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    sections[section].title
  }

  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    item(at: path).map(cell) ?? TableCell()
  }

  func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {
    item(at: path).map(open)
  }
}
