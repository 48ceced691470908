import ObjectModel
import TerminalKit

/// The databases that can be opened: those opened before, and those in the current folder.
final class StartScreen: Screen {
  let session: Session
  private let find: () -> [StoreChoice]
  private var choices: [StoreChoice] = []
  private var page = LineScroll()
  private var filter = LineFilter()
  private var pageTop = 0
  private(set) var hardwareCursor: Point?

  /// Makes a screen; `find` is asked when it appears and when it is refreshed.
  init(session: Session, find: @escaping () -> [StoreChoice]) {
    self.session = session
    self.find = find
  }

  var keys: KeyTable { .start }
  var helpTitle: String { "stores" }
  var title: TitleLine {
    TitleLine(
      path: ["Open a store"], facts: [shown.count == 1 ? "1 store" : "\(shown.count) stores"])
  }

  var status: ScreenStatus {
    guard let kept = filter.kept else { return ScreenStatus() }
    return ScreenStatus(text: "showing \(shown.count) of \(choices.count): \(kept)")
  }

  private var shown: [StoreChoice] {
    guard !filter.text.isEmpty else { return choices }
    let wanted = TextFolding.folded(filter.text)
    return choices.filter { TextFolding.folded("\($0.folder) \($0.name)").contains(wanted) }
  }

  func appear() { choices = find() }

  // MARK: Keys

  func intercept(_ key: Key) -> Bool {
    let reply = filter.handle(key)
    if reply == .changed { page.setCursor(0) }
    return reply != .ignored
  }

  func paste(_ text: String) -> Bool {
    guard filter.paste(text) else { return false }
    page.setCursor(0)
    return true
  }

  func perform(_ action: Action, count: Int?) {
    switch action {
    case .open: open()
    case .filter: filter.begin()
    case .escape: filter.clear()
    case .refresh:
      choices = find()
      session.message = .done("Looked for databases again")
    default:
      guard let motion = action.motion(count: count) else {
        app?.performShared(action)
        return
      }
      page.move(motion)
    }
  }

  private func open() {
    let shown = shown
    guard shown.indices.contains(page.cursor) else {
      session.message = .failed("There is no database here — :open PATH opens one")
      return
    }
    app?.openStore(shown[page.cursor].path)
  }

  func handle(_ event: MouseEvent) {
    page.handle(event, pageTop: pageTop)
    if event.kind == .doublePress { open() }
  }

  // MARK: Drawing

  /// A line of the page.
  private enum Line {
    case blank
    case heading(String)
    case choice(Int)
  }

  private func lines(of shown: [StoreChoice]) -> [Line] {
    StoreChoice.Group.allCases.flatMap { group -> [Line] in
      let members = shown.indices.filter { shown[$0].group == group }
      return members.isEmpty
        ? [] : [.blank, .heading(group.rawValue)] + members.map { .choice($0) }
    }
  }

  func drawBody(in canvas: inout Canvas) {
    hardwareCursor = nil
    let shown = shown
    let lines = lines(of: shown)
    let air = canvas.height >= 12 ? 0 : 1
    let visible = Array(lines.dropFirst(air))
    let places = visible.indices.filter { if case .choice = visible[$0] { true } else { false } }
    page.setItems(places.map { $0..<$0 + 1 }, lineCount: visible.count)
    page.setHeight(canvas.height - (filter.isTyping ? 1 : 0))
    pageTop = 1
    if shown.isEmpty { drawEmptyText(in: &canvas) }
    let columns = Columns(shown, width: canvas.width)
    for (y, line) in page.visibleLines.enumerated() {
      switch visible[line] {
      case .blank: break
      case .heading(let title):
        canvas.rule(x: 0, y: y, columns: canvas.width - 1, style: canvas.theme.headerRule)
        canvas.put(" \(title) ", x: 1, y: y, style: canvas.theme.headerTitle)
      case .choice(let index):
        let isCursor = places.indices.contains(page.cursor) && places[page.cursor] == line
        columns.draw(shown[index], isCursor: isCursor, y: y, in: &canvas)
        if isCursor { hardwareCursor = Point(x: 0, y: pageTop + y) }
      }
    }
    if filter.isTyping { hardwareCursor = filter.draw(in: &canvas, y: canvas.height - 1) }
  }

  private func drawEmptyText(in canvas: inout Canvas) {
    let text =
      filter.prompt == nil
      ? ["There is no SQLite database in this folder", ":open PATH opens one", "cardfile demo"]
      : ["No database matches", "Esc shows all"]
    let top = max((canvas.height - text.count) / 2, 0)
    for (y, line) in text.enumerated() {
      canvas.putField(
        line, x: 0, y: top + y, columns: canvas.width, alignment: .center,
        style: y == 0 ? .plain : canvas.theme.dim)
    }
  }

  /// The widths of the columns.
  private struct Columns {
    let name: Int
    let kind: Int

    init(_ choices: [StoreChoice], width: Int) {
      func widest(_ texts: [String]) -> Int {
        texts.reduce(8) { max($0, min(displayWidth(of: $1), 80)) }
      }
      name = min(widest(choices.map(\.name)), max(width / 2, 14))
      kind = widest(choices.map(\.kind))
    }

    func draw(_ choice: StoreChoice, isCursor: Bool, y: Int, in canvas: inout Canvas) {
      let style = isCursor ? canvas.theme.cursorRow : .plain
      if isCursor { canvas.put(canvas.signs.cursor, x: 0, y: y, style: canvas.theme.cursorSign) }
      var x = 3
      let fields = [
        (choice.name, name, TextAlignment.left), (ValueText.bytes(choice.byteCount), 9, .right),
        (choice.kind, kind, .left), (choice.folder, canvas.width, .left),
      ]
      for (place, (text, width, alignment)) in fields.enumerated() {
        let room = min(width, canvas.width - 1 - x)
        // A field with almost no room is left out.
        guard room >= min(width, 8) else { return }
        let fieldStyle = place == 0 ? style : style.overlaid(by: canvas.theme.dim)
        canvas.putField(text, x: x, y: y, columns: room, alignment: alignment, style: fieldStyle)
        x += room + 2
      }
    }
  }
}
