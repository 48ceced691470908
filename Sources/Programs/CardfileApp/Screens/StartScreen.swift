import ObjectModel
import TerminalApplications
import TerminalKit

/// The databases that can be opened: those opened before, and those in the current folder.
final class StartScreen: Screen, BrowserScreen {
  let session: Session
  private let find: () -> [StoreChoice]
  private var choices: [StoreChoice] = []
  private lazy var rows = NarrowedTable<StoreChoice>(
    name: \.path, cell: { [unowned self] in cell($0) },
    open: { [unowned self] in app?.openStore($0.path) },
    contents: { [unowned self] filter in
      let shown = shown(filter)
      return StoreChoice.Group.allCases.map { group in
        .init(title: group.rawValue, items: shown.filter { $0.group == group })
      }
    })

  /// Makes a screen; `find` is asked when it appears and when it is refreshed.
  init(session: Session, find: @escaping () -> [StoreChoice]) {
    (self.session, self.find) = (session, find)
    super.init(title: "stores")
    rows.table.columns = [
      TableColumn("", minimumWidth: 14, maximumWidth: 80),
      TableColumn("", alignment: .right, idealWidth: 9, isWhole: true), TableColumn(""),
      TableColumn("", maximumWidth: 300),
    ]
  }

  var keys: KeyTable { .start }
  override var keyCommands: [KeyCommand] { tableCommands }
  override var path: [String] { ["Open a store"] }

  override var facts: [String] {
    let count = shown(rows.filter.text).count
    return [counted(count, "store")]
  }

  override var status: String {
    rows.filter.kept.map { "showing \(shown($0).count) of \(choices.count): \($0)" } ?? ""
  }

  private func shown(_ filter: String) -> [StoreChoice] {
    let wanted = TextFolding.folded(filter)
    return choices.filter {
      wanted.isEmpty || TextFolding.folded("\($0.folder) \($0.name)").contains(wanted)
    }
  }

  private func cell(_ choice: StoreChoice) -> TableCell {
    let details = [ValueText.bytes(choice.byteCount), choice.kind, choice.folder]
    return TableCell(
      fields: [TableCell.Field(choice.name)]
        + details.map { TableCell.Field($0, style: session.look.theme.dim) })
  }

  override func willAppear() { choices = find() }

  // MARK: Keys

  override func intercept(_ key: Key) -> Bool { rows.intercept(key) }

  override func paste(_ text: String) -> Bool { rows.paste(text) }

  func perform(_ action: Action, count: Int?) {
    if action == .refresh {
      choices = find()
      show("Looked for databases again")
    } else if action == .open, shown(rows.filter.text).isEmpty {
      fail("There is no database here — :open PATH opens one")
    } else if !rows.perform(action, count: count) {
      app?.performShared(action)
    }
  }

  override func handle(_ event: MouseEvent) { rows.table.handle(event) }

  // MARK: Drawing

  override func draw(in canvas: inout Canvas) -> Point? {
    rows.table.emptyText =
      rows.filter.prompt == nil
      ? ["There is no SQLite database in this folder", ":open PATH opens one", "cardfile demo"]
      : ["No database matches", "Esc shows all"]
    return rows.draw(in: &canvas)
  }
}
