import ListProviders
import TerminalKit

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
        KeyCommand(
          "'", section: .move, label: "' letters", help: "go to a section", hint: "index"
        ) { [weak self] in self?.askForSection() },
      ]
    }
    return commands
  }

  private func motion(
    _ keys: [Key], _ label: String? = nil, _ help: String = "",
    _ motion: @escaping @MainActor (Int?) -> TableMotion
  ) -> KeyCommand {
    .motion(keys, label, help, motion) { [weak self] motion in
      if motion.needsWholeList { self?.completeList() }
      self?.tableView.move(motion)
    }
  }

  /// Goes to the first section whose title begins with what is typed, at every letter.
  private func askForSection() {
    completeList()
    let start = tableView.position
    prompt(
      "Go to section", label: "'",
      changed: { [weak self] text in
        guard let section = self?.tableView.sections(matching: text).first else { return }
        self?.tableView.move(.section(section))
      },
      cancelled: { [weak self] in self?.tableView.position = start },
      entered: { _ in })
  }
}

extension TableMotion {
  /// Whether it may lead beyond the first rows.
  fileprivate var needsWholeList: Bool {
    switch self {
    case .last, .percent, .row, .nextSection: true
    default: false
    }
  }
}
