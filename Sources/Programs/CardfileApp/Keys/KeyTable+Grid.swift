import TerminalKit

extension KeyTable {
  /// The keys of a list of objects as a grid: those of the list, with left and right moving.
  static let grid = KeyTable(
    name: "grid", hinting: list.hintedActions,
    entries: [
      Entry(
        section: .move, label: "h l ← →", help: "left, right",
        bindings: [("h", .cellLeft), ("l", .cellRight), (.left, .cellLeft), (.right, .cellRight)])
    ]
      + list.entries.map { entry in
        switch entry.bindings.first?.action {
        case .open:
          Entry(
            section: entry.section, label: "⏎", help: entry.help, bindings: [(.enter, .open)],
            hint: entry.hint)
        case .back:
          Entry(
            section: entry.section, label: "Backspace", help: entry.help,
            bindings: [(.backspace, .back)])
        default: entry
        }
      })
}
